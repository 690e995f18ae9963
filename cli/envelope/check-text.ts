import type { Finding } from '../diagnostics/finding.ts';
import { findDuplicates, hasDuplicateKeys } from '../json/duplicate-keys.ts';
import { type JsonNode, outlineJson } from '../json/outline-json.ts';
import { createSourceText, locate, type Place, pointerTo } from '../json/source-text.ts';
import { checkDocument, type LocatedProblem } from './check-document.ts';
import type { JsonObject, Kind } from './kinds.ts';
import type { Problem, Repair } from './rule.ts';

/** A piece of text to put in the place of another. */
export interface Edit {
  start: number;
  end: number;
  text: string;
}

export interface TextCheck {
  kinds: (Kind | undefined)[];
  findings: Finding[];
  edits: Edit[];
}

export interface TextOptions {
  kind?: Kind | undefined;
  /** Where the text begins in its file. */
  firstLine?: number;
  /** Checks that see all documents of a file; called with each envelope. */
  watch?: (envelope: JsonObject) => Problem | undefined;
  /** In place of our own rules. */
  check?: (value: unknown, pointer: string) => LocatedProblem[];
}

const NO_CHECK: TextCheck = { kinds: [], findings: [], edits: [] };

/** Everything that is wrong with a JSON text: one document, or an array of them. */
export function checkText(text: string, options: TextOptions = {}): TextCheck {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { ...NO_CHECK, findings: [describeSyntax(text, options.firstLine)] };
  }
  const { kinds, problems } = checkValue(value, options);
  const hasDuplicates = hasDuplicateKeys(text, value);
  if (problems.length === 0 && !hasDuplicates) return { ...NO_CHECK, kinds };
  return { kinds, ...placeProblems(text, problems, hasDuplicates, options.firstLine) };
}

function checkValue(value: unknown, { kind, watch, check }: TextOptions) {
  const kinds: (Kind | undefined)[] = [];
  const problems: LocatedProblem[] = [];
  const checkOne = (one: unknown, pointer: string) => {
    if (check !== undefined) {
      problems.push(...check(one, pointer));
      kinds.push(undefined);
      return;
    }
    const result = checkDocument(one, pointer, kind);
    kinds.push(result.kind);
    problems.push(...result.problems);
    for (const { value: envelope, pointer: place } of watch ? result.envelopes : []) {
      const problem = watch?.(envelope);
      if (problem) {
        problems.push({ ...problem, rule: 'turn-order', severity: 'warning', pointer: place });
      }
    }
  };
  if (Array.isArray(value) && check === undefined) {
    value.forEach((one, index) => {
      checkOne(one, `/${index}`);
    });
  } else checkOne(value, '');
  return { kinds, problems };
}

function describeSyntax(text: string, firstLine?: number): Finding {
  const outline = outlineJson(text);
  const offset = 'problem' in outline ? outline.problem.offset : 0;
  const expected = 'problem' in outline ? outline.problem.expected : 'value';
  const code = text.codePointAt(offset);
  const found = code === undefined ? '' : String.fromCodePoint(code);
  const source = createSourceText(text, firstLine);
  return {
    rule: 'json-syntax',
    severity: 'error',
    pointer: '',
    start: source.position(offset),
    end: source.position(Math.min(offset + found.length, text.length)),
    args: { expected, found },
    excerpt: source.excerpt(offset),
    fixable: false,
  };
}

function placeProblems(
  text: string,
  problems: readonly LocatedProblem[],
  hasDuplicates: boolean,
  firstLine?: number,
): Pick<TextCheck, 'findings' | 'edits'> {
  const outline = outlineJson(text);
  if ('problem' in outline) throw new Error('JSON.parse and outlineJson disagree');
  const { root } = outline;
  const source = createSourceText(text, firstLine);
  const edits: Edit[] = [];
  const found: { finding: Finding; offset: number }[] = [];
  const add = (
    place: { start: number; end: number },
    facts: Pick<Finding, 'rule' | 'severity' | 'pointer' | 'args' | 'fixable'>,
  ) => {
    const start = source.position(place.start);
    const end = source.position(place.end);
    const excerpt = source.excerpt(place.start);
    found.push({ finding: { ...facts, start, end, excerpt }, offset: place.start });
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
  for (const { member, owner } of hasDuplicates ? findDuplicates(root) : []) {
    add(
      { start: member.keyStart, end: member.keyEnd },
      {
        rule: 'duplicate-key',
        severity: 'error',
        pointer: pointerTo(pointerOf(root, owner), member.key),
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

/** The way from the root to a node, known only by its place in the text. */
function pointerOf(root: JsonNode, node: JsonNode): string {
  let pointer = '';
  let current: JsonNode | undefined = root;
  const holds = (it: JsonNode) => it.start <= node.start && node.end <= it.end;
  while (current !== undefined && current !== node) {
    const member: { key: string; value: JsonNode } | undefined = current.members?.find((it) =>
      holds(it.value),
    );
    const index: number = member ? -1 : (current.items?.findIndex(holds) ?? -1);
    if (member === undefined && index === -1) return pointer;
    pointer = pointerTo(pointer, member?.key ?? index);
    current = member?.value ?? current.items?.[index];
  }
  return pointer;
}
