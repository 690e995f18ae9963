import { LEGACY_ENVELOPE_FIELDS } from '../../protocol/constants.ts';
import type { Rule } from '../rule.ts';
import { SHAPES } from '../shapes.ts';
import { findTypos } from './field-typo.ts';

/** Allowed by the protocol, but some hubs refuse such an envelope. */
export const extraField: Rule = {
  id: 'extra-field',
  severity: 'warning',
  kinds: ['envelope'],
  concern: 'unknown-fields',
  *check(subject) {
    for (const field in subject.value) {
      // Other rules speak of these.
      if (Object.hasOwn(SHAPES.envelope, field) || field === 'receiver_id') continue;
      if (Object.hasOwn(LEGACY_ENVELOPE_FIELDS, field) && !('original_text' in subject.value))
        continue;
      if (findTypos(subject).some((typo) => typo.field === field)) continue;
      yield { field, atKey: true, args: { field } };
    }
  },
};
