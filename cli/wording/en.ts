/** Everything a person reads, in English. `{name}` stands for an argument. */
export const en = {
  'program.description':
    'Chorus lets AI agents write to each other for their users, across languages and cultures.',
  'program.version': 'print the version',
  'program.help': 'show help',
  'program.ui-lang': 'language of this output: {languages} (default: from the locale)',
  'program.more': 'Run "{program} help <command>" for the options of a command.',
  'program.usage': '[options] <command>',
  'program.command-usage': '[options]',
  'program.usage-title': 'Usage:',
  'program.arguments-title': 'Arguments:',
  'program.options-title': 'Options:',
  'program.global-options-title': 'Global options:',
  'program.commands-title': 'Commands:',

  'help.summary': 'show what a command does',
  'help.command': 'the command to explain',

  'init.summary': 'put the Chorus skill into ./chorus',
  'init.description':
    'Writes the Chorus skill (SKILL, PROTOCOL, TRANSPORT, schema, examples) into a folder that your agent can read.',
  'init.lang': 'language of the documents: {languages}',
  'init.dir': 'folder to write (default: chorus)',
  'init.dry-run': 'show what would be done and change nothing',
  'init.force': "replace Chorus's files in an existing folder; your other files stay",
  'init.yes': 'ask nothing, take the suggestions',
  'init.json': 'print the result as JSON',
  'init.ask-language': 'Which language shall the documents be in?',
  'init.done': 'The Chorus skill {protocol} ({language}) is in {dir}',
  'init.planned':
    'The Chorus skill {protocol} ({language}) would go into {dir}. Nothing was changed.',
  'init.real-path': '{dir} leads through a symbolic link; the files are really in {real}',
  'init.action-create': 'new',
  'init.action-replace': 'replaced',
  'init.action-replace-changed': 'replaced, had been changed',
  'init.action-keep': 'already up to date',
  'init.action-remove': 'removed, no longer part of the skill',
  'init.action-leave': 'kept, no longer part of the skill but had been changed',
  'init.next-title': 'Next:',
  'init.next': 'tell your agent: "Read {skill} and follow it."',
  'init.skip-prompts': 'To skip the question next time:',

  'error.label': 'error',
  'hint.label': 'try',
  'error.did-you-mean': 'Did you mean {nearest}?',
  'error.unknown-command': 'There is no command "{given}".',
  'hint.unknown-command': 'Run "{program} help" to see all commands.',
  'error.unknown-option': 'There is no option {given}.',
  'hint.unknown-option': 'Run "{program} help {command}" to see the options.',
  'error.unknown-value': '{option} does not know "{given}". It takes: {available}.',
  'hint.unknown-value': '',
  'error.missing-value': '{option} needs a value.',
  'hint.missing-value': 'Write it as {usage}.',
  'error.missing-argument': 'The argument {argument} is missing.',
  'hint.missing-argument': 'Run "{program} help {command}" to see how it is used.',
  'error.excess-argument': '"{command}" takes no argument "{given}".',
  'hint.excess-argument': 'Run "{program} help {command}" to see how it is used.',
  'error.unknown-language':
    'The documents do not exist in the language "{given}". Available: {available}.',
  'hint.unknown-language': '{program} init --lang {suggestion}',
  'error.empty-dir': '--dir needs the path of a folder, not an empty text.',
  'hint.empty-dir': '{program} init --dir chorus',
  'error.skill-exists':
    'The Chorus skill {version} ({language}) is in {dir} already; nothing was changed. In it: {found}.',
  'hint.skill-exists':
    "--force replaces Chorus's own files and keeps the others (see it first with --force --dry-run); --dir <path> writes elsewhere.",
  'error.empty-folder-exists': '{dir} exists already (it is empty); nothing was changed.',
  'hint.empty-folder-exists': '--force writes into it; --dir <path> writes elsewhere.',
  'error.folder-exists': '{dir} exists already; nothing was changed. In it: {found}.',
  'hint.folder-exists':
    "--force replaces Chorus's own files and keeps the others (see it first with --force --dry-run); --dir <path> writes elsewhere.",
  'error.folder-interrupted':
    '{dir} holds an installation that was interrupted (by a crash or power loss); nothing was changed.',
  'hint.folder-interrupted': 'Run it with --force to finish the installation.',
  'error.folder-busy':
    'Another run (process {pid}) is writing to {dir} just now; nothing was changed.',
  'hint.folder-busy':
    'Wait until it has ended. If there is no such run, delete {lock} and try again.',
  'error.not-a-folder': '{path} is a file, not a folder; nothing was changed.',
  'hint.not-a-folder': 'Move it away, or write elsewhere with --dir <path>.',
  'error.not-a-file':
    '{path} is not a file, but a file of Chorus belongs there; nothing was changed.',
  'hint.not-a-file': 'Move it away, or write elsewhere with --dir <path>.',
  'error.symbolic-link':
    '{path} is a symbolic link to {target}; the skill is written as real files only, and nothing was changed.',
  'hint.symbolic-link': 'Remove the link, or write elsewhere with --dir <path>.',
  'error.broken-link': '{path} is a symbolic link that leads nowhere; nothing was changed.',
  'hint.broken-link': 'Remove the link, or write elsewhere with --dir <path>.',
  'error.no-permission': 'No permission to write {path} ({errno}); nothing was changed.',
  'hint.no-permission':
    'Check who owns the folder and its mode, or write elsewhere with --dir <path>.',
  'error.disk-full': 'The disk is full ({errno} at {path}); nothing was changed.',
  'hint.disk-full': 'Free some space, or write to another disk with --dir <path>.',
  'error.file-error': 'The file system refused {path} ({errno}); nothing was changed.',
  'hint.file-error': 'Check the path, or write elsewhere with --dir <path>.',
  'error.rollback-failed':
    'Writing {path} failed ({errno}), and so did putting the old files back. They are safe in {staging}.',
  'hint.rollback-failed':
    'Copy them back once the file system works again, then delete that folder.',
  'error.no-cwd': 'The current folder does not exist any more.',
  'hint.no-cwd': 'Change to another folder and run it again.',
  'error.package-damaged':
    'This installation of {package} is incomplete: {path} cannot be read ({errno}).',
  'hint.package-damaged': 'Install the package again.',
  'error.cancelled': 'Cancelled; nothing was changed.',
  'hint.cancelled': '',
  'error.bug': 'This is a bug of {program} {version}: {detail}',
  'hint.bug': 'Please report it with the command you ran. CHORUS_DEBUG=1 shows where it happened.',
} as const;
