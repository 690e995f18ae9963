export const en = {
  'history.usage': '[options] [peer]',
  'history.description':
    'Shows what was sent and received, oldest first. Damaged lines are reported and skipped; they stay in their files.',
  'history.peer': 'address of one peer (default: all)',
  'history.since': 'only from then on: 2026-11-18, 2026-11-18T09:30:00Z, or 30m, 12h, 7d ago',
  'history.conversation': 'only the conversation with this id',
  'history.json': 'print everything as one JSON document',
  'history.you': 'you',
  'history.with': 'With {peer}',
  'history.in': 'With {peer}, conversation {conversation}',
  'history.context': 'context: {text}',
  'history.damaged': '{file}, line {line}: damaged, passed over',
  'history.more-damaged': 'more damaged lines: {count}',
  'history.nothing': 'Nothing was sent or received yet.',
  'history.no-match': 'No message matches.',
} as const;
