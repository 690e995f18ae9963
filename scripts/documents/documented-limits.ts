import { COMMON_HUB_LIMITS, LIMITS } from '../../cli/protocol/constants.ts';
import { type Check, type Document, listDocuments } from './document-set.ts';
import { parseNumber } from './known-numbers.ts';
import { matchProse } from './parse-document.ts';
import { LIMIT_PHRASES, type LimitUnit } from './words.ts';

/** The limits that each document states, in the order in which it does. */
const STATED: Readonly<Record<string, Partial<Record<LimitUnit, readonly number[]>>>> = {
  'SKILL.md': {
    characters: [LIMITS.culturalContextMin, LIMITS.culturalContextMax, LIMITS.registrationKeyMin],
  },
  'PROTOCOL.md': {
    characters: [
      LIMITS.originalTextMin,
      LIMITS.culturalContextMin,
      LIMITS.culturalContextMax,
      LIMITS.conversationIdMax,
    ],
    turns: [LIMITS.turnNumberMin],
  },
  'TRANSPORT.md': {
    characters: [LIMITS.registrationKeyMin, LIMITS.idempotencyKeyMax],
    utf16: [COMMON_HUB_LIMITS.originalTextUtf16],
    kibibytes: [COMMON_HUB_LIMITS.bodyBytes / 1024],
  },
};

function checkUnit({ file, name, sections }: Document, unit: LimitUnit) {
  const found = sections.flatMap(({ prose }) =>
    matchProse(prose, LIMIT_PHRASES[unit]).flatMap(({ match, line }) =>
      match
        .slice(1)
        .filter(Boolean)
        .map((number) => ({ number: parseNumber(number), line })),
    ),
  );
  const stated = STATED[name]?.[unit] ?? [];
  const index = found.findIndex(({ number }, at) => number !== stated[at]);
  if (index < 0 && found.length === stated.length) return [];
  const message = `states the limits ${found.map(({ number }) => number).join(', ')} instead of ${stated.join(', ')} (${unit})`;
  return [{ file, line: found[index]?.line ?? 1, message }];
}

export const documentedLimits: Check = {
  id: 'documented-limits',
  run(set) {
    const units = Object.keys(LIMIT_PHRASES) as LimitUnit[];
    return listDocuments(set).flatMap((document) =>
      units.flatMap((unit) => checkUnit(document, unit)),
    );
  },
};
