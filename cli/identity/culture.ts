import { CliError } from '../errors.ts';
import { normaliseTag } from '../locale.ts';
import { CULTURE_PATTERN } from '../protocol/constants.ts';

const pattern = new RegExp(CULTURE_PATTERN);
/** What stands for a script in the name of a POSIX locale. */
const SCRIPTS: Readonly<Record<string, string>> = { latin: 'Latn', cyrillic: 'Cyrl' };
/** Codes that stand for no language, or for several. Versions of Intl leave `und` empty. */
const NO_LANGUAGES: readonly string[] = ['', 'und', 'mul', 'mis', 'zxx'];

/** `zh_CN`, `zh-Hans-CN` and `zh_CN.UTF-8` → `zh-CN`; nothing for what is no culture. */
export function normaliseCulture(text: string): string | undefined {
  const tag = normaliseTag(text);
  if (tag === undefined) return undefined;
  const [, modifier = ''] = text.trim().toLowerCase().split('@');
  const { language = 'und', script = SCRIPTS[modifier], region } = new Intl.Locale(tag);
  if (NO_LANGUAGES.includes(language)) return undefined;
  const short = region === undefined ? language : `${language}-${region}`;
  // The script is told only where it is not the one that everybody expects there.
  const isUsual = region !== undefined && new Intl.Locale(short).maximize().script === script;
  const culture = [language, ...(script && !isUsual ? [script] : []), ...(region ? [region] : [])];
  const joined = culture.join('-');
  return pattern.test(joined) && isKnown(language, region) ? joined : undefined;
}

/** What the user wrote for an option. */
export function parseCulture(option: string, text: string): string {
  const culture = normaliseCulture(text);
  if (culture !== undefined) return culture;
  const nearest = guessFromCountry(text);
  throw new CliError('bad-culture', { option, given: text, ...(nearest ? { nearest } : {}) });
}

/** `ja,en`; a blank is no comma, or two words of a sentence would be two languages. */
export function parseCultures(option: string, text: string): string[] {
  const parts = text.split(/[,，、]/).filter((part) => part.trim() !== '');
  if (parts.length === 0) parts.push('');
  return [...new Set(parts.map((part) => parseCulture(option, part)))];
}

/** Intl knows every language of two letters; of those with three it knows only some. */
function isKnown(language: string, region: string | undefined): boolean {
  const { script } = new Intl.Locale(language).maximize();
  if (script === undefined && language.length < 3) return false;
  if (region === undefined || /^\d/.test(region)) return true;
  const regions = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });
  return regions.of(region) !== undefined;
}

/** `jp` is a country; its language is `ja`. */
function guessFromCountry(text: string): string | undefined {
  const [, country] = /^(?:[a-z]{2,3}[-_])?([a-z]{2})$/i.exec(text.trim()) ?? [];
  if (country === undefined) return undefined;
  const { language } = new Intl.Locale(`und-${country}`).maximize();
  return language === undefined || language === 'und' || language === 'en'
    ? undefined
    : normaliseCulture(`${language}-${country}`);
}
