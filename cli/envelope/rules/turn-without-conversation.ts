import type { Rule } from '../rule.ts';

export const turnWithoutConversation: Rule = {
  id: 'turn-without-conversation',
  severity: 'warning',
  kinds: ['envelope'],
  *check({ value }) {
    if ('turn_number' in value && !('conversation_id' in value)) yield { field: 'turn_number' };
  },
};
