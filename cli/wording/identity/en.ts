export const en = {
  'register.usage': '[options] [agent_id]',
  'register.description':
    'Gives your agent an identity on a hub and stores its key in chorus-credentials.json. Where there is one already, it is shown and checked, and nothing is registered.',
  'register.agent-id': 'the name on the hub: haruka, or haruka@hub.example',
  'register.hub': 'address of the hub (default: CHORUS_HUB_URL, the credentials, else {url})',
  'register.culture': "your user's language and region: zh-CN, pt-BR, fr",
  'register.languages': 'languages your user reads, with commas (default: the culture)',
  'register.endpoint': 'https address for webhook delivery; not needed with an inbox',
  'register.credentials':
    'the file (default: CHORUS_CREDENTIALS, the OpenClaw workspace, the nearest one above, ~/.chorus)',
  'register.rotate': 'get a new key for the same id; a copy of the old file is kept',
  'register.new-identity':
    'register anew, under the same name or another; the old file is kept under a dated name',
  'register.yes': 'ask nothing; agrees to the line in .gitignore',
  'register.dry-run': 'show what would be done; register and write nothing',
  'register.ask-id': 'Which name should your agent have on {host}?',
  'register.ask-culture':
    "What is your user's culture? A language, with a region if it matters: fr, pt-BR, zh-CN",
  'register.ask-culture-detected':
    "What is your user's culture? {source} says {culture}. (Enter to confirm, or write another)",
  'register.ask-languages':
    'Which languages does your user read? (↑/↓ to choose, Enter to confirm)',
  'register.languages-one': 'only {language}',
  'register.ask-gitignore':
    'Keep your private files out of git by adding "{line}" to {file}? (←/→ to choose, Enter to confirm)',
  'register.ask-new-identity':
    '{agent} is your identity on {hub}. Others will not reach you under a new one. Really register another? (←/→ to choose, Enter to confirm)',
  'register.yes-label': 'yes',
  'register.no-label': 'no',
  'register.wrong-id': 'Letters, digits, ".", "_" and "-" only, and no placeholder.',
  'register.wrong-culture': 'That is no culture; write it like fr, pt-BR or zh-CN.',
  'register.done-registered': 'Registered as {agent}',
  'register.done-rotated': '{agent} has a new key',
  'register.done-replaced': 'Registered with a new identity: {agent}',
  'register.done-completed': 'An interrupted registration is now complete: {agent}',
  'register.done-already': 'Already registered as {agent}; nothing was registered anew',
  'register.planned-new': 'Would register {agent}. Nothing was sent or written.',
  'register.planned-rotate': 'Would get a new key for {agent}. Nothing was sent or written.',
  'register.planned-new-identity':
    'Would register {agent} as a new identity and keep the old file. Nothing was sent or written.',
  'register.row-hub': 'hub',
  'register.row-culture': 'culture',
  'register.row-languages': 'languages',
  'register.row-credentials': 'credentials',
  'register.row-key': 'key',
  'register.row-copy': 'old file',
  'register.row-gitignore': '.gitignore',
  'register.with-note': '{value} ({note})',
  'register.why-option': 'as --credentials says',
  'register.why-environment': 'as CHORUS_CREDENTIALS says',
  'register.why-openclaw': 'root of this OpenClaw workspace',
  'register.why-folder': 'nearest one from the current folder upwards',
  'register.why-home': 'your own, in your home folder',
  'register.why-nowhere': 'the current folder, as there is none yet',
  'register.culture-unknown': 'not in the file',
  'register.key-accepted': 'accepted by the hub',
  'register.key-unchecked': 'not checked: {reason}',
  'register.git-added': 'added "{line}" to {file}',
  'register.git-would-add': 'would add "{line}" to {file}',
  'register.warn-exposed':
    'git would commit private files: add "{line}" to {file}, or run it with --yes.',
  'register.warn-tracked':
    'git tracks {path}, so the key is in the repository. Run "git rm --cached" on it, and get a new key with --rotate.',
  'register.warn-gitignore-failed': '{file} could not be changed; keep {path} out of git yourself.',
  'register.warn-hub-id': 'The hub calls you {agent}; you asked for {wanted}.',
  'register.warn-resumed':
    'The registration that was interrupted went on as it was begun, with the culture {culture}. For {wanted}, run it with --rotate --culture {wanted}.',
  'register.warn-unused':
    'Not changed, as there is an identity already: {options}. To change it, add --rotate; that brings a new key too.',
  'register.warn-version':
    'The hub speaks Chorus {version}, this program {ours}: messages may be refused.',
  'register.warn-interrupted':
    'A registration was interrupted here; "{program} register" completes it.',
  'register.wait': 'Trying again in {seconds} s …',
  'register.warning-label': 'warning',
  'register.next-title': 'Next: ',
  'register.skip-prompts': 'To skip the questions next time: {command}',
  'whoami.description': 'Shows the identity in use and where it was found. Asks no hub.',
  'whoami.credentials': 'the file, in place of the one that is found',
} as const;
