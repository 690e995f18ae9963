import { describe, expect, it } from 'vitest';
import {
  createFindingWording,
  FINDING_CATALOGUES,
} from '../../cli/diagnostics/wording/finding-wording.ts';
import { checkDocument, type LocatedProblem } from '../../cli/envelope/check-document.ts';
import { detectKind } from '../../cli/envelope/kinds.ts';
import { RULES, TEXT_RULES } from '../../cli/envelope/rules.ts';
import type { ErrorArgs } from '../../cli/errors.ts';
import { UI_LANGUAGES } from '../../cli/wording/wording.ts';

const ruleIds = [...RULES, ...TEXT_RULES].map(({ id }) => id).sort();
const placeholders = (text: string) => [...new Set(text.match(/\{[a-zA-Z]+\}/g))].sort();
const flatten = (value: object, path = ''): [string, string][] =>
  Object.entries(value).flatMap(([key, it]) =>
    typeof it === 'string' ? [[`${path}${key}`, it]] : flatten(it, `${path}${key}.`),
  );
const english = Object.fromEntries(flatten(FINDING_CATALOGUES.en));

const envelope = {
  chorus_version: '0.4',
  sender_id: 'mei@hub.test',
  original_text: '好的',
  sender_culture: 'zh-CN',
};
/** Between them they break every rule about a value. */
const BROKEN: object[] = [
  { ...envelope, chorus_version: '0.3', original_text: undefined, original_semantic: 'x' },
  { chorus_version: '0.4', sender_id: 'mei', orginal_text: 'x', sender_culture: 'zh_CN' },
  { chorus_version: '0.4', original_text: '', turn_number: 0, receiver_id: 'a@b' },
  { ...envelope, sender_id: 'you@hub', original_text: '/new', sender_culture: 'xx-QX' },
  { ...envelope, turn_number: '1', conversation_id: 'c\u200b', mood: 1 },
  { ...envelope, original_text: '[chorus_reply] \ud800', turn_numbr: 2 },
  { ...envelope, conversation_id: 'c', cultural_context: 'politely refused' },
  { ...envelope, original_text: 'a'.repeat(10_001) },
  {
    user_input: 'x',
    envelope: { ...envelope, cultural_context: '委婉地拒绝，不想让对方难堪。' },
    adapted_output: { receiver_culture: 'zh-CN' },
  },
  { ts: 'today', dir: 'up', peer: 'mei@hub.test', envelope },
  { agent_id: 'mei@hub.test', api_key: 'secret', hub_url: 'hub.test' },
  { chorus_version: '0.2', user_culture: 'ja', supported_languages: ['Japanese'] },
  { status: 'error' },
  { parts: [] },
];
const TEXT_ARGS: Record<(typeof TEXT_RULES)[number]['id'], ErrorArgs> = {
  'json-syntax': { expected: 'key', found: '}' },
  'invalid-utf8': {},
  'duplicate-key': { field: 'sender_id' },
  'unknown-document': { kinds: ['envelope', 'card'] },
  schema: { keyword: 'minLength', detail: 'must NOT have fewer than 3 characters' },
  'byte-order-mark': {},
  'turn-order': { conversation: 'c', turn: 2, previous: 3 },
};
const findings: { rule: string; args: ErrorArgs }[] = [
  ...BROKEN.flatMap((it) => {
    const problems: LocatedProblem[] = [];
    checkDocument(JSON.parse(JSON.stringify(it)), '', detectKind, problems);
    return problems;
  }).map(({ rule, args = {} }) => ({ rule, args })),
  ...Object.entries(TEXT_ARGS).map(([rule, args]) => ({ rule, args })),
];

it('the findings tried here are of every rule', () => {
  expect([...new Set(findings.map(({ rule }) => rule))].sort()).toEqual(ruleIds);
});

