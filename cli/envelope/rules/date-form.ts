import { formatRule } from '../format-rule.ts';

export const dateForm = formatRule('date-form');
