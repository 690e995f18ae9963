import { LEGACY_ENVELOPE_FIELDS } from '../../protocol/constants.ts';
import type { Rule } from '../rule.ts';

export const legacyField: Rule = {
  id: 'legacy-field',
  severity: 'error',
  kinds: ['envelope'],
  concern: 'unknown-fields',
  *check({ value }) {
    for (const [old, now] of Object.entries(LEGACY_ENVELOPE_FIELDS)) {
      if (!(old in value) || now in value) continue;
      yield { field: old, atKey: true, args: { field: old, now }, repair: { renameTo: now } };
    }
  },
};
