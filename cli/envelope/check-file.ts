import type { FileReport, Finding } from '../diagnostics/finding.ts';
import { maskSecrets } from '../diagnostics/mask-secrets.ts';
import { errnoOf, type FileSystem } from '../io/files.ts';
import type { FoundInput, Input } from '../io/find-inputs.ts';
import {
  decodeText,
  findInvalidByte,
  joinParts,
  readParts,
  readText,
  readWhole,
  type TextPart,
} from '../io/read-text.ts';
import { createSourceText } from '../json/source-text.ts';
import { checkText, MAX_FINDINGS, type TextCheck, type TextOptions } from './check-text.ts';
import { detectForEnvelope, detectKind, type Kind, kindByName } from './kinds.ts';
import { createTurnWatch } from './turn-order.ts';

const BYTE_ORDER_MARK = '\ufeff';

export interface CheckOptions {
  /** What every document is meant to be. */
  kind?: Kind | undefined;
  /** Whether only an envelope will do, in whatever form it travels. */
  forEnvelope?: boolean;
  check?: NonNullable<TextOptions['check']>;
}

type Collector = ReturnType<typeof createCollector>;

export interface CheckedFile extends FileReport {
  documents: number;
}

/** Reads and checks one input. Nothing that is in it makes this fail. */
export function checkFile(fs: FileSystem, input: FoundInput, options: CheckOptions): CheckedFile {
  const collector = createCollector(input.path);
  if ('errno' in input) return collector.report({ errno: input.errno });
  const textOptions: TextOptions = {
    detect: chooseDetection(input, options),
    watch: createTurnWatch(),
    ...(options.check && { check: options.check }),
  };
  try {
    checkInput(fs, input, collector, textOptions);
  } catch (error) {
    // Gone or shut meanwhile, or longer than a string can be.
    const errno = errnoOf(error);
    if (errno === undefined) throw error;
    return collector.report({ errno });
  }
  return collector.report();
}

/** How the kind of each document in a file is found out. */
export function chooseDetection(
  { path }: Pick<Input, 'path'>,
  { kind = kindByName(path), forEnvelope }: Pick<CheckOptions, 'kind' | 'forEnvelope'>,
): NonNullable<TextOptions['detect']> {
  if (kind !== undefined) return () => kind;
  return forEnvelope ? detectForEnvelope : detectKind;
}

function checkInput(fs: FileSystem, input: Input, collector: Collector, options: TextOptions) {
  if (/\.json$/i.test(input.path)) {
    const text = readText(fs, input) ?? decode(readWhole(fs, input), 1, collector);
    checkWhole(text, collector, options);
    return;
  }
  const parts = readParts(fs, input);
  const first = parts.next();
  const beginning: TextPart = first.done ? { content: Buffer.alloc(0), firstLine: 1 } : first.value;
  if (isLines(input.path, beginning.content)) {
    checkLines(beginning, collector, options);
    for (const part of parts) checkLines(part, collector, options);
  } else checkWhole(decode(joinParts(beginning, parts), 1, collector), collector, options);
}

/** By its name; standard input and the like, by whether the first line is a whole document. */
export function isLines(name: string, beginning: Buffer): boolean {
  if (/\.json$/i.test(name)) return false;
  if (/\.(jsonl|ndjson)$/i.test(name)) return true;
  const [first = '', ...rest] = beginning.toString('utf8').trimStart().split('\n', 2);
  if (rest.join('').trim() === '') return false;
  try {
    JSON.parse(first);
    return true;
  } catch {
    return false;
  }
}

function checkWhole(text: string | undefined, collector: Collector, options: TextOptions): void {
  if (text === undefined) return;
  collector.add(checkText(dropByteOrderMark(text, collector), options));
}

function checkLines({ content, firstLine }: TextPart, collector: Collector, options: TextOptions) {
  const text = decodeText(content);
  if (text !== undefined) {
    checkDecodedLines(text, firstLine, collector, options);
    return;
  }
  // Only the line with the bad byte is lost, not its neighbours.
  let line = firstLine;
  for (let start = 0; start < content.length; line++) {
    const end = content.indexOf(10, start);
    const next = end === -1 ? content.length : end + 1;
    const text = decode(content.subarray(start, next), line, collector);
    if (text !== undefined) checkDecodedLines(text, line, collector, options);
    start = next;
  }
}

function checkDecodedLines(
  decoded: string,
  firstLine: number,
  collector: Collector,
  options: TextOptions,
): void {
  const text = firstLine === 1 ? dropByteOrderMark(decoded, collector) : decoded;
  let line = firstLine;
  for (let start = 0; start < text.length; line++) {
    const end = text.indexOf('\n', start);
    const next = end === -1 ? text.length : end;
    const content = text.slice(start, next);
    if (content.trim() !== '') collector.add(checkText(content, options, line));
    start = next + 1;
  }
}

/** The text of a file or a line of it; a finding where it is not UTF-8. */
function decode(content: Buffer, firstLine: number, collector: Collector): string | undefined {
  const text = decodeText(content);
  if (text !== undefined) return text;
  const byte = findInvalidByte(content);
  const before = content.toString('utf8', 0, byte);
  const source = createSourceText(maskSecrets(content.toString('utf8')), firstLine);
  collector.addFinding({
    rule: 'invalid-utf8',
    severity: 'error',
    pointer: '',
    start: source.position(before.length),
    end: source.position(before.length + 1),
    args: {},
    ...source.excerpt(before.length),
    fixable: false,
  });
  return undefined;
}

/** Where a file begins with one, that is a finding. */
function dropByteOrderMark(text: string, collector: Collector): string {
  if (!text.startsWith(BYTE_ORDER_MARK)) return text;
  const rest = text.slice(1);
  collector.addFinding({
    rule: 'byte-order-mark',
    severity: 'warning',
    pointer: '',
    start: { line: 1, column: 1 },
    end: { line: 1, column: 2 },
    args: {},
    ...createSourceText(maskSecrets(rest)).excerpt(0),
    fixable: true,
  });
  return rest;
}

function createCollector(path: string) {
  const findings: Finding[] = [];
  const kinds = new Set<string>();
  const counts = { error: 0, warning: 0 };
  let documents = 0;
  const addFinding = (finding: Finding) => {
    counts[finding.severity]++;
    if (findings.length < MAX_FINDINGS) findings.push(finding);
  };
  return {
    addFinding,
    add(check: TextCheck) {
      documents += check.kinds.length;
      for (const kind of check.kinds) if (kind !== undefined) kinds.add(kind);
      for (const finding of check.findings) addFinding(finding);
      counts.error += check.more.error;
      counts.warning += check.more.warning;
    },
    report(unreadable?: { errno: string }): CheckedFile {
      return {
        path,
        kinds: [...kinds],
        findings,
        errors: counts.error,
        warnings: counts.warning,
        documents,
        ...(unreadable === undefined ? {} : { unreadable }),
      };
    },
  };
}
