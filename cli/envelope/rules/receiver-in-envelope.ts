import type { Rule } from '../rule.ts';

export const receiverInEnvelope: Rule = {
  id: 'receiver-in-envelope',
  severity: 'warning',
  kinds: ['envelope'],
  concern: 'unknown-fields',
  *check({ value }) {
    if ('receiver_id' in value) yield { field: 'receiver_id', atKey: true };
  },
};
