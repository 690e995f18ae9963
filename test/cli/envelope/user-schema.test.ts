import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { compileSchema } from '../../../cli/envelope/user-schema.ts';

const DRAFT_07 = 'http://json-schema.org/draft-07/schema#';
const text = { type: 'string' };

/** Ways to refer to a part of a schema; each says that `a` is a text. */
const SCHEMAS: Record<string, Record<string, unknown>> = {
  'a pointer': { $defs: { t: text }, properties: { a: { $ref: '#/$defs/t' } } },
  'a pointer with blanks and slashes': {
    $defs: { 'a b/c': text },
    properties: { a: { $ref: '#/$defs/a%20b~1c' } },
  },
  'an anchor': { $defs: { t: { $anchor: 'text', ...text } }, properties: { a: { $ref: '#text' } } },
  'its own address': {
    $id: 'https://schemas.test/root.json',
    $defs: { t: text },
    properties: { a: { $ref: 'https://schemas.test/root.json#/$defs/t' } },
  },
  'an address beside its own': {
    $id: 'https://schemas.test/deep/root.json',
    $defs: { t: { $id: '../text.json', ...text } },
    properties: { a: { $ref: 'https://schemas.test/text.json' } },
  },
  'a relative address': {
    $id: 'root.json',
    $defs: { t: { $id: 'text.json', ...text } },
    properties: { a: { $ref: 'text.json' } },
  },
  'an address from the root': {
    $id: '/schemas/root',
    $defs: { t: { $id: '/schemas/text', ...text } },
    properties: { a: { $ref: '/schemas/text' } },
  },
  'a URN': {
    $id: 'urn:example:root',
    $defs: { t: { $id: 'urn:example:text', ...text } },
    properties: { a: { $ref: 'urn:example:text' } },
  },
  'definitions of draft 07': {
    $schema: DRAFT_07,
    definitions: { t: { $id: '#text', ...text } },
    properties: { a: { $ref: '#text' } },
  },
};

describe.each(Object.entries(SCHEMAS))('a schema that refers to %s', (_, schema) => {
  it('is followed, as ajv does by itself', () => {
    const lenient = { strict: false };
    const peer = schema.$schema === DRAFT_07 ? new Ajv(lenient) : new Ajv2020(lenient);
    const theirs = peer.compile(schema);
    const ours = compileSchema(schema);
    for (const value of [{ a: 'x' }, { a: 1 }]) {
      expect(ours(value, '').length === 0).toBe(theirs(value));
    }
    expect(ours({ a: 1 }, '')).toHaveLength(1);
  });
});

it('a schema that refers to nothing is refused', () => {
  expect(() => compileSchema({ $ref: 'https://elsewhere.test/x.json' })).toThrow('elsewhere');
  expect(() => compileSchema({ $ref: '#/$defs/none' })).toThrow('$defs');
});

it('a member or values that ajv only alludes to are named', () => {
  const check = compileSchema({
    properties: { a: { enum: ['x', 1] }, b: { const: null } },
    additionalProperties: false,
  });
  const found = check({ a: 2, b: 2, c: 2 }, '/0');
  expect(found.map(({ args }) => String(args?.detail))).toEqual([
    expect.stringContaining('"c"'),
    expect.stringContaining('["x",1]'),
    expect.stringContaining('null'),
  ]);
  expect(found[0]).toMatchObject({ pointer: '/0', field: 'c', atKey: true });
});
