import { LEGACY_ENVELOPE_FIELDS } from '../../protocol/constants.ts';
import type { Rule } from '../rule.ts';
import { SHAPES } from '../shapes.ts';
import { findTypos } from './field-typo.ts';

export const missingField: Rule = {
  id: 'missing-field',
  severity: 'error',
  kinds: 'all',
  *check(subject) {
    for (const [field, spec] of Object.entries(SHAPES[subject.kind])) {
      if (!spec.required || field in subject.value) continue;
      if (subject.kind === 'envelope' && isUnderOldName(field, subject.value)) continue;
      if (findTypos(subject).some(({ meant }) => meant === field)) continue;
      yield { args: { field } };
    }
  },
};

// The rule legacy-field speaks of these.
function isUnderOldName(field: string, value: object): boolean {
  return Object.entries(LEGACY_ENVELOPE_FIELDS).some(([old, now]) => now === field && old in value);
}
