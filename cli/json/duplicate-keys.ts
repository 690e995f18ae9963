import type { JsonMember, JsonNode } from './outline-json.ts';

/**
 * Whether an object in the text has a key twice. JSON.parse keeps only the last of them, so
 * the text then has more keys than the value. Exact, and much cheaper than an outline.
 */
export function hasDuplicateKeys(text: string, value: unknown): boolean {
  return countColons(text) !== countKeys(value);
}

/** The second and later members of a name, wherever they are. */
export function findDuplicates(root: JsonNode): { member: JsonMember; owner: JsonNode }[] {
  const found: { member: JsonMember; owner: JsonNode }[] = [];
  const waiting: JsonNode[] = [root];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    const seen = new Set<string>();
    for (const member of node.members ?? []) {
      if (seen.has(member.key)) found.push({ member, owner: node });
      seen.add(member.key);
      waiting.push(member.value);
    }
    for (const item of node.items ?? []) waiting.push(item);
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
  const waiting: unknown[] = [value];
  while (waiting.length > 0) {
    const current = waiting.pop();
    if (typeof current !== 'object' || current === null) continue;
    const members = Array.isArray(current) ? current : Object.values(current);
    if (members !== current) count += members.length;
    for (const member of members) if (typeof member === 'object') waiting.push(member);
  }
  return count;
}
