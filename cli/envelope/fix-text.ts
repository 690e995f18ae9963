import { type Edit, planEdits, type TextOptions } from './check-text.ts';
import { detectKind } from './kinds.ts';

type Detect = NonNullable<TextOptions['detect']>;

/** One repair may lay open the next, but not for ever. */
const MAX_ROUNDS = 5;
const BYTE_ORDER_MARK = '\ufeff';

/** Repairs what has one right answer; every other character stays as it is. */
export function fixText(text: string, isLines: boolean, detect: Detect = detectKind): string {
  const plain = text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
  if (!isLines) return fixDocument(plain, detect);
  // With their line ends, so that these stay too.
  const lines = plain.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  return lines.map((line) => fixDocument(line, detect)).join('');
}

function fixDocument(text: string, detect: Detect): string {
  let fixed = text;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const edits = planEdits(fixed, { detect });
    if (edits.length === 0) break;
    fixed = applyEdits(fixed, edits);
  }
  return fixed;
}

function applyEdits(text: string, edits: readonly Edit[]): string {
  let result = '';
  let at = 0;
  for (const { start, end, text: replacement } of edits.toSorted((a, b) => a.start - b.start)) {
    if (start < at) continue; // in the way of another; the next round sees to it
    result += text.slice(at, start) + replacement;
    at = end;
  }
  return result + text.slice(at);
}
