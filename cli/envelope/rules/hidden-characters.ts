import { textRule } from '../rule.ts';

// Controls other than tab and line ends, zero-width and bidirectional marks, tags. Not the
// joiners that emoji and Indic scripts need.
const HIDDEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the purpose
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/u;

export const hiddenCharacters = textRule(
  'hidden-characters',
  'warning',
  ['original_text', 'cultural_context', 'sender_id', 'conversation_id'],
  (text) => {
    const code = HIDDEN.exec(text)?.[0].codePointAt(0);
    if (code === undefined) return undefined;
    return { args: { character: `U+${code.toString(16).toUpperCase().padStart(4, '0')}` } };
  },
);
