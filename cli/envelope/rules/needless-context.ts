import { isObject } from '../kinds.ts';
import { NO_PROBLEM, type Rule } from '../rule.ts';

export const needlessContext: Rule = {
  id: 'needless-context',
  severity: 'warning',
  kinds: ['envelope'],
  check: ({ value, parent }) => {
    if (parent?.kind !== 'example' || !('cultural_context' in value)) return NO_PROBLEM;
    const output = parent.value.adapted_output;
    const isSame = isObject(output) && output.receiver_culture === value.sender_culture;
    return isSame ? [{ field: 'cultural_context' }] : NO_PROBLEM;
  },
};
