import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createFindingWording } from '../../cli/diagnostics/wording/finding-wording.ts';
import { checkText } from '../../cli/envelope/check-text.ts';
import type { Kind } from '../../cli/envelope/kinds.ts';
import { Refusal } from '../../hub/refusal.ts';
import { checkRequest } from '../../hub/service/check-request.ts';
import { card, envelope } from './hub-api.ts';

const wording = createFindingWording('en');
const anything = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom(
    '',
    '0.4',
    '0.3',
    'zh-CN',
    'zh-cn',
    'a@b',
    'a@b@c',
    '0.2',
    'https://x',
    'ftp://x',
    1.5,
    0,
    -1,
    'x'.repeat(65),
  ),
);
const change = (names: readonly string[]) =>
  fc.array(fc.tuple(fc.constantFrom(...names, 'extra', '__proto__', 'constructor'), anything), {
    maxLength: 3,
  });

const envelopes = fc
  .tuple(
    fc.subarray(['chorus_version', 'sender_id', 'original_text', 'sender_culture']),
    change([
      'chorus_version',
      'sender_id',
      'original_text',
      'sender_culture',
      'cultural_context',
      'conversation_id',
      'turn_number',
      'original_semantic',
      'sender_cultur',
    ]),
  )
  .map(([kept, changes]) => {
    const good = Object.entries(envelope('a@b', 'hi')).filter(
      ([name]) => kept.length === 0 || kept.includes(name),
    );
    return Object.fromEntries([...good, ...changes]);
  });
const a2a = envelopes.map((data) => ({
  parts: [{ text: 'x' }, { mediaType: 'application/vnd.chorus.envelope+json', data }],
}));
const sendRequests = fc
  .tuple(fc.oneof(envelopes, a2a, anything), change(['receiver_id', 'envelope', 'stream']))
  .map(([it, changes]) =>
    Object.fromEntries([['receiver_id', 'bob'], ['envelope', it], ...changes]),
  );
const registrations = fc
  .tuple(
    change(['card_version', 'user_culture', 'supported_languages', 'chorus_version']),
    change(['agent_id', 'agent_card', 'endpoint']),
  )
  .map(([inCard, changes]) =>
    Object.fromEntries([
      ['agent_id', 'bob'],
      ['agent_card', Object.fromEntries([...Object.entries(card('en')), ...inCard])],
      ...changes,
    ]),
  );
/** The text of a value, perhaps cut, or with a member twice. */
const spoil = (values: fc.Arbitrary<unknown>) =>
  fc.tuple(values, fc.constantFrom('no', 'no', 'no', 'cut', 'twice', 'bom')).map(([value, how]) => {
    const text = JSON.stringify(value) ?? 'null';
    if (how === 'cut') return text.slice(0, -1);
    if (how === 'twice') return text.replace(/^\{("\w+"):/, '{$1:0,$1:');
    return how === 'bom' ? `\ufeff${text}` : text;
  });

function askHub(text: string, kind: Kind): string | undefined {
  try {
    checkRequest(Buffer.from(text), kind);
    return undefined;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return error.message;
  }
}

describe.each<[Kind, fc.Arbitrary<unknown>]>([
  ['send-request', sendRequests],
  ['register-request', registrations],
])('of a %s', (kind, values) => {
  it('the hub refuses exactly what validate finds wrong, in the same words', () => {
    let refused = 0;
    fc.assert(
      fc.property(
        spoil(fc.oneof({ weight: 9, arbitrary: values }, { weight: 1, arbitrary: fc.jsonValue() })),
        (text) => {
          // For validate an array is a list of documents.
          fc.pre(!/^\ufeff?\[/.test(text));
          const { findings } = checkText(text.replace(/^\ufeff/, ''), { detect: () => kind });
          const errors = findings.filter(({ severity }) => severity === 'error');
          const message = askHub(text, kind);
          expect({ text, isRefused: message !== undefined }).toEqual({
            text,
            isRefused: errors.length > 0,
          });
          if (message === undefined) return;
          refused += 1;
          const [first] = errors;
          if (first && !/must be a JSON object/.test(message)) {
            expect(message).toContain(wording.message(first).slice(0, 200));
          }
        },
      ),
      { numRuns: 4000 },
    );
    expect(refused).toBeGreaterThan(500);
  });
});
