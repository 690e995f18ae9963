/** Where the text stops being JSON, and what should have been there. */
interface JsonSyntaxProblem {
  offset: number;
  expected: Expectation;
}

export type Expectation =
  | 'value'
  | 'key'
  | 'colon'
  | 'comma-or-brace'
  | 'comma-or-bracket'
  | 'end'
  | 'string-end'
  | 'escape';

class Unexpected extends Error {
  readonly problem: JsonSyntaxProblem;
  constructor(offset: number, expected: Expectation) {
    super(expected);
    this.problem = { offset, expected };
  }
}

const SPACE = /[ \t\n\r]*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const LITERAL = /true|false|null/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids them inside strings
const PLAIN_CHARACTERS = /[^"\\\u0000-\u001f]*/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

/** JSON.parse says it differently in every version of Node. Nesting costs no stack. */
export function findSyntaxProblem(text: string): JsonSyntaxProblem | undefined {
  try {
    new Reader(text).run();
    return undefined;
  } catch (error) {
    if (error instanceof Unexpected) return error.problem;
    throw error;
  }
}

class Reader {
  readonly #text: string;
  #at = 0;
  /** What closes each object and array that is open. */
  readonly #open: ('}' | ']')[] = [];
  #isFirst = false;

  constructor(text: string) {
    this.#text = text;
  }

  run(): void {
    this.#skip(SPACE);
    this.#begin();
    while (this.#open.length > 0) this.#continue();
    this.#skip(SPACE);
    if (this.#at < this.#text.length) throw new Unexpected(this.#at, 'end');
  }

  /** Reads a whole scalar, or the opening of an object or array. */
  #begin(): void {
    const character = this.#text[this.#at];
    this.#isFirst = character === '{' || character === '[';
    if (this.#isFirst) {
      this.#at++;
      this.#open.push(character === '{' ? '}' : ']');
    } else if (character === '"') this.#readString();
    else if (!this.#skip(LITERAL) && !this.#skip(NUMBER)) throw new Unexpected(this.#at, 'value');
  }

  /** Goes on in the innermost open object or array. */
  #continue(): void {
    const close = this.#open.at(-1);
    this.#skip(SPACE);
    if (this.#text[this.#at] === close) {
      this.#at++;
      this.#open.pop();
      this.#isFirst = false;
      return;
    }
    if (!this.#isFirst) {
      this.#expect(',', close === '}' ? 'comma-or-brace' : 'comma-or-bracket');
      this.#skip(SPACE);
    }
    if (close === '}') {
      if (this.#text[this.#at] !== '"') throw new Unexpected(this.#at, 'key');
      this.#readString();
      this.#skip(SPACE);
      this.#expect(':', 'colon');
      this.#skip(SPACE);
    }
    this.#begin();
  }

  #readString(): void {
    this.#at++;
    for (;;) {
      this.#skip(PLAIN_CHARACTERS);
      const character = this.#text[this.#at];
      if (character === '"') {
        this.#at++;
        return;
      }
      if (character !== '\\') throw new Unexpected(this.#at, 'string-end');
      if (!this.#skip(ESCAPE)) throw new Unexpected(this.#at, 'escape');
    }
  }

  #expect(character: string, expected: Expectation): void {
    if (this.#text[this.#at] !== character) throw new Unexpected(this.#at, expected);
    this.#at++;
  }

  #skip(pattern: RegExp): boolean {
    const start = this.#at;
    pattern.lastIndex = start;
    if (pattern.test(this.#text)) this.#at = pattern.lastIndex;
    return this.#at > start;
  }
}
