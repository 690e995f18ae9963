import { LEGACY_ENVELOPE_FIELDS } from '../../protocol/constants.ts';
import type { Rule, Subject } from '../rule.ts';
import { SHAPES } from '../shapes.ts';
import { findTypos } from './field-typo.ts';

export const missingField: Rule = {
  id: 'missing-field',
  severity: 'error',
  kinds: 'all',
  concern: 'known-fields',
  *check(subject) {
    for (const [field, spec] of Object.entries(SHAPES[subject.kind])) {
      if (!spec.required || field in subject.value) continue;
      if (isUnderOldName(field, subject)) continue;
      if (findTypos(subject).some(({ meant }) => meant === field)) continue;
      yield { args: { field } };
    }
  },
};

/** The rules legacy-field and card-version-field speak of these. */
function isUnderOldName(field: string, { kind, value }: Subject): boolean {
  if (kind === 'card') return field === 'card_version' && 'chorus_version' in value;
  if (kind !== 'envelope') return false;
  return Object.entries(LEGACY_ENVELOPE_FIELDS).some(([old, now]) => now === field && old in value);
}
