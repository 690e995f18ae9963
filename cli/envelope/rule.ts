import type { Severity } from '../diagnostics/finding.ts';
import type { ErrorArgs } from '../errors.ts';
import type { JsonObject, Kind } from './kinds.ts';

/** One object to check, and where in its document it is. */
export interface Subject {
  kind: Kind;
  value: JsonObject;
  pointer: string;
  /** The object it lies in: an envelope's send request, history line, example … */
  parent?: { kind: Kind; value: JsonObject };
}

/** The repair of a problem that has one right answer. */
export type Repair = { renameTo: string } | { replaceWith: string | number };

export interface Problem {
  /** Relative to the subject: a field's name, or nothing for the subject itself. */
  field?: string | number;
  /** Whether the key is the problem, not the value. */
  atKey?: true;
  args?: ErrorArgs;
  repair?: Repair;
}

export interface Rule {
  id: string;
  severity: Severity;
  kinds: readonly Kind[] | 'all';
  /**
   * What all such rules are about, so that they are not asked where nothing can be wrong:
   * the known fields of a kind, or fields that are not known.
   */
  concern?: 'known-fields' | 'unknown-fields';
  check(subject: Subject): Iterable<Problem>;
}

/** What most checks find; one list for all, as there are many checks. */
export const NO_PROBLEM: readonly Problem[] = [];

/** A rule about one text field of the envelope; other types are for other rules. */
export function textRule(
  id: string,
  severity: Severity,
  fields: readonly string[],
  check: (text: string, subject: Subject) => Omit<Problem, 'field'> | undefined,
): Rule {
  return {
    id,
    severity,
    kinds: ['envelope'],
    check: (subject) => {
      let problems = NO_PROBLEM;
      for (const field of fields) {
        const text = subject.value[field];
        const problem = typeof text === 'string' ? check(text, subject) : undefined;
        if (problem !== undefined) problems = [...problems, { field, ...problem }];
      }
      return problems;
    },
  };
}
