export const en = {
  'error.did-you-mean': 'Did you mean {nearest}?',
  'error.unknown-command': 'There is no command "{given}".',
  'hint.unknown-command': 'Run "{program} help" to see all commands.',
  'error.unknown-option': 'There is no option {given}.',
  'hint.unknown-option': 'Run "{program} {help}" to see the options.',
  'error.unknown-value': '{option} does not know "{given}". It takes: {available}.',
  'hint.unknown-value': '',
  'error.missing-value': '{option} needs a value.',
  'hint.missing-value': 'Write it as {usage}.',
  'error.needless-value': '{name} takes no value, so {given} cannot be meant.',
  'hint.needless-value': 'Write {name} alone.',
  'error.missing-argument': 'The argument {argument} is missing.',
  'hint.missing-argument': 'Run "{program} help {command}" to see how it is used.',
  'error.excess-argument': '"{command}" takes no argument "{given}".',
  'hint.excess-argument':
    'Put what has blanks in it in quotes, or run "{program} help {command}" to see how it is used.',
  'error.unknown-language':
    'The documents do not exist in the language "{given}". Available: {available}.',
  'hint.unknown-language': 'Give --lang {suggestion}.',
  'error.conflicting-options': '{option} and {other} do not go together.',
  'hint.conflicting-options': 'Leave one of them out.',
  'error.option-needs': '{option} means something only with {needed}.',
  'hint.option-needs': 'Add {needed}, or leave {option} out.',
  'error.bad-schema': 'The schema {path} cannot be used: {detail}',
  'hint.bad-schema': 'Give a JSON Schema of draft 07 or 2020-12.',
  'error.unreadable': '{path} cannot be read ({errno}).',
  'hint.unreadable': 'Check the path and its permissions.',
  'error.file-missing': 'There is no file {path}.',
  'hint.file-missing': 'Check the path.',
  'error.response-needs-one':
    'A protocol response answers exactly one envelope; here there are {count}.',
  'hint.response-needs-one': 'Give one file with one envelope, or another --format.',
  'error.empty-dir': '--dir needs the path of a folder, not an empty text.',
  'hint.empty-dir': '{program} init --dir chorus',
  'error.skill-exists':
    'The Chorus skill {version} ({language}) is in {dir} already; nothing was changed. In it: {found}.',
  'hint.skill-exists':
    '"{program} update" brings it up to date and keeps the files you changed; --force replaces those, too. Or choose another place.',
  'error.empty-folder-exists': '{dir} exists already (it is empty); nothing was changed.',
  'hint.empty-folder-exists': '--force writes into it. Or choose another place.',
  'error.folder-exists': '{dir} exists already; nothing was changed. In it: {found}.',
  'hint.folder-exists':
    "--force replaces Chorus's own files and keeps the others (see it first with --force --dry-run). Or choose another place.",
  'error.folder-interrupted':
    'An earlier run was killed while it changed {dir}, so its files may be old and new mixed; nothing was changed now.',
  'hint.folder-interrupted':
    '--force puts back what was there before and then installs; so does "{program} update".',
  'error.folder-busy':
    'Another run (process {pid}) is writing to {dir} just now; nothing was changed.',
  'hint.folder-busy':
    'Wait until it has ended. If there is no such run any more, delete {lock} and try again.',
  'error.fix-failed':
    '{path} could not be repaired ({errno}) and is as it was; files before it in the list may have been.',
  'hint.fix-failed': 'Check the permissions of the file and its folder, and the space on the disk.',
  'error.not-a-folder': '{path} is a file, not a folder; nothing was changed.',
  'hint.not-a-folder': 'Move it away, or choose another place.',
  'error.not-a-file':
    '{path} is not a file, but a file of Chorus belongs there; nothing was changed.',
  'hint.not-a-file': 'Move it away, or choose another place.',
  'error.symbolic-link':
    '{path} is a symbolic link to {target}; the skill is written as real files only, and nothing was changed.',
  'hint.symbolic-link': 'Remove the link, or choose another place.',
  'error.broken-link': '{path} is a symbolic link that leads nowhere; nothing was changed.',
  'hint.broken-link': 'Remove the link, or choose another place.',
  'error.no-permission': 'No access to {path} ({errno}); nothing was changed.',
  'hint.no-permission': 'Check who owns the folder and its mode, or choose another place.',
  'error.disk-full': 'The disk is full ({errno} at {path}); nothing was changed.',
  'hint.disk-full': 'Free some space, or choose another disk.',
  'error.file-error': 'The file system refused {path} ({errno}); nothing was changed.',
  'hint.file-error': 'Check the path, or choose another place.',
  'error.rollback-failed':
    'Writing {path} failed ({errno}), and so did putting the old files back. They are safe in {staging}.',
  'hint.rollback-failed':
    'Copy them back once the file system works again, then delete that folder.',
  'error.no-cwd': 'The current folder does not exist any more.',
  'hint.no-cwd': 'Change to another folder and run it again.',
  'error.no-home': 'The environment does not say where your home folder is.',
  'hint.no-home': 'Set HOME to it.',
  'error.dir-without-local':
    '--dir names the folder of the target "local", which is not asked for.',
  'hint.dir-without-local': 'Leave --dir out, or add local to --target.',
  'error.scope-conflict': '{target} has a scope of its own, so --scope {scope} contradicts it.',
  'hint.scope-conflict': 'Use --target {name} with --scope.',
  'error.option-needs-openclaw': '{option} is about OpenClaw, which --target does not name.',
  'hint.option-needs-openclaw': 'Add openclaw to --target, or leave {option} out.',
  'error.missing-option': '{command} needs {option}.',
  'hint.missing-option': 'Run "{program} help {command}" to see how it is used.',
  'error.not-confirmed': 'Removing the skill needs to be confirmed; nothing was changed.',
  'hint.not-confirmed': 'Add --yes, or see first with --dry-run what would go.',
  'error.nothing-installed': 'The Chorus skill is not installed there: {places}.',
  'hint.nothing-installed': 'Run "{program} list" to see where it is.',
  'error.options-conflict': '{option} and {other} contradict each other.',
  'hint.options-conflict': 'Give one of them.',
  'error.nothing-known': 'The Chorus skill is not installed anywhere that this program knows of.',
  'hint.nothing-known': 'Install it with "{program} init --target <host>".',
  'error.not-ours':
    '{dir} has no manifest of ours, so its files cannot be told from yours; nothing was changed.',
  'hint.not-ours': 'Remove the folder by hand if you no longer want it.',
  'error.not-readable-back':
    'Read back from {dir}, {file} was not what had been written, so the old state was put back; nothing was changed.',
  'hint.not-readable-back':
    'Something else changes the folder at the same time, or the disk is failing.',
  'error.openclaw-profile': '"{given}" cannot be the name of an OpenClaw profile.',
  'hint.openclaw-profile': 'It has letters, digits, "_" and "-" only, at most 64.',
  'error.openclaw-agent-needed':
    'OpenClaw has several agents here, each with its own workspace: {available}.',
  'hint.openclaw-agent-needed': 'Say which one with --agent <id>.',
  'error.openclaw-config-unreadable': "OpenClaw's config {path} cannot be read ({errno}).",
  'hint.openclaw-config-unreadable': 'Check the file and its permissions.',
  'error.openclaw-config-syntax':
    "OpenClaw's config {path} is not JSON5 from line {line}, column {column} on.",
  'hint.openclaw-config-syntax':
    'Correct it there; "openclaw doctor" checks the rest. This program never writes to it.',
  'error.openclaw-include':
    "OpenClaw's config {path} includes {include}, which cannot be read from there.",
  'hint.openclaw-include':
    'An included file lies below the folder of the config (or of OPENCLAW_INCLUDE_ROOTS), and includes go at most 10 deep and not in a circle.',
  'error.openclaw-variable':
    'The workspace of the OpenClaw agent "{agent}" in {path} names the variable {name}, which is not set.',
  'hint.openclaw-variable': 'Set {name} as it is set where the gateway runs.',
  'error.openclaw-relative-workspace':
    'The workspace of the OpenClaw agent "{agent}" in {path} is {workspace}: where that is depends on the folder that the gateway runs in.',
  'hint.openclaw-relative-workspace':
    'Write the whole path into the config, or write into the folder itself with --dir <workspace>/skills/chorus.',
  'error.openclaw-remote':
    "OpenClaw's config {path} uses a gateway on another machine ({url}): the folders here are not the ones its agents read.",
  'hint.openclaw-remote': 'Run this on the machine of the gateway.',
  'error.bad-number': '{option} is "{given}"; it takes a whole number from {min} to {max}.',
  'hint.bad-number': '',
  'error.bad-ip': '{option} is "{given}"; it takes IP addresses with commas between.',
  'hint.bad-ip': '',
  'error.hub-bad-name': '"{given}" cannot be what addresses end in.',
  'hint.hub-bad-name':
    'Give --name letters from a to z, digits, ".", "_" and "-": --name hub.example.com',
  'error.hub-name-changed':
    'The agents in {path} have addresses that end in @{stored}; with --name {given} nobody would reach them.',
  'hint.hub-name-changed': 'Leave --name out, or give --data <dir> for another hub.',
  'error.hub-bad-operator-key': 'What is in {path} cannot be an operator key.',
  'hint.hub-bad-operator-key':
    'It must be one line of 32 to 512 visible characters, such as "openssl rand -hex 32" prints.',
  'error.hub-no-database': 'Node {version} has no SQLite of its own, and libsql is not installed.',
  'hint.hub-no-database':
    'Use Node 22.13 or later, or install libsql beside this package ("npm install -g libsql"); --memory needs neither and keeps nothing.',
  'error.hub-port-taken': 'Port {port} on {host} is in use already.',
  'hint.hub-port-taken': 'End the other program, or give --port <number>; 0 picks a free one.',
  'error.hub-cannot-listen': 'The hub cannot listen on {host}, port {port} ({errno}).',
  'hint.hub-cannot-listen': 'Give --host an address of this machine, and a port you may use.',
  'error.hub-data-busy': 'Another hub is running on {path}.',
  'hint.hub-data-busy': 'End it first, or give --data <dir> for a second one.',
  'error.hub-data-newer':
    '{path} was written by a newer version of this program (format {found}; this one knows up to {known}). Nothing was changed.',
  'hint.hub-data-newer': 'Update {package}.',
  'error.hub-data-damaged': '{path} is damaged, or not the database of a hub.',
  'hint.hub-data-damaged': 'Put back a backup, or give --data <dir> to begin anew elsewhere.',
  'error.hub-data-unusable': 'The database {path} cannot be used: {detail}',
  'hint.hub-data-unusable':
    'Check the permissions of the folder and the space on the disk, or give --data <dir>.',
  'error.output-failed': 'The result could not be written to standard output ({errno}).',
  'hint.output-failed':
    'What was done is done, and messages that were not handed over are kept. Run it again with other output.',
  'error.package-damaged':
    'This installation of {package} is incomplete: {path} cannot be read ({errno}).',
  'hint.package-damaged': 'Install the package again.',
  'error.credentials-missing': 'There are no credentials: {path} does not exist.',
  'hint.credentials-missing':
    'Register first with "{program} register". If you have credentials, run this in their folder or below it, or say where they are with --credentials <path>.',
  'error.credentials-interrupted': 'A registration was interrupted before {path} was complete.',
  'hint.credentials-interrupted':
    'Run "{program} register" again in that folder; it goes on from there.',
  'error.credentials-not-json': 'The credentials {path} are damaged: not a JSON object.',
  'hint.credentials-not-json':
    'It is left as it is. Repair it or restore it from a copy; only "{program} register --new-identity" makes another identity.',
  'error.credentials-field': 'The credentials {path} are damaged: "{field}" is not right.',
  'hint.credentials-field':
    'It is left as it is. Repair it or restore it from a copy; only "{program} register --new-identity" makes another identity.',
  'error.credentials-field-missing': 'The credentials {path} are damaged: "{field}" is missing.',
  'hint.credentials-field-missing':
    'It is left as it is. Repair it or restore it from a copy; only "{program} register --new-identity" makes another identity.',
  'error.credentials-not-a-file': '{path} is not a file, but should be the credentials.',
  'hint.credentials-not-a-file': 'Give the file itself, not its folder.',
  'error.credentials-too-large': '{path} is far too large to be credentials.',
  'hint.credentials-too-large': 'Check the path.',
  'error.credentials-broken-link': '{path} is a symbolic link that leads nowhere.',
  'hint.credentials-broken-link': 'Restore what it leads to, or remove the link.',
  'error.credentials-foreign':
    '{path} belongs to another user, so it is not taken for your identity.',
  'hint.credentials-foreign': 'If it is yours all the same, give it with --credentials <path>.',
  'error.credentials-unreadable': 'The credentials {path} cannot be read ({errno}).',
  'hint.credentials-unreadable': 'Check who owns the file and its mode.',
  'error.credentials-unwritable':
    'The credentials cannot be written to {path} ({errno}); the hub was not asked.',
  'hint.credentials-unwritable':
    'Check the folder, or give another place with --credentials <path>.',
  'error.credentials-elsewhere':
    '{agent} is registered, but its credentials could not be written to {path} ({errno}). They are safe in {elsewhere}.',
  'hint.credentials-elsewhere':
    'Move them to {path} once it can be written to. There is no other copy.',
  'error.key-lost':
    '{agent} is registered, but its key could be written nowhere ({errno} at {path}): it is lost.',
  'hint.key-lost':
    "Repair the disk, then register with another id, or ask the hub's operator to remove this one.",
  'error.identity-exists':
    'You asked for {wanted}, but you are {agent} on {hub} (in {path}); nothing was sent.',
  'hint.identity-exists':
    'To give up {agent} for another, add --new-identity; to have both, give another file with --credentials <path>.',
  'error.key-refused': '{host} does not accept the key of {agent} in {path} ({status} {code}).',
  'hint.key-refused':
    'The hub does not know this key (one with --memory forgets everybody when it ends). If another copy of the credentials is newer, use that one. Only if your user wants a new identity (the old file is kept): {program} {renewal}',
  'error.id-taken': '{agent} is taken on this hub.',
  'hint.id-taken':
    'If it is yours, its credentials lie elsewhere: give them with --credentials <path>. Otherwise try: {suggestions}',
  'error.register-needs': 'Missing: {missing}.',
  'hint.register-needs': '{command}',
  'error.register-needs-culture':
    'Missing: {missing}. The culture of your user is never guessed: {source} says {culture}.',
  'hint.register-needs-culture': 'If that is right: {command}',
  'error.register-uncertain':
    'The hub may have registered {agent}, but its key has not arrived. {cause}',
  'hint.register-uncertain':
    'Run "{program} register" again in this folder: it repeats the same request, and a hub that remembers it gives the same key.',
  'error.register-interrupted':
    'Stopped while {host} was registering {agent}; its key has not arrived.',
  'hint.register-interrupted':
    'Run "{program} register" again in this folder: it repeats the same request, and a hub that remembers it gives the same key.',
  'error.register-lost':
    'A registration of {agent} was interrupted ({startedAt}), and now the hub says that the id is taken: probably by that one, whose key never arrived.',
  'hint.register-lost': "Register with another id, or ask the hub's operator to remove this one.",
  'error.register-conflict': '{given} does not go together with {other}.',
  'hint.register-conflict': 'Run "{program} help register" to see how it is used.',
  'error.bad-culture': '{option}: "{given}" is not a culture.',
  'hint.bad-culture': "Give your user's language as a tag, such as fr, pt-BR or zh-CN.",
  'error.bad-agent-id': '"{given}" cannot be the id of an agent.',
  'hint.bad-agent-id': 'Use letters, digits, ".", "_" and "-": haruka or haruka@hub.example.',
  'error.bad-endpoint': '"{given}" cannot be an endpoint that a hub delivers to.',
  'hint.bad-endpoint': 'It must be an https:// address. With an inbox you do not need one.',
  'error.placeholder-id': '"{given}" is a placeholder of the documents, not an id.',
  'hint.placeholder-id': "Take your user's name or one that they choose.",
  'error.no-hub': 'There is no Chorus hub at {host}: it answered {status}.',
  'hint.no-hub': 'Check --hub.',
  'error.hub-full': '{host} takes no new agents.',
  'hint.hub-full': 'Ask the operator of the hub, or choose another with --hub.',
  'error.hub-busy': '{host} gets too many requests and asks to come back later.',
  'hint.hub-busy': 'Wait {seconds} s and run it again.',
  'error.check-broke': 'The check "{check}" itself broke: {detail}',
  'hint.check-broke': 'Please report it with the command you ran.',
  'error.check-timeout': 'Not done within {seconds} s.',
  'hint.check-timeout': 'Give it more time with --timeout <seconds>.',
  'error.other-hub': 'The credentials are for {hub}; their key is not sent to {given}.',
  'hint.other-hub':
    'Leave --hub and CHORUS_HUB_URL out, or give the credentials for that hub with --credentials <path>.',
  'error.bad-hub-url': '"{given}" is not the address of a hub.',
  'hint.bad-hub-url': 'Write it as https://hub.example, without a name, password or query in it.',
  'error.hub-insecure':
    '{url} would carry the key in the clear; plain http is used to this machine only.',
  'hint.hub-insecure': 'Use https, or add --insecure if you trust the network in between.',
  'error.bad-key':
    'The api_key in the credentials is not a key: it has characters that no key has.',
  'hint.bad-key':
    'Restore the file from a copy; "{program} register --new-identity" makes a new identity.',
  'error.hub-name-not-found': 'The name of the hub, {host}, was not found ({reason}).',
  'hint.hub-name-not-found': 'Check the address, and whether this machine is online.',
  'error.hub-refused': '{host} refused the connection ({reason}): nothing is listening there.',
  'hint.hub-refused': 'Check the address and its port, and whether the hub is running.',
  'error.hub-unreachable': '{host} cannot be reached ({reason}).',
  'hint.hub-unreachable': 'Check the network, a VPN or a firewall.',
  'error.hub-tls': 'No secure connection to {host} could be made ({reason}).',
  'hint.hub-tls':
    'If your organisation signs certificates itself, point NODE_EXTRA_CA_CERTS to its certificate. A hub that speaks plain http has an address with http://.',
  'error.hub-tls-expired': 'The certificate of {host} has expired ({reason}).',
  'hint.hub-tls-expired':
    "Check this machine's clock; if it is right, the hub's operator must renew the certificate.",
  'error.hub-tls-self-signed':
    'The certificate of {host} is signed by nobody this machine knows ({reason}).',
  'hint.hub-tls-self-signed':
    'If you trust that signer (a proxy of your organisation, a hub of your own), point NODE_EXTRA_CA_CERTS to its certificate.',
  'error.hub-tls-wrong-name': 'The certificate of {host} is for another name ({reason}).',
  'hint.hub-tls-wrong-name':
    'Check the address. Behind a sign-in page of a network: sign in first.',
  'error.hub-timeout': '{host} did not answer in time.',
  'hint.hub-timeout': 'Try again later, or check whether a firewall or proxy is in between.',
  'error.hub-closed': '{host} closed the connection before its answer was complete ({reason}).',
  'hint.hub-closed': 'Try again.',
  'error.hub-silent': '{host} has sent nothing for {seconds} s, not even a heartbeat.',
  'hint.hub-silent': 'Connect again; a proxy in between may hold the stream back.',
  'error.hub-too-large': 'The answer of {host} is larger than {limit}, which no hub needs.',
  'hint.hub-too-large': 'Check the address.',
  'error.hub-redirect': '{host} sends us on to {origin}; nothing was sent there.',
  'hint.hub-redirect':
    "If that is the hub's address, give it with --hub. Behind a sign-in page of a network: sign in first.",
  'error.hub-not-json': '{host} did not answer as a hub does: it sent {got} in place of JSON.',
  'hint.hub-not-json':
    "Check the address. A network's sign-in page answers like that: open a browser and sign in first.",
  'error.hub-not-stream': '{host} did not open a stream of events: it sent "{got}".',
  'hint.hub-not-stream': 'Check the address of the hub.',
  'error.hub-bad-answer': 'The answer of {host} is not one of the Chorus transport profile.',
  'hint.hub-bad-answer': 'Check the address, and that the hub speaks Chorus 0.4.',
  'error.hub-refusal': '{host} said no: {status} {code} {message}',
  'hint.hub-refusal': '',
  'error.proxy-unusable': 'The proxy in {variable} is not an http:// or https:// address.',
  'hint.proxy-unusable': 'Correct the variable, or exempt the hub with NO_PROXY.',
  'error.proxy-unreachable': 'The proxy {proxy} cannot be reached ({reason}).',
  'hint.proxy-unreachable': 'Check HTTPS_PROXY and HTTP_PROXY, or exempt the hub with NO_PROXY.',
  'error.proxy-refused': 'The proxy {proxy} refused the connection (HTTP {status}).',
  'hint.proxy-refused':
    'With 407 it wants a name and password: http://name:password@host:port in HTTPS_PROXY. NO_PROXY exempts the hub.',
  'error.culture-unknown':
    "Neither the credentials nor the hub say which culture is your user's, and it is not guessed.",
  'hint.culture-unknown': 'Add "user_culture" to {path}, for example "fr" or "pt-BR".',
  'error.bad-address': '"{given}" is not an address.',
  'hint.bad-address': 'Write it as name@host; on your own hub the name alone is enough.',
  'error.bad-url': '{option} is "{given}", which is no http:// or https:// address.',
  'hint.bad-url': '',
  'error.url-insecure':
    '{option} would carry the message in the clear to {host}; plain http is used to this machine only.',
  'hint.url-insecure': 'Use https, or add --insecure if you trust the network in between.',
  'error.text-missing': 'There is no text to send.',
  'hint.text-missing':
    'Give it as the second argument, with --file <path>, or with - on standard input.',
  'error.text-twice': 'The text is given twice: as an argument and with --file.',
  'hint.text-twice': 'Give one of the two.',
  'error.text-not-utf8': '{path} is not text in UTF-8 (byte {byte}).',
  'hint.text-not-utf8': 'Save it as UTF-8.',
  'error.envelope-invalid': 'The message is not valid and was not sent: {problems}',
  'hint.envelope-invalid': '',
  'error.turn-without-conversation': '--turn counts within a conversation, and none is named.',
  'hint.turn-without-conversation': 'Add --conversation <id>, or leave --turn out.',
  'error.turn-used':
    'Turn {turn} of conversation {conversation} was sent already: the receiver would drop this one as a repetition.',
  'hint.turn-used': 'Leave --turn out; the next one is {next}.',
  'error.reply-and-place': '--reply-to takes conversation and turn from the history.',
  'hint.reply-and-place':
    'To answer, leave out --conversation and --turn; to repeat a message, leave out --reply-to.',
  'error.reply-unknown': 'The history has no message with the trace_id "{trace}".',
  'hint.reply-unknown':
    'Run "{program} history --json" to see them; a message that is not in the history is answered without --reply-to.',
  'error.reply-other-peer': 'That message was exchanged with {peer}, not with {given}.',
  'hint.reply-other-peer': 'Send the answer to {peer}.',
  'error.send-busy': 'Another process ({pid}) has been sending to this receiver for minutes.',
  'hint.send-busy': 'Wait until it has ended. If there is none, delete {lock} and try again.',
  'error.inbox-busy': 'The inbox of {agent} is open already, in process {pid}.',
  'hint.inbox-busy':
    'One process receives for an identity. If there is none any more, delete {lock} and try again.',
  'error.inbox-taken': 'Another process has taken over the inbox of {agent}; this one ends.',
  'hint.inbox-taken': '',
  'error.two-hand-overs': '{options} each say where messages go.',
  'hint.two-hand-overs': 'Give one of them.',
  'error.bad-command': '--exec "{given}" is no command: it is empty, or a quote is not closed.',
  'hint.bad-command': 'There is no shell; for one, write: --exec "sh -c \'…\'"',
  'error.bad-time': '--since does not know "{given}".',
  'hint.bad-time':
    'Write a date (2026-11-18), a time (2026-11-18T09:30:00Z) or how long ago: 30m, 12h, 7d.',
  'error.openclaw-no-token':
    'The token of OpenClaw\'s hooks is not known: neither {variable} nor "hooks.token" in {path} has it.',
  'hint.openclaw-no-token':
    'Switch on hooks in OpenClaw (hooks.enabled, hooks.token), or set {variable}.',
  'error.storage-failed': '{path} could not be written ({errno}).',
  'hint.storage-failed':
    'Free some space or correct the permissions, then run it again: what was not handed over is not lost.',
  'error.cancelled': 'Cancelled; nothing was changed.',
  'hint.cancelled': '',
  'error.bug': 'This is a bug of {program} {version}: {detail}',
  'hint.bug': 'Please report it with the command you ran. CHORUS_DEBUG=1 shows where it happened.',
} as const;
