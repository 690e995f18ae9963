import pc from 'picocolors';

export type Environment = Readonly<Record<string, string | undefined>>;

/** As much of a Node stream as output needs. */
export interface OutputStream {
  write(text: string): unknown;
  isTTY?: boolean | undefined;
  columns?: number | undefined;
}

export type Colors = ReturnType<typeof pc.createColors>;

/** Colours for one stream: NO_COLOR wins, FORCE_COLOR comes next, then whether it is a terminal. */
export function createColors(stream: OutputStream, env: Environment): Colors {
  if (env.NO_COLOR) return pc.createColors(false);
  if (env.FORCE_COLOR) return pc.createColors(env.FORCE_COLOR !== '0');
  return pc.createColors(Boolean(stream.isTTY) && env.TERM !== 'dumb');
}

// C0 and C1 controls, and the characters that reorder or hide text. Tab and line feed stay.
const UNSAFE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the purpose
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Text from outside, made safe to show: control characters become visible escapes. */
export function stripControls(text: string): string {
  return text.replace(
    UNSAFE,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Columns a text takes on a terminal: East Asian wide characters take two. */
export function measureWidth(text: string): number {
  let width = 0;
  for (const character of text) width += WIDE.test(character) ? 2 : 1;
  return width;
}

const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6]|[\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;
