/** Where a text stops being JSON5. Lines and columns count from 1. */
export class Json5Error extends Error {
  readonly line: number;
  readonly column: number;

  constructor(text: string, position: number) {
    const before = text.slice(0, position).split(/\r\n|[\n\r\u2028\u2029]/);
    super('not JSON5');
    this.line = before.length;
    this.column = (before.at(-1) ?? '').length + 1;
  }
}

const SPACE = /(?:[\s\ufeff]|\/\/[^\n\r\u2028\u2029]*|\/\*[\s\S]*?\*\/)*/y;
const NUMBER =
  /[+-]?(?:Infinity|NaN|0[xX][\da-fA-F]+|(?:(?:0|[1-9]\d*)(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)/y;
const NAME =
  /(?:[$_\p{ID_Start}]|\\u[\da-fA-F]{4})(?:[$\u200c\p{ID_Continue}]|\u200d|\\u[\da-fA-F]{4})*/uy;
const WORD = /true|false|null/y;
// A backslash before a line's end joins the lines; before anything else it escapes it.
const STRING = /"(?:[^"\\\n\r]|\\(?:\r\n|[\s\S]))*"|'(?:[^'\\\n\r]|\\(?:\r\n|[\s\S]))*'/y;
const ESCAPE = /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|(\r\n|0\d|[\s\S]))/g;
const LETTERS: Readonly<Record<string, string>> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '0': '\0',
  '\n': '',
  '\r': '',
  '\r\n': '',
  '\u2028': '',
  '\u2029': '',
};
const WORDS: Readonly<Record<string, unknown>> = { true: true, false: false, null: null };
/** Deeper than any config; without an end we would run out of stack. */
const MAX_DEPTH = 200;

/** The value of a JSON5 text: JSON with comments, trailing commas, bare names and single quotes. */
export function parseJson5(text: string): unknown {
  let position = 0;

  const fail = (at = position): never => {
    throw new Json5Error(text, at);
  };
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = position;
    const found = pattern.exec(text)?.[0];
    position += found?.length ?? 0;
    return found;
  };
  const skipSpace = () => {
    take(SPACE);
  };
  const takeCharacter = (character: string): boolean => {
    if (text[position] !== character) return false;
    position++;
    return true;
  };

  const readString = (): string | undefined => {
    const start = position;
    const quoted = take(STRING)?.slice(1, -1);
    if (quoted === undefined || !quoted.includes('\\')) return quoted;
    return quoted.replace(ESCAPE, (_, hex?: string, unicode?: string, letter = '') => {
      const code = hex ?? unicode;
      if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
      if (/^(?:[1-9xu]|0\d)/.test(letter)) fail(start);
      return LETTERS[letter] ?? letter;
    });
  };

  /** Items with commas between them, the last of which may be followed by one. */
  const readItems = <Item>(end: string, readItem: () => Item): Item[] => {
    const items: Item[] = [];
    for (;;) {
      skipSpace();
      if (takeCharacter(end)) return items;
      items.push(readItem());
      skipSpace();
      if (!takeCharacter(',') && text[position] !== end) fail();
    }
  };

  const readMember = (depth: number): [string, unknown] => {
    const name = readString() ?? take(NAME)?.replace(ESCAPE, unescapeUnicode) ?? fail();
    skipSpace();
    if (!takeCharacter(':')) fail();
    return [name, readValue(depth)];
  };

  const readValue = (depth: number): unknown => {
    if (depth > MAX_DEPTH) fail();
    skipSpace();
    // `fromEntries` makes a member of every name, `__proto__` too.
    if (takeCharacter('{')) {
      return Object.fromEntries(readItems('}', () => readMember(depth + 1)));
    }
    if (takeCharacter('[')) return readItems(']', () => readValue(depth + 1));
    const string = readString();
    if (string !== undefined) return string;
    const word = take(WORD) ?? take(NUMBER) ?? fail();
    // A word ends where it ends: `nullable` is none, nor is `0123`.
    if (/[$\w\\]/.test(text[position] ?? ' ')) fail();
    return word in WORDS ? WORDS[word] : toNumber(word);
  };

  const value = readValue(0);
  skipSpace();
  return position === text.length ? value : fail();
}

function unescapeUnicode(_: string, __?: string, unicode = ''): string {
  return String.fromCharCode(Number.parseInt(unicode, 16));
}

function toNumber(text: string): number {
  const sign = text.startsWith('-') ? -1 : 1;
  return sign * Number(text.replace(/^[+-]/, ''));
}
