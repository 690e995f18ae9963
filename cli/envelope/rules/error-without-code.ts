import type { Rule } from '../rule.ts';

export const errorWithoutCode: Rule = {
  id: 'error-without-code',
  severity: 'error',
  kinds: ['response'],
  *check({ value }) {
    if (value.status === 'error' && !('error_code' in value)) yield { args: {} };
  },
};
