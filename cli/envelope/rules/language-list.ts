import { CULTURE_PATTERN } from '../../protocol/constants.ts';
import type { Rule } from '../rule.ts';

const pattern = new RegExp(CULTURE_PATTERN);

export const languageList: Rule = {
  id: 'language-list',
  severity: 'error',
  kinds: ['card'],
  *check({ value }) {
    const { supported_languages: languages } = value;
    if (!Array.isArray(languages)) return;
    if (languages.every((tag) => typeof tag === 'string' && pattern.test(tag))) return;
    yield { field: 'supported_languages', args: {} };
  },
};
