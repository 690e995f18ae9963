import fc from 'fast-check';
import json5 from 'json5';
import { expect, it } from 'vitest';
import { Json5Error, parseJson5 } from '../../cli/hosts/openclaw/parse-json5.ts';

const outcome = (parse: (text: string) => unknown, text: string) => {
  try {
    return { value: parse(text) };
  } catch {
    return 'refused';
  }
};

it.each([
  '{a:1,}',
  '[1,,2]',
  '[,]',
  '// only a comment',
  '/* open',
  '{a:1} x',
  "{'it''s':1}",
  "'it\\'s'",
  '"a\\\nb"',
  '"a\nb"',
  '"\\x41\\u0042\\q\\0"',
  '"\\x4"',
  '"\\1"',
  '+.5e-3',
  '-0x1F',
  '-Infinity',
  'NaN',
  '-NaN',
  '0123',
  '5.',
  '.',
  'nullable',
  'undefined',
  '{$a_1: true, ünï: false, \\u0061b: null}',
  '{a b: 1}',
  '{1: 2}',
  '\ufeff{}',
  '{__proto__: {x: 1}}',
  '{a: 1, a: 2}',
  '',
  '"\\01"',
  '"\\0x"',
  '{"a": [1, {b: [],},], /* c */ // d\n}',
])('reads %j as the reference does', (text) => {
  expect(outcome(parseJson5, text)).toEqual(outcome(json5.parse, text));
});

it('reads every JSON text and what the reference writes', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), fc.constantFrom(0, 2), (value, indent) => {
      expect(parseJson5(JSON.stringify(value, null, indent))).toEqual(
        JSON.parse(JSON.stringify(value)),
      );
      expect(parseJson5(json5.stringify(value, null, indent))).toEqual(
        json5.parse(json5.stringify(value)),
      );
    }),
  );
});

it('agrees with the reference about texts that are cut or stirred', () => {
  const pieces = fc.constantFrom(
    ...['{', '}', '[', ']', ':', ',', 'a', '"b"', "'c'", '1', '-', '.5', '0x', 'true', 'null'],
    ...['//', '/*', '*/', '\n', ' ', '\\', '"', "'", 'Infinity', 'e1', '\\u0041', '$', '\u00a0'],
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
      const text = parts.join('');
      expect(outcome(parseJson5, text)).toEqual(outcome(json5.parse, text));
    }),
    { numRuns: 20_000 },
  );
});

it('says where it stopped', () => {
  const stop = () => parseJson5('{\n  // fine\n  a: 1\n  b: 2\n}');
  expect(stop).toThrow(Json5Error);
  expect(stop).toThrow(expect.objectContaining({ line: 4, column: 3 }));
});

it('refuses what is nested without end, and makes no prototype of a member', () => {
  expect(() => parseJson5('['.repeat(100_000))).toThrow(Json5Error);
  expect((parseJson5('{__proto__: {evil: 1}}') as { evil?: number }).evil).toBeUndefined();
});
