import type { Position } from '../diagnostics/finding.ts';

/** Of a line that is longer, this much on either side of the place is kept. */
const MAX_EXCERPT = 400;

/** Tells lines and columns of a text; `firstLine` is where it begins in its file. */
export interface SourceText {
  position(offset: number): Position;
  excerpt(offset: number): Excerpt;
}

/** The line around a place, without its line end; of a very long line only the part near it. */
interface Excerpt {
  excerpt: string;
  /** The column in which it begins. */
  excerptColumn: number;
}

export function createSourceText(text: string, firstLine = 1): SourceText {
  let starts: number[] | undefined;
  const lineStarts = () => {
    if (starts !== undefined) return starts;
    starts = [0];
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1))
      starts.push(at + 1);
    return starts;
  };
  return {
    position(offset) {
      const line = findLine(lineStarts(), offset);
      return { line: line + firstLine, column: offset - (lineStarts()[line] ?? 0) + 1 };
    },
    excerpt(offset) {
      const starts = lineStarts();
      const line = findLine(starts, offset);
      const lineStart = starts[line] ?? 0;
      const lineEnd = (starts[line + 1] ?? text.length + 1) - 1;
      const start = Math.max(lineStart, offset - MAX_EXCERPT);
      const shown = text.slice(start, Math.min(lineEnd, offset + MAX_EXCERPT)).replace(/\r$/, '');
      return { excerpt: copyText(shown), excerptColumn: start - lineStart + 1 };
    },
  };
}

/** The index of the last line that starts at or before the offset. */
function findLine(starts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The same text on its own: a slice keeps all of the text that it was cut from in memory. */
export function copyText(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le');
}
