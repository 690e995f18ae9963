import type { Finding, Severity } from '../diagnostics/finding.ts';
import { maskSecrets } from '../diagnostics/mask-secrets.ts';
import type { ErrorArgs } from '../errors.ts';
import { type Duplicate, findDuplicates, hasDuplicateKeys } from '../json/duplicate-keys.ts';
import { findPlaces, type Place, pointerTo } from '../json/find-places.ts';
import { findSyntaxProblem } from '../json/find-syntax-problem.ts';
import { copyText, createSourceText } from '../json/source-text.ts';
import { checkDocument, type LocatedProblem, type ProblemSink } from './check-document.ts';
import { detectKind, type JsonObject, type Kind } from './kinds.ts';
import type { Problem, Repair } from './rule.ts';

/** A piece of text to put in the place of another. */
export interface Edit {
  start: number;
  end: number;
  text: string;
}

export interface TextCheck {
  /** Of each document. */
  kinds: readonly (Kind | undefined)[];
  findings: readonly Finding[];
  /** Further findings, which are only counted. */
  more: Readonly<Record<Severity, number>>;
}

export interface TextOptions {
  /** What a value is: by default one of all the kinds, recognised by its fields. */
  detect?: (value: JsonObject) => Kind | undefined;
  /** Checks that see all documents of a file; called with each envelope. */
  watch?: (envelope: JsonObject) => Problem | undefined;
  /** In place of our own rules. */
  check?: (value: unknown, pointer: string) => LocatedProblem[];
}

/** More findings of one file than this are counted, not kept. */
export const MAX_FINDINGS = 1000;
const NOTHING_MORE = { error: 0, warning: 0 };
const NO_FINDINGS: readonly Finding[] = [];

/** Everything that is wrong with a JSON text, one document or an array of them, from a line on. */
export function checkText(text: string, options: TextOptions = {}, firstLine = 1): TextCheck {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { kinds: [], findings: [describeSyntax(text, firstLine)], more: NOTHING_MORE };
  }
  const problems: LocatedProblem[] = [];
  const more = { ...NOTHING_MORE };
  const kinds = checkValue(value, options, {
    push: (problem: LocatedProblem) =>
      problems.length < MAX_FINDINGS ? problems.push(problem) : more[problem.severity]++,
  });
  const hasDuplicates = hasDuplicateKeys(text, value);
  if (problems.length === 0 && !hasDuplicates) {
    return { kinds, findings: NO_FINDINGS, more };
  }
  const duplicates: Duplicate[] = [];
  for (const duplicate of hasDuplicates ? findDuplicates(text) : []) {
    if (duplicates.length < MAX_FINDINGS) duplicates.push(duplicate);
    else more.error++;
  }
  return { kinds, findings: placeProblems(text, problems, duplicates, firstLine), more };
}

/** The edits that repair what has one right answer in a JSON text. */
export function planEdits(text: string, options: TextOptions): Edit[] {
  const problems: (LocatedProblem & { repair: Repair })[] = [];
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return [];
  }
  checkValue(value, options, {
    push: ({ repair, ...problem }: LocatedProblem) =>
      repair === undefined ? 0 : problems.push({ ...problem, repair }),
  });
  // With double keys nobody knows which is meant: to rename one would only hide that.
  if (problems.length === 0 || hasDuplicateKeys(text, value)) return [];
  const places = findPlaces(text, problems.map(pointerOf));
  return problems.flatMap(({ repair }, index) => planEdit(repair, places[index] as Place) ?? []);
}

/** Adds what is wrong with the documents in a value, and returns their kinds. */
function checkValue(
  value: unknown,
  options: TextOptions,
  problems: ProblemSink,
): (Kind | undefined)[] {
  // An empty list is nothing that could be checked.
  if (!Array.isArray(value) || value.length === 0 || options.check !== undefined) {
    return [checkOne(value, '', options, problems)];
  }
  return value.map((item, index) => checkOne(item, `/${index}`, options, problems));
}

