export const en = {
  'send.usage': '[options] <receiver> [text | -]',
  'send.description':
    'Sends a message to another agent and says what became of it. The envelope is made from your credentials, checked, and kept in the history once it is accepted. Exit code 0: accepted, 1: not accepted or not known, 2: wrong use.',
  'send.receiver': 'address of the receiver, name@host; on your own hub the name is enough',
  'send.text': 'what to say, word for word; - reads it from standard input',
  'send.file': 'read the text from this file',
  'send.context': 'why it is said this way, in the language of your user (10 to 500 characters)',
  'send.reply-to': 'continue the conversation of this message of the history',
  'send.conversation': 'id of the conversation (default: a new one)',
  'send.turn': 'number of the turn (default: one more than the latest in the history)',
  'send.idempotency-key':
    'to repeat a message of which it is not known whether it was sent: the key of the first time, with the same text and options',
  'send.peer': 'post it to this address of the other agent itself, without a hub',
  'send.typing': 'Type the text; Ctrl+D on a new line ends it (on Windows Ctrl+Z and Enter).',
  'send.waiting': '{reason}; trying again in {seconds} s.',
  'send.warning': 'warning: {message}',
  'send.delivered_sse':
    'Handed over to the open inbox of {receiver}. Whether it was received is not certain.',
  'send.delivered': 'The agent of {receiver} has received it.',
  'send.queued':
    '{receiver} is offline; the hub keeps the message until it connects. Do not send it again.',
  'send.failed': 'The hub took the message but could not deliver it to {receiver}: {reason}.',
  'send.rejected-hub': 'The hub refused the message; it was not sent: {reason}.',
  'send.rejected-receiver': 'The agent of {receiver} refused the message: {reason}.',
  'send.not_sent': 'Not sent: {reason}.',
  'send.unknown':
    'It is not known whether the message was sent: {reason}. To repeat it without the risk of sending it twice, run the same command again with: {repeat}',
  'send.stopped': 'stopped before an answer came',
  'send.no-agent': 'Your hub has no such agent; "{program} discover" lists those it has.',
  'send.key-used':
    'It has had another message with this key: if you are repeating one, it arrived the first time; do not send it again.',
  'send.no-key': 'It does not accept your key; "{program} doctor" finds out why.',
  'send.place': 'conversation {conversation}, turn {turn}',
  'send.trace': 'trace_id {trace}',
  'send.not-recorded':
    'It was sent, but the history in {folder} could not be written: note it down elsewhere.',
} as const;
