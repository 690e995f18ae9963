import { isObject, type JsonObject, KINDS, type Kind } from './kinds.ts';
import type { Problem, Rule, Subject } from './rule.ts';
import { RULES } from './rules.ts';
import { hasUnknownFields, isWellShaped } from './shapes.ts';
import { findSubjects } from './subjects.ts';

export interface LocatedProblem extends Problem {
  rule: string;
  severity: Rule['severity'];
  /** Of the subject. */
  pointer: string;
}

/** What takes the problems: a list, for example. */
export type ProblemSink = Pick<LocatedProblem[], 'push'>;

/** The rules to ask about a kind: all, or without those that have nothing to find. */
const RULES_OF = Object.fromEntries(
  KINDS.map((kind) => {
    const rules = RULES.filter((rule) => rule.kinds === 'all' || rule.kinds.includes(kind));
    const without = (...concerns: Rule['concern'][]) =>
      rules.filter(({ concern }) => concern === undefined || !concerns.includes(concern));
    const choices = {
      all: rules,
      knownAreFine: without('known-fields'),
      allAreKnown: without('unknown-fields'),
      both: without('known-fields', 'unknown-fields'),
    };
    return [kind, choices];
  }),
) as unknown as Record<
  Kind,
  Record<'all' | 'knownAreFine' | 'allAreKnown' | 'both', readonly Rule[]>
>;

/**
 * Adds everything that is wrong with one value to the problems, and returns what was checked:
 * the value itself first, then the envelopes and cards in it. `detect` says what it is.
 */
export function checkDocument(
  value: unknown,
  pointer: string,
  detect: (value: JsonObject) => Kind | undefined,
  problems: ProblemSink,
): readonly Subject[] {
  const kind = isObject(value) ? detect(value) : undefined;
  if (!isObject(value) || kind === undefined) {
    // One that takes anything for its own kind expects nothing else.
    const expected = detect({});
    const args = { kinds: expected === undefined ? KINDS : [expected] };
    problems.push({ rule: 'unknown-document', severity: 'error', pointer, args });
    return [];
  }
  const subjects = findSubjects(value, kind, pointer);
  for (const subject of subjects) checkSubject(subject, problems);
  return subjects;
}

function checkSubject(subject: Subject, problems: ProblemSink): void {
  const { pointer } = subject;
  for (const rule of chooseRules(subject)) {
    for (const problem of rule.check(subject)) {
      problems.push({ ...problem, rule: rule.id, severity: rule.severity, pointer });
    }
  }
}

function chooseRules({ kind, value }: Subject): readonly Rule[] {
  const knownAreFine = isWellShaped(kind, value);
  if (hasUnknownFields(kind, value)) return RULES_OF[kind][knownAreFine ? 'knownAreFine' : 'all'];
  return RULES_OF[kind][knownAreFine ? 'both' : 'allAreKnown'];
}
