import { findNearest } from '../../nearest.ts';
import type { Problem, Rule, Subject } from '../rule.ts';
import { fitsField, SHAPES } from '../shapes.ts';

/** An unknown field that is nearly the name of a known one which is not there. */
export const fieldTypo: Rule = {
  id: 'field-typo',
  severity: 'warning',
  kinds: 'all',
  concern: 'unknown-fields',
  *check(subject) {
    for (const { field, meant } of findTypos(subject)) {
      const spec = SHAPES[subject.kind][meant];
      if (spec === undefined || spec.required) continue;
      const problem: Problem = { field, atKey: true, args: { field, meant } };
      // As an unknown field any value is valid: a repair must not make an error of it.
      if (fitsField(subject.value[field], spec)) problem.repair = { renameTo: meant };
      yield problem;
    }
  },
};

interface Typo {
  field: string;
  meant: string;
}
const known = new WeakMap<Subject, readonly Typo[]>();

/** Found once for all rules that ask. */
export function findTypos(subject: Subject): readonly Typo[] {
  const typos = known.get(subject) ?? searchTypos(subject);
  known.set(subject, typos);
  return typos;
}

function searchTypos({ kind, value }: Subject): readonly Typo[] {
  const shape = SHAPES[kind];
  const typos: Typo[] = [];
  const free = Object.keys(shape).filter((name) => !Object.hasOwn(value, name));
  for (const field in value) {
    // In a card that one is no slip: the rule card-version-field speaks of it.
    if (Object.hasOwn(shape, field) || (kind === 'card' && field === 'chorus_version')) continue;
    const meant = findNearest(field, free);
    if (meant !== undefined && !typos.some((typo) => typo.meant === meant)) {
      typos.push({ field, meant });
    }
  }
  return typos;
}
