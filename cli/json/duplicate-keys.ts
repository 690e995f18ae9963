import type { JsonMember, JsonNode } from './outline-json.ts';
import { pointerTo } from './source-text.ts';

/**
 * Whether an object in the text has a key twice. JSON.parse keeps only the last of them, so
 * the text then has more keys than the value. Exact, and much cheaper than an outline.
 */
export function hasDuplicateKeys(text: string, value: unknown): boolean {
  return countColons(text) !== countKeys(value);
}

/** Deeper down a pointer leads only so far: at every level it could be longer by a whole key. */
const MAX_DEPTH = 100;

/** The second and later members of a name, wherever they are. */
export function findDuplicates(root: JsonNode): { member: JsonMember; pointer: string }[] {
  const found: { member: JsonMember; pointer: string }[] = [];
  const waiting = [{ node: root, pointer: '', depth: 0 }];
  for (let outer = waiting.pop(); outer !== undefined; outer = waiting.pop()) {
    const depth = outer.depth + 1;
    const { node, pointer } = outer;
    const extend = (key: string | number) =>
      depth > MAX_DEPTH ? pointer : pointerTo(pointer, key);
    const seen = new Set<string>();
    for (const member of node.members ?? []) {
      const inner = extend(member.key);
      if (seen.has(member.key)) found.push({ member, pointer: inner });
      seen.add(member.key);
      waiting.push({ node: member.value, pointer: inner, depth });
    }
    node.items?.forEach((item, index) => {
      waiting.push({ node: item, pointer: extend(index), depth });
    });
  }
  return found.sort((a, b) => a.member.keyStart - b.member.keyStart);
}

/** Colons outside strings; the text is known to be JSON. */
function countColons(text: string): number {
  let count = 0;
  let at = 0;
  for (;;) {
    const quote = text.indexOf('"', at);
    const stop = quote === -1 ? text.length : quote;
    for (; at < stop; at++) if (text.charCodeAt(at) === COLON) count++;
    if (quote === -1) return count;
    at = skipString(text, quote);
  }
}

const COLON = 58;
const BACKSLASH = 92;

function skipString(text: string, quote: number): number {
  let end = quote;
  for (;;) {
    end = text.indexOf('"', end + 1);
    let backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return end + 1;
  }
}

function countKeys(value: unknown): number {
  let count = 0;
  const waiting: unknown[] = typeof value === 'object' ? [value] : [];
  while (waiting.length > 0) {
    const current = waiting.pop();
    if (Array.isArray(current)) {
      for (const item of current) if (typeof item === 'object') waiting.push(item);
      continue;
    }
    // A loop over the keys makes no list of them.
    for (const key in current as object) {
      count++;
      const member = (current as Record<string, unknown>)[key];
      if (typeof member === 'object') waiting.push(member);
    }
  }
  return count;
}
