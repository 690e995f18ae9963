import { type Place, pointerTo } from './find-places.ts';
import { skipString } from './skip-value.ts';

/**
 * Whether an object in the text has a key twice. JSON.parse keeps only the last of them, so
 * the text then has more keys than the value. Exact, and much cheaper than to look for them.
 */
export function hasDuplicateKeys(text: string, value: unknown): boolean {
  return countColons(text) !== countKeys(value);
}

export interface Duplicate {
  name: string;
  pointer: string;
  place: Place;
}

/** An object or array that is open: where in it we are, and the names before. */
interface Level {
  at: string | number | undefined;
  isObject: boolean;
  names?: Set<string>;
}

/** The second and later members of a name; text known to be JSON. */
export function* findDuplicates(text: string): Generator<Duplicate> {
  const open: Level[] = [];
  const next = /["{}[\],]/g;
  for (let found = next.exec(text); found !== null; found = next.exec(text)) {
    const [character] = found;
    const level = open.at(-1);
    if (character === '{') open.push({ at: undefined, isObject: true });
    else if (character === '[') open.push({ at: 0, isObject: false });
    else if (character === '}' || character === ']') open.pop();
    else if (character === ',') {
      if (typeof level?.at === 'number') level.at++;
    } else {
      const place = { start: found.index, end: skipString(text, found.index) };
      next.lastIndex = place.end;
      COLON_NEXT.lastIndex = place.end;
      if (!level?.isObject || !COLON_NEXT.test(text)) continue;
      const name = JSON.parse(text.slice(place.start, place.end)) as string;
      const isAgain = level.at === name || level.names?.has(name);
      // The first name of many objects is the only one: it needs no set.
      if (typeof level.at === 'string')
        level.names = (level.names ?? new Set([level.at])).add(name);
      level.at = name;
      if (isAgain) yield { name, pointer: pointerOf(open), place };
    }
  }
}

const COLON_NEXT = /[ \t\n\r]*:/y;
/** Deeper down a pointer leads only so far: at every level it could be longer by a whole key. */
const MAX_DEPTH = 100;

function pointerOf(open: readonly Level[]): string {
  return open.slice(0, MAX_DEPTH).reduce((base, { at = '' }) => pointerTo(base, at), '');
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
