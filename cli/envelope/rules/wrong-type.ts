import type { Rule } from '../rule.ts';
import { hasType, SHAPES } from '../shapes.ts';

export const wrongType: Rule = {
  id: 'wrong-type',
  severity: 'error',
  kinds: 'all',
  concern: 'known-fields',
  *check({ kind, value }) {
    for (const [field, spec] of Object.entries(SHAPES[kind])) {
      const given = value[field];
      if (!(field in value) || hasType(given, spec.type)) continue;
      yield { field, args: { field, expected: spec.type, given: nameType(given) } };
    }
  },
};

function nameType(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value;
}
