import { textRule } from '../rule.ts';

// Controls other than tab and line ends, zero-width and bidirectional marks, tags.
const HIDDEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the purpose
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/u;

/**
 * Flags such as Scotland's, where words may be parted in scripts that have no spaces, and the
 * joiners that emoji and many scripts need; within an English word nothing needs one.
 */
const AT_HOME =
  /\u{1f3f4}[\u{e0030}-\u{e007a}]{3,6}\u{e007f}|(?<=[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff])\u200b|(?<![a-z\u200c\u200d])[\u200c\u200d]|[\u200c\u200d](?![a-z\u200c\u200d])/giu;
const RIGHT_TO_LEFT = /[\u0590-\u0618\u061d-\u08ff]/;
/** What keeps a full stop or a name on its side in such a text. */
const DIRECTIONS = /[\u061c\u200e\u200f]/g;

export const hiddenCharacters = textRule(
  'hidden-characters',
  'warning',
  ['original_text', 'cultural_context', 'sender_id', 'conversation_id'],
  (text) => {
    if (!HIDDEN.test(text)) return undefined;
    const strange = text.replace(AT_HOME, '');
    const left = RIGHT_TO_LEFT.test(strange) ? strange.replace(DIRECTIONS, '') : strange;
    const code = HIDDEN.exec(left)?.[0].codePointAt(0);
    if (code === undefined) return undefined;
    return { args: { character: `U+${code.toString(16).toUpperCase().padStart(4, '0')}` } };
  },
);
