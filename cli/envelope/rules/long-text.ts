import { COMMON_HUB_LIMITS } from '../../protocol/constants.ts';
import { textRule } from '../rule.ts';

export const longText = textRule('long-text', 'warning', ['original_text'], (text) =>
  text.length > COMMON_HUB_LIMITS.originalTextUtf16
    ? { args: { length: text.length, max: COMMON_HUB_LIMITS.originalTextUtf16 } }
    : undefined,
);
