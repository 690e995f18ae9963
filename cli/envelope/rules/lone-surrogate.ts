import { textRule } from '../rule.ts';

const LONE = /\p{Surrogate}/u;

export const loneSurrogate = textRule(
  'lone-surrogate',
  'warning',
  ['original_text', 'cultural_context', 'conversation_id'],
  (text) => (LONE.test(text) ? {} : undefined),
);
