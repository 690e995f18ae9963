export const en = {
  'init.description':
    'Writes the Chorus skill (SKILL, PROTOCOL, TRANSPORT, schema, examples) into a folder that your agent can read.',
  'init.lang': 'language of the documents: {languages}',
  'init.dir': 'folder to write (default: chorus)',
  'init.dry-run': 'show what would be done and change nothing',
  'init.force': "replace Chorus's files in an existing folder; your other files stay",
  'init.yes': 'ask nothing, take the suggestions',
  'init.ask-language':
    'Which language should the documents be in? (↑/↓ to choose, Enter to confirm)',
  'init.ask-targets':
    'Which of your agents should know Chorus? (↑/↓ to move, Space to choose, Enter to confirm)',
  'init.choice-local': 'a plain folder, ./chorus',
  'init.ask-scope': 'For this project or for all of yours? (↑/↓ to choose, Enter to confirm)',
  'init.choice-project': 'this project',
  'init.choice-user': 'all my projects',
  'init.ask-agent': 'For which agent of OpenClaw? (↑/↓ to choose, Enter to confirm)',
  'init.done': 'The Chorus skill {protocol} ({language}) is in {dir}',
  'init.planned':
    'The Chorus skill {protocol} ({language}) would go into {dir}. Nothing was changed.',
  'init.hosts-done': 'The Chorus skill {protocol} ({language}) is installed:',
  'init.hosts-planned':
    'The Chorus skill {protocol} ({language}) would be installed. Nothing was changed.',
  'init.real-path': '{dir} leads through a symbolic link; the files are really in {real}',
  'init.same': 'already up to date',
  'init.note': '({note})',
  'init.next-title': 'Next: ',
  'init.next': 'tell your agent: "Read {skill} and follow it."',
  'init.hosts-next': 'begin a new session in {hosts} and say: "Use the chorus skill."',
  'init.skip-prompts': 'To skip the questions next time: {command}',
} as const;
