import { CARD_VERSION } from '../../protocol/constants.ts';
import type { Rule } from '../rule.ts';

/** Card 0.2 called its version `chorus_version`, which is the envelope's. */
export const cardVersionField: Rule = {
  id: 'card-version-field',
  severity: 'error',
  kinds: ['card'],
  concern: 'unknown-fields',
  *check({ value }) {
    if (!('chorus_version' in value)) return;
    yield { field: 'chorus_version', atKey: true, args: { expected: CARD_VERSION } };
  },
};
