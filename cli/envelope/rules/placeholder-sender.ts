import { textRule } from '../rule.ts';

const PLACEHOLDERS =
  /\.example$|^(your-name|name|agent|me|you|alice|bob)@|@(host|hub|example(\.(com|org|net))?)$/i;

export const placeholderSender = textRule(
  'placeholder-sender',
  'warning',
  ['sender_id'],
  // In an example an example's name is right.
  (text, { parent }) =>
    parent?.kind !== 'example' && PLACEHOLDERS.test(text) ? { args: { given: text } } : undefined,
);
