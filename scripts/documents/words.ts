/**
 * What the documents say in words, in every language that is shipped. A new
 * language adds its words here; whatever it does not translate is found as is.
 */
export const RETRY_WORDS = {
  no: ['no', '否'],
  later: ['later', '稍后'],
  yes: ['yes', '是'],
} as const;

export const KEY_WORDS = {
  none: ['none', '无'],
  agent: ['agent', '智能体'],
  'agent or operator': ['agent or operator', '智能体或运营者'],
  operator: ['operator', '运营者'],
  'own or operator': ["that agent's or operator", '该智能体或运营者'],
} as const;

/** Every language keeps the key words of RFC 2119 in English. */
export const REQUIREMENT_WORDS =
  /\b(?:(?:MUST|SHOULD|SHALL)(?:\s+NOT)?|MAY|(?:NOT\s+)?RECOMMENDED|REQUIRED|OPTIONAL)\b/g;

export const SECTION_REFERENCE = /\bsections?\s+(\d+)|第\s*(\d+)\s*节/g;

const RANGE = String.raw`(\d[\d,]*)(?:\s*(?:to|到|–)\s*(\d[\d,]*))?\s*`;
/** A number with the unit of a limit, or two of them with "to" between. */
export const LIMIT_PHRASES = {
  characters: new RegExp(`${RANGE}(?:characters?|个字符)`, 'g'),
  utf16: new RegExp(`${RANGE}(?:个\\s*)?UTF-16`, 'g'),
  kibibytes: new RegExp(`${RANGE}KiB`, 'g'),
  turns: /(?:integer, at least|整数，至少为)\s*(\d+)/g,
} as const;
export type LimitUnit = keyof typeof LIMIT_PHRASES;
