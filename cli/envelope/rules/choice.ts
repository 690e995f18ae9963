import { formatRule } from '../format-rule.ts';

export const choice = formatRule('choice');
