import type { FileReport, Finding } from '../diagnostics/finding.ts';
import { errnoOf, type FileSystem } from '../io/files.ts';
import type { FoundInput, Input } from '../io/find-inputs.ts';
import { findInvalidByte, readParts, readWhole, type TextPart } from '../io/read-text.ts';
import { createSourceText } from '../json/source-text.ts';
import { checkText, type TextOptions } from './check-text.ts';
import type { Kind } from './kinds.ts';
import { createTurnWatch } from './turn-order.ts';

/** More findings of one file than this are counted, not kept. */
const MAX_FINDINGS = 1000;
const BYTE_ORDER_MARK = '\ufeff';

export interface CheckOptions {
  kind?: Kind | undefined;
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
  const textOptions: TextOptions = { ...options, watch: createTurnWatch() };
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

function checkInput(fs: FileSystem, input: Input, collector: Collector, options: TextOptions) {
  if (/\.json$/i.test(input.path)) {
    checkWhole(readWhole(fs, input), collector, options);
    return;
  }
  const parts = readParts(fs, input);
  const first = parts.next();
  if (first.done || isLines(input.path, first.value.content)) {
    if (!first.done) checkLines(first.value, collector, options);
    for (const part of parts) checkLines(part, collector, options);
  } else {
    const all = [first.value, ...parts].map((part) => part.content);
    checkWhole(Buffer.concat(all), collector, options);
  }
}

/** By its name; standard input and the like, by whether the first line is a whole document. */
function isLines(name: string, beginning: Buffer): boolean {
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

function checkWhole(content: Buffer, collector: Collector, options: TextOptions): void {
  const text = decode(content, 1, collector);
  if (text === undefined) return;
  collector.add(checkText(text, options));
}

function checkLines({ content, firstLine }: TextPart, collector: Collector, options: TextOptions) {
  const invalid = findInvalidByte(content);
  if (invalid === undefined) {
    checkDecodedLines(decode(content, firstLine, collector) ?? '', firstLine, collector, options);
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
  text: string,
  firstLine: number,
  collector: Collector,
  options: TextOptions,
): void {
  let line = firstLine;
  for (let start = 0; start < text.length; line++) {
    const end = text.indexOf('\n', start);
    const next = end === -1 ? text.length : end;
    const content = text.slice(start, next);
    if (content.trim() !== '') collector.add(checkText(content, { ...options, firstLine: line }));
    start = next + 1;
  }
}

/** The text of a file without a byte order mark; nothing where it is not UTF-8. */
function decode(content: Buffer, firstLine: number, collector: Collector): string | undefined {
  const byte = findInvalidByte(content);
  if (byte !== undefined) {
    const before = content.toString('utf8', 0, byte);
    const source = createSourceText(content.toString('utf8'), firstLine);
    collector.addFinding({
      rule: 'invalid-utf8',
      severity: 'error',
      pointer: '',
      start: source.position(before.length),
      end: source.position(before.length + 1),
      args: { byte },
      excerpt: source.excerpt(before.length),
      fixable: false,
    });
    return undefined;
  }
  const text = content.toString('utf8');
  if (firstLine > 1 || !text.startsWith(BYTE_ORDER_MARK)) return text;
  collector.addFinding({
    rule: 'byte-order-mark',
    severity: 'warning',
    pointer: '',
    start: { line: 1, column: 1 },
    end: { line: 1, column: 2 },
    args: {},
    excerpt: text.slice(1, text.indexOf('\n') >>> 0).slice(0, 200),
    fixable: true,
  });
  return text.slice(1);
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
    add(check: { kinds: readonly (string | undefined)[]; findings: readonly Finding[] }) {
      documents += check.kinds.length;
      for (const kind of check.kinds) if (kind !== undefined) kinds.add(kind);
      for (const finding of check.findings) addFinding(finding);
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
