import type { Position } from '../diagnostics/finding.ts';
import type { JsonNode } from './outline-json.ts';

const MAX_EXCERPT = 400;

/** Tells lines and columns of a text; `firstLine` is where it begins in its file. */
export interface SourceText {
  position(offset: number): Position;
  /** The line around an offset; of a very long line only the part near it. */
  excerpt(offset: number): string;
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
      const start = lineStarts()[findLine(lineStarts(), offset)] ?? 0;
      const lineEnd = text.indexOf('\n', start);
      const line = text.slice(start, lineEnd === -1 ? text.length : lineEnd);
      return line.slice(0, Math.max(MAX_EXCERPT, offset - start + MAX_EXCERPT)).replace(/\r$/, '');
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

/** The text that a pointer leads to: of a member, with its key. */
export interface Place {
  start: number;
  end: number;
  key?: { start: number; end: number };
}

/** Follows a JSON pointer; where it leads to nothing, the last value on the way. */
export function locate(root: JsonNode, pointer: string): Place {
  let place: Place = { start: root.start, end: root.end };
  let node: JsonNode | undefined = root;
  for (const token of pointer.split('/').slice(1).map(unescapeToken)) {
    // Of several members with one name JSON.parse keeps the last.
    const member: { keyStart: number; keyEnd: number; value: JsonNode } | undefined =
      node?.members?.findLast(({ key }) => key === token);
    node = member?.value ?? node?.items?.[Number(token)];
    if (node === undefined) return place;
    place = { start: node.start, end: node.end };
    if (member !== undefined) place.key = { start: member.keyStart, end: member.keyEnd };
  }
  return place;
}

export function pointerTo(base: string, key: string | number): string {
  return `${base}/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

function unescapeToken(token: string): string {
  return token.replaceAll('~1', '/').replaceAll('~0', '~');
}
