export const en = {
  'inbox.description':
    'Receives what is new since the last time: checks each message, keeps it in the history, then hands it over. Without an option for it, messages are printed. Exit code 0: all handed over, 1: not all, or the hub could not be asked.',
  'inbox.follow': 'stay, and hand over messages as they come',
  'inbox.exec':
    'run this program for each message, with the message as JSON on its standard input; exit code 0 means taken. There is no shell',
  'inbox.webhook': 'post each message to this address; an answer 2xx means taken',
  'inbox.openclaw':
    'post each message to OpenClaw on this machine (/hooks/agent; the token from {variable} or its config)',
  'inbox.timeout':
    'seconds after which a hand-over that has not ended has failed (default: {seconds})',
  'inbox.json': 'one line of JSON for each message and event',
  'inbox.connected': 'Listening as {agent} on {hub}.',
  'inbox.lost': 'No connection: {reason} Trying again in {seconds} s.',
  'inbox.ended': 'The hub ended the connection.',
  'inbox.refusal': 'the hub answered {status} {code}.',
  'inbox.invalid':
    'A message from {sender} is not valid and was put aside in {file}: {code}: {detail}',
  'inbox.somebody': 'an unknown sender',
  'inbox.repeated':
    'A message from {sender} repeats an earlier one (same conversation and turn) and was dropped.',
  'inbox.full':
    '{count} messages are not handed over yet; more are fetched when these have been taken.',
  'inbox.failed': 'Handing over {trace} from {sender} failed: {reason}.',
  'inbox.retry': 'Trying again in {seconds} s.',
  'inbox.next-run': 'It is kept for the next run.',
  'inbox.reason-exit': 'the command ended with {code}',
  'inbox.reason-signal': 'the command was ended by {signal}',
  'inbox.reason-not-started': 'the command could not be started ({detail})',
  'inbox.reason-timeout': 'not done after {seconds} s',
  'inbox.reason-status': 'the answer was HTTP {status}',
  'inbox.reason-refused': 'it was refused ({detail})',
  'inbox.nothing': 'Nothing new.',
  'inbox.reply': 'to reply: {command}',
  'inbox.context': 'context: {text}',
} as const;
