import { detectKind, isObject, KINDS, type Kind } from './kinds.ts';
import type { Problem, Rule, Subject } from './rule.ts';
import { RULES } from './rules.ts';
import { findSubjects } from './subjects.ts';

export interface LocatedProblem extends Problem {
  rule: string;
  severity: Rule['severity'];
  /** Of the subject. */
  pointer: string;
}

export interface DocumentCheck {
  kind: Kind | undefined;
  /** The envelopes in it, for checks over several documents. */
  envelopes: Subject[];
  problems: LocatedProblem[];
}

const RULES_OF = new Map<Kind, Rule[]>(
  KINDS.map((kind) => [
    kind,
    RULES.filter((rule) => rule.kinds === 'all' || rule.kinds.includes(kind)),
  ]),
);

/** Everything that is wrong with one value; `forced` says what it is meant to be. */
export function checkDocument(value: unknown, pointer: string, forced?: Kind): DocumentCheck {
  const kind = isObject(value) ? (forced ?? detectKind(value)) : undefined;
  if (!isObject(value) || kind === undefined) {
    const args = { kinds: forced === undefined ? KINDS : [forced] };
    const unknown = { rule: 'unknown-document', severity: 'error', pointer, args } as const;
    return { kind: undefined, envelopes: [], problems: [unknown] };
  }
  const subjects = findSubjects(value, kind, pointer);
  const problems: LocatedProblem[] = [];
  for (const subject of subjects) {
    for (const rule of RULES_OF.get(subject.kind) ?? []) {
      for (const problem of rule.check(subject)) {
        const { id, severity } = rule;
        problems.push({ ...problem, rule: id, severity, pointer: subject.pointer });
      }
    }
  }
  return { kind, envelopes: subjects.filter((subject) => subject.kind === 'envelope'), problems };
}
