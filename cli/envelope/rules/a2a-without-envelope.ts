import { A2A_MEDIA_TYPE } from '../../protocol/constants.ts';
import type { Rule } from '../rule.ts';
import { findA2aEnvelope } from '../subjects.ts';

export const a2aWithoutEnvelope: Rule = {
  id: 'a2a-without-envelope',
  severity: 'error',
  kinds: ['a2a-message'],
  *check({ value }) {
    if (findA2aEnvelope(value) === undefined) yield { args: { mediaType: A2A_MEDIA_TYPE } };
  },
};
