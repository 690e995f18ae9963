import { isObject } from '../kinds.ts';
import type { Rule } from '../rule.ts';

export const needlessContext: Rule = {
  id: 'needless-context',
  severity: 'warning',
  kinds: ['envelope'],
  *check({ value, parent }) {
    if (parent?.kind !== 'example' || !('cultural_context' in value)) return;
    const output = parent.value.adapted_output;
    if (isObject(output) && output.receiver_culture === value.sender_culture) {
      yield { field: 'cultural_context' };
    }
  },
};
