import { formatRule } from '../format-rule.ts';

export const range = formatRule('range');
