import { formatRule } from '../format-rule.ts';

export const length = formatRule('length');
