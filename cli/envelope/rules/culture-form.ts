import { CULTURE_PATTERN } from '../../protocol/constants.ts';
import { formatRule } from '../format-rule.ts';

/** `zh-cn` and `zh_CN` can only mean `zh-CN`. */
export const cultureForm = formatRule('culture-form', (value) => {
  try {
    const [tag = ''] = Intl.getCanonicalLocales(String(value).replaceAll('_', '-'));
    return new RegExp(CULTURE_PATTERN).test(tag) ? { replaceWith: tag } : undefined;
  } catch {
    return undefined;
  }
});
