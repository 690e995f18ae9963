import type { Repair, Rule } from './rule.ts';
import { type Format, hasType, SHAPES } from './shapes.ts';

/** A rule for the values that have a certain format, in whatever field of whatever kind. */
export function formatRule(
  id: Format['rule'],
  repair?: (value: unknown, format: Format) => Repair | undefined,
): Rule {
  return {
    id,
    severity: 'error',
    kinds: 'all',
    concern: 'known-fields',
    *check({ kind, value }) {
      for (const [field, { type, format }] of Object.entries(SHAPES[kind])) {
        const given = value[field];
        if (format?.rule !== id || !hasType(given, type) || format.holds(given as never)) continue;
        const found = repair?.(given, format);
        yield {
          field,
          args: { field, given: shorten(given), ...format.args },
          ...(found === undefined ? {} : { repair: found }),
        };
      }
    },
  };
}

function shorten(value: unknown): string {
  const text = String(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
