import { textRule } from '../rule.ts';

export const slashCommand = textRule('slash-command', 'warning', ['original_text'], (text) =>
  /^\s*\/[a-z][\w-]*\s*$/i.test(text) ? { args: { given: text.trim() } } : undefined,
);
