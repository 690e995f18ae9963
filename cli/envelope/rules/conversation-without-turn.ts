import { NO_PROBLEM, type Rule } from '../rule.ts';

export const conversationWithoutTurn: Rule = {
  id: 'conversation-without-turn',
  severity: 'warning',
  kinds: ['envelope'],
  check: ({ value }) =>
    'conversation_id' in value && !('turn_number' in value)
      ? [{ field: 'conversation_id' }]
      : NO_PROBLEM,
};
