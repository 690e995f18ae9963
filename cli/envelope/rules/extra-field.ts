import type { Rule } from '../rule.ts';
import { SHAPES } from '../shapes.ts';
import { findTypos } from './field-typo.ts';

/** Fields that other rules speak of. */
const KNOWN_ELSEWHERE = ['receiver_id', 'original_semantic'];

/** Allowed by the protocol, but some hubs refuse such an envelope. */
export const extraField: Rule = {
  id: 'extra-field',
  severity: 'warning',
  kinds: ['envelope'],
  concern: 'unknown-fields',
  *check(subject) {
    for (const field in subject.value) {
      if (Object.hasOwn(SHAPES.envelope, field) || KNOWN_ELSEWHERE.includes(field)) continue;
      if (findTypos(subject).some((typo) => typo.field === field)) continue;
      yield { field, atKey: true, args: { field } };
    }
  },
};
