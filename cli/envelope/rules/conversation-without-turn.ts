import type { Rule } from '../rule.ts';

export const conversationWithoutTurn: Rule = {
  id: 'conversation-without-turn',
  severity: 'warning',
  kinds: ['envelope'],
  *check({ value }) {
    if ('conversation_id' in value && !('turn_number' in value)) yield { field: 'conversation_id' };
  },
};
