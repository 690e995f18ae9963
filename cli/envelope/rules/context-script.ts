import { CULTURE_PATTERN } from '../../protocol/constants.ts';
import { textRule } from '../rule.ts';

const pattern = new RegExp(CULTURE_PATTERN);

/** Scripts that Intl names as one but that write with several, or under another name. */
const LETTERS: Readonly<Record<string, RegExp>> = {
  Hans: /\p{Script=Han}/gu,
  Hant: /\p{Script=Han}|\p{Script=Bopomofo}/gu,
  Jpan: /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}/gu,
  Kore: /\p{Script=Hangul}|\p{Script=Han}/gu,
};
const ENOUGH = 5;
const known = new Map<string, RegExp | undefined>();

export const contextScript = textRule(
  'context-script',
  'warning',
  ['cultural_context'],
  (text, { value }) => {
    const { sender_culture: tag } = value;
    if (typeof tag !== 'string' || !pattern.test(tag)) return undefined;
    const letters = lettersOf(tag);
    const all = text.match(/\p{L}/gu)?.length ?? 0;
    if (letters === undefined || all < ENOUGH) return undefined;
    const own = text.match(letters)?.length ?? 0;
    // Names and quotations may be in another script; hardly anything in one's own is odd.
    return own * 5 < all ? { args: { culture: tag } } : undefined;
  },
);

function lettersOf(tag: string): RegExp | undefined {
  if (known.has(tag)) return known.get(tag);
  const letters = findLetters(new Intl.Locale(tag).maximize().script);
  if (known.size < 1000) known.set(tag, letters);
  return letters;
}

function findLetters(script: string | undefined): RegExp | undefined {
  if (script === undefined) return undefined;
  try {
    return LETTERS[script] ?? new RegExp(`\\p{Script=${script}}`, 'gu');
  } catch {
    return undefined; // a script the regular expressions do not know
  }
}
