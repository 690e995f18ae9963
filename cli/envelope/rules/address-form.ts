import { formatRule } from '../format-rule.ts';

export const addressForm = formatRule('address-form');
