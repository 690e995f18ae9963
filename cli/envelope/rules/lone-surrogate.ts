import { textRule } from '../rule.ts';

export const loneSurrogate = textRule(
  'lone-surrogate',
  'warning',
  ['original_text', 'cultural_context', 'conversation_id'],
  (text) => (text.isWellFormed() ? undefined : {}),
);
