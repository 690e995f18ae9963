import { NO_PROBLEM, type Rule } from '../rule.ts';

export const turnWithoutConversation: Rule = {
  id: 'turn-without-conversation',
  severity: 'warning',
  kinds: ['envelope'],
  check: ({ value }) =>
    'turn_number' in value && !('conversation_id' in value)
      ? [{ field: 'turn_number' }]
      : NO_PROBLEM,
};
