/** A value with its place in the text. Offsets count UTF-16 units. */
export interface JsonNode {
  start: number;
  end: number;
  members?: JsonMember[];
  items?: JsonNode[];
}

export interface JsonMember {
  key: string;
  keyStart: number;
  keyEnd: number;
  value: JsonNode;
}

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

export type JsonOutline = { root: JsonNode } | { problem: JsonSyntaxProblem };

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

/**
 * The places of all values of a JSON text. JSON.parse is many times as fast but tells no
 * places: this runs only for texts in which something is wrong. Nesting costs no stack.
 */
export function outlineJson(text: string): JsonOutline {
  try {
    return { root: new Outliner(text).run() };
  } catch (error) {
    if (error instanceof Unexpected) return { problem: error.problem };
    throw error;
  }
}

class Outliner {
  readonly #text: string;
  #at = 0;
  readonly #open: JsonNode[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  run(): JsonNode {
    this.#skip(SPACE);
    const root = this.#begin();
    let last = root;
    while (this.#open.length > 0) last = this.#continue(last);
    this.#skip(SPACE);
    if (this.#at < this.#text.length) throw new Unexpected(this.#at, 'end');
    return root;
  }

  /** Reads a whole scalar, or the opening of an object or array. */
  #begin(): JsonNode {
    const start = this.#at;
    const character = this.#text[start];
    if (character === '{' || character === '[') {
      this.#at++;
      const node: JsonNode = { start, end: start };
      if (character === '{') node.members = [];
      else node.items = [];
      this.#open.push(node);
      return node;
    }
    if (character === '"') this.#readString();
    else if (!this.#skip(LITERAL) && !this.#skip(NUMBER)) throw new Unexpected(start, 'value');
    return { start, end: this.#at };
  }

  /** Goes on in the innermost open object or array, after `last` was begun or ended in it. */
  #continue(last: JsonNode): JsonNode {
    const container = this.#open.at(-1) as JsonNode;
    const close = container.members ? '}' : ']';
    const isFirst = last === container;
    this.#skip(SPACE);
    if (this.#text[this.#at] === close) {
      this.#at++;
      container.end = this.#at;
      this.#open.pop();
      return container;
    }
    if (!isFirst) {
      const expected = container.members ? 'comma-or-brace' : 'comma-or-bracket';
      this.#expect(',', expected);
      this.#skip(SPACE);
    }
    if (container.items) {
      const node = this.#begin();
      container.items.push(node);
      return node;
    }
    const keyStart = this.#at;
    if (this.#text[keyStart] !== '"') throw new Unexpected(keyStart, 'key');
    this.#readString();
    const keyEnd = this.#at;
    this.#skip(SPACE);
    this.#expect(':', 'colon');
    this.#skip(SPACE);
    const key = JSON.parse(this.#text.slice(keyStart, keyEnd)) as string;
    const member: JsonMember = { key, keyStart, keyEnd, value: this.#begin() };
    container.members?.push(member);
    return member.value;
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
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0] ?? '';
    this.#at += found.length;
    return found !== '';
  }
}
