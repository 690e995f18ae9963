import { CULTURE_PATTERN } from '../../protocol/constants.ts';
import { textRule } from '../rule.ts';

const pattern = new RegExp(CULTURE_PATTERN);

/** Scripts that Intl names as one but that write with several, or under another name. */
const SCRIPTS: Readonly<Record<string, string>> = {
  Hans: '\\p{Script=Han}',
  Hant: '\\p{Script=Han}\\p{Script=Bopomofo}',
  Jpan: '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}',
  Kore: '\\p{Script=Hangul}\\p{Script=Han}',
};
const ENOUGH = 5;
/** More is not needed to tell a script, and a text can be of any length. */
const MAX_LOOKED_AT = 2000;

interface Letters {
  own: RegExp;
  foreign: RegExp;
}
const known = new Map<string, Letters | undefined>();

export const contextScript = textRule(
  'context-script',
  'warning',
  ['cultural_context'],
  (whole, { value }) => {
    const text = whole.slice(0, MAX_LOOKED_AT);
    const { sender_culture: tag } = value;
    if (typeof tag !== 'string') return undefined;
    const letters = lettersOf(tag);
    const foreign = letters ? (text.match(letters.foreign)?.length ?? 0) : 0;
    if (letters === undefined || foreign < ENOUGH) return undefined;
    const own = text.match(letters.own)?.length ?? 0;
    // Names and quotations may be in another script; hardly anything in one's own is odd.
    return own * 4 < foreign ? { args: { culture: tag } } : undefined;
  },
);

function lettersOf(tag: string): Letters | undefined {
  if (known.has(tag)) return known.get(tag);
  const letters = pattern.test(tag)
    ? findLetters(new Intl.Locale(tag).maximize().script)
    : undefined;
  if (known.size < 1000) known.set(tag, letters);
  return letters;
}

function findLetters(script: string | undefined): Letters | undefined {
  if (script === undefined) return undefined;
  const set = SCRIPTS[script] ?? `\\p{Script=${script}}`;
  try {
    return {
      own: new RegExp(`[${set}]`, 'gu'),
      foreign: new RegExp(`(?![${set}])\\p{L}`, 'gu'),
    };
  } catch {
    return undefined; // a script the regular expressions do not know
  }
}
