export type Environment = Readonly<Record<string, string | undefined>>;

type Style = (text: string) => string;
export type Colors = Readonly<Record<'bold' | 'dim' | 'red' | 'green' | 'cyan', Style>>;

const unstyled: Style = (text) => text;
export const PLAIN: Colors = {
  bold: unstyled,
  dim: unstyled,
  red: unstyled,
  green: unstyled,
  cyan: unstyled,
};

/** Where text goes; whether a person reads it there, and how. */
export interface OutputStream {
  write(text: string): void;
  /** Whether the reader has left: what is written now is lost. */
  readonly isClosed?: boolean;
  readonly isTTY: boolean;
  readonly columns: number | undefined;
  readonly colors: Colors;
}

/** NO_COLOR wins, FORCE_COLOR comes next, then whether it is a terminal. */
export function wantsColors(isTTY: boolean, env: Environment): boolean {
  if (env.NO_COLOR) return false;
  if (env.FORCE_COLOR) return env.FORCE_COLOR !== '0';
  return isTTY && env.TERM !== 'dumb';
}

// C0 and C1 controls, and the characters that reorder or hide text. Tab and line feed stay.
const UNSAFE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the purpose
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Text from outside, made safe to show: control characters become visible escapes. */
export function stripControls(text: string): string {
  return text.replace(
    UNSAFE,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** A JSON document; the characters that a terminal acts on are escaped, and JSON reads them back. */
export function printJson(value: unknown): string {
  return `${stripControls(JSON.stringify(value, null, 2))}\n`;
}

/** The same on one line, for output that is a document for each line. */
export function printJsonLine(value: unknown): string {
  return `${stripControls(JSON.stringify(value))}\n`;
}

/** Columns a text takes on a terminal: East Asian wide characters take two. */
export function measureWidth(text: string): number {
  let width = 0;
  for (const character of text) width += WIDE.test(character) ? 2 : 1;
  return width;
}

/** Breaks text into lines of at most `width` columns, between words or between wide characters. */
export function wrapText(text: string, width: number): string {
  return text
    .split('\n')
    .map((line) => wrapLine(line, width))
    .join('\n');
}

function wrapLine(line: string, width: number): string {
  const lines: string[] = [];
  let current = '';
  for (const piece of line.match(PIECES) ?? []) {
    if (current !== '' && measureWidth(current + piece.trimEnd()) > width) {
      lines.push(current.trimEnd());
      current = '';
    }
    current += piece;
  }
  return [...lines, current.trimEnd()].join('\n');
}

// A word with the space after it, or a wide character with the punctuation that must not begin a line.
const PIECES =
  /[\u2e80-\uffe6][，。、；：！？）》”]*\s*|[^\s\u2e80-\uffe6]+[，。、；：！？）》”]*\s*|\s+/gu;

const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6]|[\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;
