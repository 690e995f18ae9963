import { CULTURE_PATTERN } from '../../protocol/constants.ts';
import { textRule } from '../rule.ts';

const pattern = new RegExp(CULTURE_PATTERN);

// By their first letter. Asking Intl for the names of regions would take 20 ms.
const REGIONS =
  'ADEFGILMOQRSTUWXZ BABDEFGHIJLMNOQRSTVWYZ CACDFGHIKLMNORUVWXYZ DEJKMOZ ECEGHRST FIJKMOR GABDEFGHILMNPQRSTUWY HKMNRTU IDELMNOQRST JEMOP KEGHIMNPRWYZ LABCIKRSTUVY MACDEFGHKLMNOPQRSTUVWXYZ NACEFGILOPRUZ OM PAEFGHKLMNRSTWY QA REOSUW SABCDEGHIJKLMNORSTVXYZ TCDFGHJKLMNORTVWZ UAGMSYZ VACEGINU WFS XK YET ZAMW';
const regions = new Set(
  REGIONS.split(' ').flatMap(([first, ...others]) => others.map((it) => `${first}${it}`)),
);
const judged = new Map<string, boolean>();

/** Well formed, but of a language or region that nobody knows: most often a slip. */
export const unknownCulture = textRule('unknown-culture', 'warning', ['sender_culture'], (tag) => {
  if (!pattern.test(tag)) return undefined;
  let isKnown = judged.get(tag);
  if (isKnown === undefined) {
    isKnown = judge(tag);
    if (judged.size < 1000) judged.set(tag, isKnown);
  }
  return isKnown ? undefined : { args: { given: tag } };
});

function judge(tag: string): boolean {
  const { language, region } = new Intl.Locale(tag);
  // `und`, "undetermined", is no language, and to Intl an empty one.
  if (tag.startsWith('und')) return false;
  // Intl knows the usual script of every language it knows.
  if (new Intl.Locale(language).maximize().script === undefined) return false;
  return region === undefined || /^\d/.test(region) || regions.has(region);
}
