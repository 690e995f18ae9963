import type { Rule } from '../rule.ts';
import { SHAPES } from '../shapes.ts';
import { findTypos } from './field-typo.ts';

/** A required field that is there under a name with a slip in it: missing, for a reader. */
export const misspeltField: Rule = {
  id: 'misspelt-field',
  severity: 'error',
  kinds: 'all',
  concern: 'unknown-fields',
  *check(subject) {
    for (const { field, meant } of findTypos(subject)) {
      if (!SHAPES[subject.kind][meant]?.required) continue;
      yield { field, atKey: true, args: { field, meant }, repair: { renameTo: meant } };
    }
  },
};
