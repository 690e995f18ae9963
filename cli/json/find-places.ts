import { skipString, skipValue } from './skip-value.ts';

/** Where a value is in a text; of a member, also its key. */
export interface Place {
  start: number;
  end: number;
  key?: { start: number; end: number };
}

/** The values in a value whose places are wanted. */
type Wanted = Map<string, Wanted>;
interface FoundPlace extends Place {
  inner?: ReadonlyMap<string, FoundPlace>;
}

/** Shared, as most have nothing in them. */
const NOTHING: Wanted = new Map();
/** Deeper down the place of what is around a value has to do. */
const MAX_DEPTH = 1000;
const SPACE = /[ \t\n\r]*/y;

/**
 * The places that JSON pointers lead to, in a text that is known to be JSON. Of a text of any
 * size only these are kept. A pointer to nothing gets the last value on the way.
 */
export function findPlaces(text: string, pointers: readonly string[]): Place[] {
  const paths = pointers.map((it) => it.split('/').slice(1, MAX_DEPTH).map(unescapeToken));
  const wanted: Wanted = new Map();
  for (const path of paths) want(wanted, path);
  const root = readPlace(text, skipSpace(text, 0), wanted);
  return paths.map((path) => follow(root, path));
}

function want(wanted: Wanted, path: readonly string[]): void {
  let around = wanted;
  path.forEach((token, index) => {
    let inner = around.get(token) ?? NOTHING;
    if (inner === NOTHING && index < path.length - 1) inner = new Map();
    around.set(token, inner);
    around = inner;
  });
}

function follow(root: FoundPlace, path: readonly string[]): Place {
  let place = root;
  for (const token of path) {
    const inner = place.inner?.get(token);
    if (inner === undefined) break;
    place = inner;
  }
  return place;
}

function readPlace(text: string, start: number, wanted: Wanted): FoundPlace {
  const isObject = text[start] === '{';
  if (wanted.size === 0 || !(isObject || text[start] === '[')) {
    return { start, end: skipValue(text, start) };
  }
  // Of several members with one name JSON.parse keeps the last, and so does this.
  const inner = new Map<string, FoundPlace>();
  let at = skipSpace(text, start + 1);
  for (let index = 0; text[at] !== '}' && text[at] !== ']'; index++) {
    if (text[at] === ',') at = skipSpace(text, at + 1);
    const keyStart = at;
    const keyEnd = isObject ? skipString(text, at) : at;
    const token = isObject ? (JSON.parse(text.slice(at, keyEnd)) as string) : String(index);
    if (isObject) at = skipSpace(text, skipSpace(text, keyEnd) + 1);
    const deeper = wanted.get(token);
    if (deeper === undefined) at = skipValue(text, at);
    else {
      const place = readPlace(text, at, deeper);
      if (isObject) place.key = { start: keyStart, end: keyEnd };
      inner.set(token, place);
      at = place.end;
    }
    at = skipSpace(text, at);
  }
  return { start, end: at + 1, inner };
}

function skipSpace(text: string, at: number): number {
  SPACE.lastIndex = at;
  SPACE.test(text);
  return SPACE.lastIndex;
}

export function pointerTo(base: string, key: string | number): string {
  return `${base}/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

function unescapeToken(token: string): string {
  return token.replaceAll('~1', '/').replaceAll('~0', '~');
}
