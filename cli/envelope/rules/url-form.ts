import { formatRule } from '../format-rule.ts';

export const urlForm = formatRule('url-form');
