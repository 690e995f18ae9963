import { findNearest } from '../../nearest.ts';
import type { Rule, Subject } from '../rule.ts';
import { SHAPES } from '../shapes.ts';

/** An unknown field that is nearly the name of a known one which is not there. */
export const fieldTypo: Rule = {
  id: 'field-typo',
  severity: 'warning',
  kinds: 'all',
  *check(subject) {
    for (const { field, meant } of findTypos(subject)) {
      if (SHAPES[subject.kind][meant]?.required) continue;
      yield { field, atKey: true, args: { field, meant }, repair: { renameTo: meant } };
    }
  },
};

export function findTypos({ kind, value }: Subject): { field: string; meant: string }[] {
  const shape = SHAPES[kind];
  const typos: { field: string; meant: string }[] = [];
  for (const field in value) {
    if (Object.hasOwn(shape, field)) continue;
    const free = Object.keys(shape).filter((name) => !Object.hasOwn(value, name));
    const meant = findNearest(field, free);
    if (meant !== undefined && !typos.some((typo) => typo.meant === meant)) {
      typos.push({ field, meant });
    }
  }
  return typos;
}