describe.each(UI_LANGUAGES)('the words for findings in %s', (language) => {
  const catalogue = FINDING_CATALOGUES[language];
  const wording = createFindingWording(language);

  it('are there for every rule and for no other', () => {
    expect(Object.keys(catalogue.rules).sort()).toEqual(ruleIds);
  });

  it('have the keys and the arguments of the English ones', () => {
    const texts = Object.fromEntries(flatten(catalogue));
    expect(Object.keys(texts).sort()).toEqual(Object.keys(english).sort());
    for (const [key, text] of Object.entries(texts)) {
      expect(placeholders(text), key).toEqual(placeholders(english[key] ?? ''));
      expect(text === '', key).toBe(english[key] === '');
    }
  });

  it('leave nothing unfilled', () => {
    for (const finding of findings) {
      const { rule } = finding;
      expect(wording.message(finding), rule).not.toMatch(/\{[a-zA-Z]+\}|undefined|^$/);
      expect(wording.hint(finding), rule).not.toMatch(/\{[a-zA-Z]+\}|undefined/);
      expect(wording.meaning(rule), rule).not.toMatch(/\{|^$/);
    }
  });

  it('are not there for a rule that does not exist', () => {
    expect(() => wording.meaning('toString')).toThrow('toString');
  });
});

describe('arguments', () => {
  const { message } = createFindingWording('en');
  const chinese = createFindingWording('zh-CN');
  const length = (field: string, min: number, max: number | string) =>
    message({ rule: 'length', args: { field, min, max, given: '' } });
  const syntax = (expected: string, found: string) =>
    message({ rule: 'json-syntax', args: { expected, found } });

  it('of a length are told as the limit that there is', () => {
    expect(length('original_text', 1, '∞')).toBe('original_text must not be empty.');
    expect(length('note', 3, '∞')).toBe('note must have 3 characters or more.');
    expect(length('conversation_id', 0, 64)).toBe(
      'conversation_id must not have more than 64 characters.',
    );
    expect(length('cultural_context', 10, 500)).toBe(
      'cultural_context must have 10 to 500 characters.',
    );
  });

  it('of a syntax error become words, also where nothing can be seen', () => {
    expect(syntax('key', '}')).toContain('expected a field name in double quotes, found "}"');
    expect(syntax('comma-or-brace', '')).toContain('a comma or "}", found the end of the text');
    expect(syntax('string-end', '\n')).toContain('found a line break');
    expect(syntax('string-end', '\t')).toContain('found a tab');
    expect(syntax('value', '\u00a0')).toContain('found the invisible character U+00A0');
    expect(syntax('value', '"')).toContain('found a double quote');
    expect(chinese.message({ rule: 'json-syntax', args: { expected: 'colon', found: '1' } })).toBe(
      '不是有效的 JSON：这里应为冒号，实际为“1”。',
    );
  });

  it('of a wrong type become words that do not contradict each other', () => {
    const type = (expected: string, given: string) =>
      message({ rule: 'wrong-type', args: { field: 'x', expected, given } });
    expect(type('string', 'number')).toBe('x must be a text ("…"), not a number.');
    expect(type('integer', 'number')).toBe('x must be a whole number, not a number with decimals.');
    expect(type('object', 'null')).toBe('x must be an object ({…}), not null.');
  });

  it('are joined as the language does it', () => {
    const finding = { rule: 'unknown-document', args: { kinds: ['envelope', 'card'] } };
    expect(message(finding)).toContain('envelope, card');
    expect(chinese.message(finding)).toContain('envelope、card');
  });

  it('stay on their line, show control characters and are not filled in twice', () => {
    const finding = { rule: 'placeholder-sender', args: { given: 'a\nb\t\u001b{given}' } };
    expect(message(finding)).toBe('"a\\nb\\t\\u001b{given}" is an address as in the examples.');
  });

  it('of a key never show it', () => {
    const all = findings.filter(({ rule }) => rule === 'key-form').map(message);
    expect(all).toEqual(['api_key is not a key from a hub.']);
  });
});
