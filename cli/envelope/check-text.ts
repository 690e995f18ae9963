import type { Finding } from '../diagnostics/finding.ts';
import { maskSecrets } from '../diagnostics/mask-secrets.ts';
import type { ErrorArgs } from '../errors.ts';
import { findDuplicates, hasDuplicateKeys } from '../json/duplicate-keys.ts';
import { outlineJson } from '../json/outline-json.ts';
import { copyText, createSourceText, locate, type Place, pointerTo } from '../json/source-text.ts';
import { checkDocument, type LocatedProblem } from './check-document.ts';
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
  edits: readonly Edit[];
}

export interface TextOptions {
  /** What a value is: by default one of all the kinds, recognised by its fields. */
  detect?: (value: JsonObject) => Kind | undefined;
  /** Checks that see all documents of a file; called with each envelope. */
  watch?: (envelope: JsonObject) => Problem | undefined;
  /** In place of our own rules. */
  check?: (value: unknown, pointer: string) => LocatedProblem[];
}

const NO_FINDINGS: readonly Finding[] = [];
const NO_EDITS: readonly Edit[] = [];

/** Everything that is wrong with a JSON text, one document or an array of them, from a line on. */
export function checkText(text: string, options: TextOptions = {}, firstLine = 1): TextCheck {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { kinds: [], findings: [describeSyntax(text, firstLine)], edits: NO_EDITS };
  }
  const kinds: (Kind | undefined)[] = [];
  const problems: LocatedProblem[] = [];
  // An empty list is nothing that could be checked.
  if (Array.isArray(value) && value.length > 0 && options.check === undefined) {
    for (let index = 0; index < value.length; index++) {
      checkOne(value[index], `/${index}`, options, kinds, problems);
    }
  } else checkOne(value, '', options, kinds, problems);
  const hasDuplicates = hasDuplicateKeys(text, value);
  if (problems.length === 0 && !hasDuplicates) {
    return { kinds, findings: NO_FINDINGS, edits: NO_EDITS };
  }
  return { kinds, ...placeProblems(text, problems, hasDuplicates, firstLine) };
}

function checkOne(
  value: unknown,
  pointer: string,
  { detect = detectKind, watch, check }: TextOptions,
  kinds: (Kind | undefined)[],
  problems: LocatedProblem[],
): void {
  if (check !== undefined) {
    kinds.push(undefined);
    for (const problem of check(value, pointer)) problems.push(problem);
    return;
  }
  const subjects = checkDocument(value, pointer, detect, problems);
  kinds.push(subjects[0]?.kind);
  if (watch === undefined) return;
  for (const { kind: part, value: envelope, pointer: place } of subjects) {
    const problem = part === 'envelope' ? watch(envelope) : undefined;
    if (problem) {
      problems.push({ ...problem, rule: 'turn-order', severity: 'warning', pointer: place });
    }
  }
}

function describeSyntax(text: string, firstLine: number): Finding {
  const outline = outlineJson(text);
  const offset = 'problem' in outline ? outline.problem.offset : 0;
  const expected = 'problem' in outline ? outline.problem.expected : 'value';
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
  hasDuplicates: boolean,
  firstLine: number,
): Pick<TextCheck, 'findings' | 'edits'> {
  const outline = outlineJson(text);
  if ('problem' in outline) throw new Error('JSON.parse and outlineJson disagree');
  const { root } = outline;
  const source = createSourceText(maskSecrets(text), firstLine);
  const edits: Edit[] = [];
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
  for (const { rule, severity, pointer, field, atKey, args = {}, repair } of problems) {
    const full = field === undefined ? pointer : pointerTo(pointer, field);
    const place = locate(root, full);
    // Of a whole object only its first character is marked.
    const shown = field === undefined ? { start: place.start, end: place.start + 1 } : place;
    add((atKey && place.key) || shown, {
      rule,
      severity,
      pointer: full,
      args,
      fixable: repair !== undefined,
    });
    const edit = repair && planEdit(repair, place);
    if (edit) edits.push(edit);
  }
  for (const { member, pointer } of hasDuplicates ? findDuplicates(root) : []) {
    add(
      { start: member.keyStart, end: member.keyEnd },
      {
        rule: 'duplicate-key',
        severity: 'error',
        pointer,
        args: { field: member.key },
        fixable: false,
      },
    );
  }
  found.sort((a, b) => a.offset - b.offset);
  return { findings: found.map(({ finding }) => finding), edits };
}

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
