import { COMMON_HUB_LIMITS, IDEMPOTENCY_HEADER, LIMITS } from '../../cli/protocol/constants.ts';
import { type Check, type Document, listDocuments } from './document-set.ts';
import { NUMBER_PHRASES } from './facts.ts';
import { parseNumber } from './known-numbers.ts';

interface Stated {
  file: string;
  /** How the line starts that states the limit. */
  start: string;
  limits: readonly number[];
}

const STATED: readonly Stated[] = [
  { file: 'PROTOCOL.md', start: '| `original_text` |', limits: [LIMITS.originalTextMin] },
  {
    file: 'PROTOCOL.md',
    start: '| `cultural_context` |',
    limits: [LIMITS.culturalContextMin, LIMITS.culturalContextMax],
  },
  { file: 'PROTOCOL.md', start: '| `conversation_id` |', limits: [LIMITS.conversationIdMax] },
  { file: 'PROTOCOL.md', start: '| `turn_number` |', limits: [LIMITS.turnNumberMin] },
  {
    file: 'TRANSPORT.md',
    start: `- \`${IDEMPOTENCY_HEADER}\``,
    limits: [LIMITS.idempotencyKeyMax],
  },
  {
    file: 'TRANSPORT.md',
    start: '| `original_text` ',
    limits: [COMMON_HUB_LIMITS.originalTextUtf16, COMMON_HUB_LIMITS.bodyBytes / 1024],
  },
];

function checkLimit({ text, file }: Document, { start, limits }: Stated) {
  const lines = text.split('\n');
  const index = lines.findIndex((line) => line.startsWith(start));
  if (index < 0) return [{ file, line: 1, message: `no line begins with "${start}"` }];
  const prose = (lines[index] ?? '').replace(/`[^`]*`/g, ' ').replace(NUMBER_PHRASES, ' ');
  const found = new Set((prose.match(/\d[\d,]*/g) ?? []).map(parseNumber));
  if ([...found].join() === limits.join()) return [];
  const message = `"${start}" states ${[...found].join(', ')} instead of ${limits.join(', ')}`;
  return [{ file, line: index + 1, message }];
}

export const documentedLimits: Check = {
  id: 'documented-limits',
  run(set) {
    return STATED.flatMap((stated) =>
      listDocuments(set, stated.file).flatMap((document) => checkLimit(document, stated)),
    );
  },
};
