import { describe, expect, it } from 'vitest';
import { checkText } from '../../../cli/envelope/check-text.ts';
import { detectKind, KINDS } from '../../../cli/envelope/kinds.ts';
import { RULES } from '../../../cli/envelope/rules.ts';
import { createTurnWatch } from '../../../cli/envelope/turn-order.ts';

const envelope = {
  chorus_version: '0.4',
  sender_id: 'lin.yue@agchorus',
  original_text: '明天十点见',
  sender_culture: 'zh-CN',
};
const card = { card_version: '0.3', user_culture: 'zh-CN', supported_languages: ['zh-CN'] };
const credentials = { agent_id: 'a@b', api_key: 'ca_1', hub_url: 'https://agchorus.com' };
const line = { ts: '2026-11-18T09:30:00Z', dir: 'sent', peer: 'a@agchorus', envelope };
const part = { mediaType: 'application/vnd.chorus.envelope+json', data: envelope };

/** One good document of every kind. */
const GOOD = {
  envelope,
  example: {
    _description: 'x',
    user_input: 'x',
    envelope,
    adapted_output: { receiver_culture: 'ja', text: 'x' },
  },
  'send-request': { receiver_id: 'haruka', envelope },
  message: { trace_id: 't', sender_id: 'a@b', envelope, timestamp: '2026-11-18T09:30:00.000Z' },
  'history-line': line,
  'a2a-message': { messageId: 'm', role: 'ROLE_USER', parts: [part] },
  'register-request': { agent_id: 'lin.yue', agent_card: card },
  card,
  credentials,
  response: { status: 'ok' },
  discovery: { chorus_version: '0.4', server_name: 'x', endpoints: { send: '/messages' } },
} as const;

const findRules = (value: unknown) =>
  checkText(JSON.stringify(value), { watch: createTurnWatch() }).findings.map(({ rule }) => rule);

describe('every kind', () => {
  it.each(KINDS)('%s is recognised, and a good one has no findings', (kind) => {
    expect(detectKind(GOOD[kind])).toBe(kind);
    expect(findRules(GOOD[kind])).toEqual([]);
  });

  it('may stand in an array with others', () => {
    expect(findRules(Object.values(GOOD))).toEqual([]);
  });
});

describe('an envelope', () => {
  it.each([{ agent_id: 'a' }, { status: 'ok' }, { user_culture: 'en' }, { endpoints: {} }])(
    'with %j added is checked as an envelope all the same',
    (added) =>
      expect(findRules({ ...envelope, sender_id: 'a b', ...added })).toEqual([
        'address-form',
        'extra-field',
      ]),
  );

  it('with the text under both names has one too many', () => {
    expect(findRules({ ...envelope, original_semantic: 'hi' })).toEqual(['extra-field']);
  });
});

/** What brings out each rule, and only that rule. */
const CASES: Record<string, unknown> = {
  'legacy-field': { ...envelope, original_text: undefined, original_semantic: 'hi' },
  'wrong-version': { ...envelope, chorus_version: '0.3' },
  'misspelt-field': { ...envelope, sender_culture: undefined, sender_cultur: 'zh-CN' },
  'missing-field': { ...envelope, sender_id: undefined },
  'wrong-type': { ...envelope, original_text: 7 },
  length: { ...envelope, cultural_context: '太短' },
  'address-form': { receiver_id: 'a@b@c', envelope },
  'culture-form': { ...envelope, sender_culture: 'zh-cn' },
  range: { ...envelope, conversation_id: 'c', turn_number: 0 },
  choice: { ...line, dir: 'in' },
  'date-form': { ...line, ts: 'yesterday' },
  'url-form': { ...credentials, hub_url: 'agchorus.com' },
  'key-form': { ...credentials, api_key: 'secret' },
  'card-version-field': { ...card, chorus_version: '0.2' },
  'language-list': { ...card, supported_languages: ['Chinese'] },
  'error-without-code': { status: 'error' },
  'a2a-without-envelope': { messageId: 'm', parts: [{ text: 'hi' }] },
  'field-typo': { ...envelope, cultural_contxt: '十个字以上的文化背景说明' },
  'turn-without-conversation': { ...envelope, turn_number: 1 },
  'conversation-without-turn': { ...envelope, conversation_id: 'c' },
  'receiver-in-envelope': { ...envelope, receiver_id: 'a@b' },
  'unknown-culture': { ...envelope, sender_culture: 'qq' },
  'context-script': { ...envelope, cultural_context: 'A casual way to say see you.' },
  'reply-marker': { ...envelope, original_text: 'ok [[reply_to_current]]' },
  'slash-command': { ...envelope, original_text: '/reset' },
  'hidden-characters': { ...envelope, original_text: 'a\u202eb' },
  'lone-surrogate': { ...envelope, original_text: 'a\ud800' },
  'placeholder-sender': { ...envelope, sender_id: 'your-name@hub.example' },
  'needless-context': {
    ...GOOD.example,
    envelope: { ...envelope, cultural_context: '十个字以上的文化背景说明' },
    adapted_output: { receiver_culture: 'zh-CN', text: 'x' },
  },
  'extra-field': { ...envelope, mood: 'happy' },
  'long-text': { ...envelope, original_text: 'x'.repeat(10_001) },
};

