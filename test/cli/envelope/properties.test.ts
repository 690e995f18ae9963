import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createFindingWording } from '../../../cli/diagnostics/wording/finding-wording.ts';
import { checkText } from '../../../cli/envelope/check-text.ts';
import { fixText } from '../../../cli/envelope/fix-text.ts';
import { createResponse } from '../../../cli/envelope/protocol-response.ts';
import { SHAPES } from '../../../cli/envelope/shapes.ts';
import { envelopeSchema } from '../../../cli/protocol/envelope-schema.ts';

const ajv = new Ajv2020();
const schemaAccepts = ajv.compile(envelopeSchema);
const wording = createFindingWording('en');

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.constantFrom(
    '',
    'lin.yue@agchorus',
    'a@b@c',
    '0.4',
    '0.3',
    'zh-CN',
    'zh-cn',
    'en',
    'xx-YY',
    '𝄞'.repeat(70),
    'x'.repeat(64),
    'x'.repeat(65),
    'y'.repeat(501),
    '十个字以上的文化背景说明',
  ),
);
const anyValue = fc.oneof(
  text,
  fc.integer({ min: -2, max: 5 }),
  fc.double(),
  fc.boolean(),
  fc.constant(null),
  fc.array(text, { maxLength: 2 }),
  fc.dictionary(text, text, { maxKeys: 2 }),
);
const good = {
  chorus_version: '0.4',
  sender_id: 'lin.yue@agchorus',
  original_text: '明天见',
  sender_culture: 'zh-CN',
  cultural_context: '十个字以上的文化背景说明',
  conversation_id: 'c-1',
  turn_number: 1,
};
const names = [
  ...Object.keys(SHAPES.envelope),
  'original_semantic',
  'sender_cultur',
  'cultural_contxt',
  'conversation_idd',
  'turn_numbr',
  'receiver_id',
  '__proto__',
  'constructor',
  'extra',
];
/** A good envelope with some of its fields taken away, spoilt or added to. */
const nearlyGood = fc
  .tuple(
    fc.subarray(Object.keys(good)),
    fc.array(fc.tuple(fc.constantFrom(...names), anyValue), { maxLength: 3 }),
  )
  .map(([without, changes]) => {
    const kept = Object.entries(good).filter(([name]) => !without.includes(name));
    return Object.fromEntries([...kept, ...changes]);
  });

describe('for any value', () => {
  it('we refuse exactly what the schema refuses', () => {
    fc.assert(
      fc.property(fc.oneof(nearlyGood, fc.jsonValue()), (value) => {
        const json = JSON.stringify(value);
        const parsed = JSON.parse(json);
        // An array is a list of documents for us, and no envelope for the schema.
        fc.pre(!Array.isArray(parsed));
        const { findings } = checkText(json, { detect: () => 'envelope' });
        const refused = findings.some(({ severity }) => severity === 'error');
        expect({ json, refused }).toEqual({ json, refused: !schemaAccepts(parsed) });
      }),
      { numRuns: 3000 },
    );
  });

  it('--fix changes nothing a second time, and spoils nothing', () => {
    fc.assert(
      fc.property(nearlyGood, fc.constantFrom(undefined, 2), fc.boolean(), (value, space, bom) => {
        const before = `${bom ? '\ufeff' : ''}${JSON.stringify(value, null, space)}\n`;
        const once = fixText(before, false);
        expect(fixText(once, false)).toBe(once);
        const errors = (json: string) =>
          checkText(json.replace('\ufeff', '')).findings.filter((it) => it.severity === 'error')
            .length;
        expect(errors(once)).toBeLessThanOrEqual(errors(before));
      }),
      { numRuns: 2000 },
    );
  });

  it('every finding has words and a place inside the text', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          nearlyGood.map((it) => JSON.stringify(it, null, 1)),
          fc.string(),
        ),
        (json) => {
          for (const finding of checkText(json).findings) {
            expect(wording.message(finding)).not.toMatch(/^$|\{\w+\}/);
            const lines = json.split('\n');
            expect(finding.start.line).toBeLessThanOrEqual(lines.length);
            expect(finding.start.column).toBeLessThanOrEqual(
              (lines[finding.start.line - 1]?.length ?? 0) + 1,
            );
          }
        },
      ),
    );
  });

  it('the response is ok exactly for what the schema accepts, and the version wins', () => {
    fc.assert(
      fc.property(nearlyGood, (value) => {
        const parsed = JSON.parse(JSON.stringify(value));
        const response = createResponse(
          checkText(JSON.stringify(value), { detect: () => 'envelope' }).findings,
          wording,
        );
        const version = parsed.chorus_version;
        const isOther = typeof version === 'string' && version !== '0.4';
        if (isOther) expect(response).toMatchObject({ error_code: 'UNSUPPORTED_VERSION' });
        else if (schemaAccepts(parsed)) expect(response).toEqual({ status: 'ok' });
        else expect(response).toMatchObject({ status: 'error', error_code: 'INVALID_ENVELOPE' });
      }),
    );
  });
});

describe('--fix', () => {
  it('repairs names, tags and versions and keeps every other byte', () => {
    const before =
      '\ufeff{ "chorus_version":"0.3",\r\n\t"sender_id": "a@b",  "original_semantic": "h\\u0069",\n "sender_cultur" : "zh-cn" }\n\n';
    expect(fixText(before, false)).toBe(
      '{ "chorus_version":"0.4",\r\n\t"sender_id": "a@b",  "original_text": "h\\u0069",\n "sender_culture" : "zh-CN" }\n\n',
    );
  });

  it('leaves double keys alone: which one is meant is not its business', () => {
    const text = '{"sender_culture":"zh-cn","original_semantic":"a","original_semantic":"b"}';
    expect(fixText(text, false)).toBe(text);
    expect(checkText(text).findings.filter((it) => it.fixable)).toEqual([]);
  });

  it('works line by line in JSONL', () => {
    const line = (culture: string) =>
      `{"chorus_version":"0.4","sender_id":"a@b","original_text":"hi","sender_culture":"${culture}"}`;
    expect(fixText(`${line('EN')}\r\nbroken\n${line('en_us')}`, true)).toBe(
      `${line('en')}\r\nbroken\n${line('en-US')}`,
    );
  });
});
