import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findDuplicates, hasDuplicateKeys } from '../../../cli/json/duplicate-keys.ts';
import { findPlaces, pointerTo } from '../../../cli/json/find-places.ts';
import { findSyntaxProblem } from '../../../cli/json/find-syntax-problem.ts';
import { createSourceText } from '../../../cli/json/source-text.ts';

const indent = fc.constantFrom(undefined, 2, '\t');

describe('the places in a text', () => {
  it('takes what JSON.parse takes and refuses what it refuses', () => {
    const pieces = fc.array(
      fc.constantFrom(
        '{',
        '}',
        '[',
        ']',
        ':',
        ',',
        '"a"',
        '"',
        '1',
        '-',
        '0',
        '.5',
        'e1',
        'true',
        ' ',
        '\\',
        'n',
        '\n',
      ),
    );
    fc.assert(
      fc.property(
        fc.oneof(
          pieces.map((list) => list.join('')),
          fc.json(),
          fc.string(),
        ),
        (text) => {
          let parses = true;
          try {
            JSON.parse(text);
          } catch {
            parses = false;
          }
          expect(findSyntaxProblem(text) === undefined).toBe(parses);
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('finds every value at its place', () => {
    fc.assert(
      fc.property(fc.jsonValue(), indent, (value, space) => {
        const text = JSON.stringify(value, null, space);
        const values = [...walk(JSON.parse(text))];
        const places = findPlaces(
          text,
          values.map(([pointer]) => pointer),
        );
        const found = places.map(({ start, end }) => JSON.parse(text.slice(start, end)));
        expect(found).toEqual(values.map(([, expected]) => expected));
      }),
    );
  });

  it.each([
    ['{"a": 1,}', 8, 'key'],
    ['[1 2]', 3, 'comma-or-bracket'],
    ['{"a" 1}', 5, 'colon'],
    ['{"a": }', 6, 'value'],
    ['{"a": "b', 8, 'string-end'],
    ['["\\x"]', 2, 'escape'],
    ['{} {}', 3, 'end'],
    ['', 0, 'value'],
  ])('says where %j breaks and what was expected', (text, offset, expected) => {
    expect(findSyntaxProblem(text)).toEqual({ offset, expected });
  });

  it('is not deterred by depth', () => {
    const deep = '['.repeat(200_000) + ']'.repeat(200_000);
    expect(findSyntaxProblem(deep)).toBeUndefined();
  });
});

describe('duplicate keys', () => {
  it('are never seen where there are none', () => {
    fc.assert(
      fc.property(fc.jsonValue(), indent, (value, space) => {
        const text = JSON.stringify(value, null, space);
        expect(hasDuplicateKeys(text, JSON.parse(text))).toBe(false);
      }),
    );
  });

  it('are seen and found wherever they are', () => {
    fc.assert(
      fc.property(fc.string(), fc.jsonValue(), fc.jsonValue(), (key, first, second) => {
        const name = JSON.stringify(key);
        const text = `{"x":[{${name}:${JSON.stringify(first)},${name}:${JSON.stringify(second)}}]}`;
        expect(hasDuplicateKeys(text, JSON.parse(text))).toBe(true);
        const found = [...findDuplicates(text)];
        const pointer = pointerTo('/x/0', key);
        expect(found).toMatchObject([{ name: key, pointer }]);
        const [last] = findPlaces(text, [pointer]);
        expect(last?.key).toEqual(found[0]?.place);
      }),
    );
  });
});

describe('source text', () => {
  it('tells the line and column of every character', () => {
    const text = 'ab\n\nc\r\nd';
    const source = createSourceText(text, 5);
    expect([0, 1, 3, 4, 7].map((offset) => source.position(offset))).toEqual([
      { line: 5, column: 1 },
      { line: 5, column: 2 },
      { line: 6, column: 1 },
      { line: 7, column: 1 },
      { line: 8, column: 1 },
    ]);
    expect(source.excerpt(5)).toEqual({ excerpt: 'c', excerptColumn: 1 });
  });
});

function* walk(value: unknown, pointer = ''): Generator<[string, unknown]> {
  yield [pointer, value];
  if (typeof value !== 'object' || value === null) return;
  for (const [key, member] of Object.entries(value)) yield* walk(member, pointerTo(pointer, key));
}