describe('every rule', () => {
  it('has a case', () => {
    expect(Object.keys(CASES).sort()).toEqual(RULES.map(({ id }) => id).sort());
  });

  it.each(Object.entries(CASES))('%s speaks up, alone', (rule, value) => {
    expect(findRules(value)).toEqual([rule]);
  });

  it.each([
    ['hel\u200blo', true],
    ['ad\u200dmin', true],
    ['ad\u200c\u200d\u200cmin', true],
    ['می\u200c\u200cخواهم', false],
    ['hi \u{e0068}', true],
    ['hello \u200f', true],
    ['مرحبا \u202eabc', true],
    ['🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}', false],
    ['👨\u200d👩\u200d👧', false],
    ['می\u200cخواهم', false],
    ['مرحبا C++\u200f!', false],
    ['שלום \u200eC#', false],
    ['ខ្ញុំ\u200bទៅ', false],
  ])('what is invisible in %j is told only where it has no business: %s', (text, isTold) => {
    const rules = findRules({ ...envelope, original_text: text });
    expect(rules).toEqual(isTold ? ['hidden-characters'] : []);
  });

  it.each(['[[reply_to:123]] ok', 'ok [[ reply_to_user ]]'])('%s has a reply marker', (text) =>
    expect(findRules({ ...envelope, original_text: text })).toEqual(['reply-marker']),
  );

  it('about turns: one that repeats or goes back within a conversation', () => {
    const turn = (turn_number: number, conversation_id = 'c') => ({
      ...envelope,
      conversation_id,
      turn_number,
    });
    expect(findRules([turn(1), turn(2), turn(1, 'd'), turn(2), turn(4), turn(3)])).toEqual([
      'turn-order',
      'turn-order',
    ]);
  });

  it('never shows a secret', () => {
    const text = JSON.stringify({ ...credentials, api_key: 'hunter2' });
    expect(JSON.stringify(checkText(text).findings.map(({ args }) => args))).not.toContain(
      'hunter2',
    );
  });

  it('the region of a culture is known or told', () => {
    expect(findRules({ ...envelope, sender_culture: 'en-GB' })).toEqual([]);
    expect(findRules({ ...envelope, sender_culture: 'en-XQ' })).toEqual(['unknown-culture']);
    expect(findRules({ ...envelope, sender_culture: 'es-419' })).toEqual([]);
    expect(findRules({ ...envelope, sender_culture: 'und' })).toEqual(['unknown-culture']);
  });
});

describe('places', () => {
  it('are those of the key or the value', () => {
    const text =
      '{\n  "chorus_version": "0.4",\n  "sender_id": "a@b@c",\n  "original_text": "hi",\n  "sender_culture": "en",\n  "sender_id": "a@b"\n}';
    const [finding] = checkText(text).findings;
    expect(finding).toMatchObject({
      rule: 'duplicate-key',
      pointer: '/sender_id',
      start: { line: 6, column: 3 },
      end: { line: 6, column: 14 },
      excerpt: '  "sender_id": "a@b"',
    });
  });

  it('of broken JSON say what was expected', () => {
    expect(checkText('{"a": 1,\n}').findings).toMatchObject([
      { rule: 'json-syntax', start: { line: 2, column: 1 }, args: { expected: 'key', found: '}' } },
    ]);
  });
});