function checkOne(
  value: unknown,
  pointer: string,
  { detect = detectKind, watch, check }: TextOptions,
  problems: ProblemSink,
): Kind | undefined {
  if (check !== undefined) {
    for (const problem of check(value, pointer)) problems.push(problem);
    return undefined;
  }
  const subjects = checkDocument(value, pointer, detect, problems);
  for (const { kind: part, value: envelope, pointer: place } of watch ? subjects : []) {
    const problem = part === 'envelope' ? watch?.(envelope) : undefined;
    if (problem) {
      problems.push({ ...problem, rule: 'turn-order', severity: 'warning', pointer: place });
    }
  }
  return subjects[0]?.kind;
}

function describeSyntax(text: string, firstLine: number): Finding {
  const problem = findSyntaxProblem(text);
  if (problem === undefined) throw new Error('JSON.parse and findSyntaxProblem disagree');
  const { offset, expected } = problem;
  const code = text.codePointAt(offset);
  const found = code === undefined ? '' : String.fromCodePoint(code);
  const source = createSourceText(maskSecrets(text), firstLine);
  return {
    rule: 'json-syntax',
    severity: 'error',
    pointer: '',
    start: source.position(offset),
    end: source.position(Math.min(offset + found.length, text.length)),
    args: { expected, found },
    ...source.excerpt(offset),
    fixable: false,
  };
}

function placeProblems(
  text: string,
  problems: readonly LocatedProblem[],
  duplicates: readonly Duplicate[],
  firstLine: number,
): Finding[] {
  const source = createSourceText(maskSecrets(text), firstLine);
  const found: { finding: Finding; offset: number }[] = [];
  const add = (
    place: { start: number; end: number },
    facts: Pick<Finding, 'rule' | 'severity' | 'pointer' | 'args' | 'fixable'>,
  ) => {
    const start = source.position(place.start);
    const end = source.position(place.end);
    const args = shortenArgs(facts.args);
    const excerpt = source.excerpt(place.start);
    found.push({ finding: { ...facts, args, start, end, ...excerpt }, offset: place.start });
  };
  const places = findPlaces(text, problems.map(pointerOf));
  problems.forEach((problem, index) => {
    const { rule, severity, field, atKey, args = {}, repair } = problem;
    const place = places[index] as Place;
    // Of a whole object only its first character is marked.
    const shown = field === undefined ? { start: place.start, end: place.start + 1 } : place;
    const pointer = pointerOf(problem);
    const fixable = repair !== undefined && duplicates.length === 0;
    add((atKey && place.key) || shown, { rule, severity, pointer, args, fixable });
  });
  for (const { name, pointer, place } of duplicates) {
    const args = { field: name };
    add(place, { rule: 'duplicate-key', severity: 'error', pointer, args, fixable: false });
  }
  found.sort((a, b) => a.offset - b.offset);
  return found.map(({ finding }) => finding);
}

const pointerOf = ({ pointer, field }: LocatedProblem) =>
  field === undefined ? pointer : pointerTo(pointer, field);

function planEdit(repair: Repair, place: Place): Edit | undefined {
  if ('replaceWith' in repair) {
    return { start: place.start, end: place.end, text: JSON.stringify(repair.replaceWith) };
  }
  return place.key && { ...place.key, text: JSON.stringify(repair.renameTo) };
}

const MAX_ARGUMENT = 200;

/** What a file says may be long; a finding is not, nor does it keep the file in memory. */
function shortenArgs(args: ErrorArgs): ErrorArgs {
  return Object.fromEntries(
    Object.entries(args).map(([name, value]) => {
      if (typeof value !== 'string') return [name, value];
      const isLong = value.length > MAX_ARGUMENT;
      const short = isLong ? `${value.slice(0, MAX_ARGUMENT)}…` : value;
      return [name, copyText(maskSecrets(short))];
    }),
  );
}
