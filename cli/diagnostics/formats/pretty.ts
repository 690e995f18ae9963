import { measureWidth } from '../../io/terminal.ts';
import type { FileReport, Finding } from '../finding.ts';
import {
  countFailures,
  explainUnreadable,
  type Format,
  type FormatInput,
  formatCounts,
  selectFindings,
  showInline,
} from './format.ts';

/** For people: each finding with the line it is in, then the counts. */
export const formatPretty: Format = (input) => {
  const { summary, quiet, strict } = input;
  const blocks = input.reports.flatMap((report) => formatReport(report, input));
  const failures = countFailures(summary, strict) + summary.unreadable;
  if (!quiet || failures > 0) blocks.push(formatSummary(input, failures > 0));
  return blocks.map((block) => `${block}\n`).join('\n');
};

function formatReport(report: FileReport, input: FormatInput): string[] {
  if (report.errors + report.warnings === 0 && !report.unreadable) return [];
  const { colors, quiet, say } = input;
  const path = showInline(report.path);
  if (report.unreadable) {
    const message = showInline(explainUnreadable(report.unreadable, input));
    return [`${colors.bold(path)} ${colors.red(say('error.label'))} ${message}`];
  }
  const findings = selectFindings(report, quiet);
  const blocks = findings.map((finding) => formatFinding(finding, path, input));
  const hidden = report.errors + (quiet ? 0 : report.warnings) - findings.length;
  if (hidden > 0) blocks.push(`${colors.bold(path)} ${say('validate.more', { count: hidden })}`);
  return blocks;
}

function formatFinding(finding: Finding, path: string, input: FormatInput): string {
  const { colors, wording, say } = input;
  const isError = finding.severity === 'error';
  const highlight = isError ? colors.red : colors.cyan;
  const place = colors.bold(`${path}:${finding.start.line}:${finding.start.column}`);
  const label = highlight(say(isError ? 'error.label' : 'validate.warning-label'));
  const message = showInline(wording.message(finding));
  const lines = [`${place} ${label} ${message} ${colors.dim(`(${showInline(finding.rule)})`)}`];

  const frame = createCodeFrame(finding, input.columns);
  if (frame) {
    lines.push(`  ${colors.dim(frame.gutter)}${frame.source}`);
    lines.push(`  ${colors.dim(frame.indent)}${highlight(frame.carets)}`);
  }
  const hint = showInline(wording.hint(finding));
  if (hint !== '') lines.push(`  ${colors.cyan(say('hint.label'))}${say('sentence.colon')}${hint}`);
  return lines.join('\n');
}

function formatSummary(input: FormatInput, failed: boolean): string {
  const { reports, colors, quiet, say } = input;
  const { errors, warnings, unreadable } = input.summary;
  const counts = formatCounts(input);
  if (errors + warnings + unreadable === 0) return colors.green(counts);
  const lines = [failed ? colors.red(counts) : colors.cyan(counts)];
  if (unreadable > 0) lines.push(say('validate.summary-unreadable', { count: unreadable }));
  const shown = reports.flatMap((report) => selectFindings(report, quiet));
  const fixable = shown.filter((finding) => finding.fixable).length;
  if (fixable > 0) lines.push(say('validate.fixable', { count: fixable }));
  return lines.join('\n');
}

const MAX_WIDTH = 100;
const MIN_WIDTH = 20;
/** Before the gutter. */
const INDENT = 2;
/** What a cut line shows before the finding at least. */
const LEAD = 40;

interface CodeFrame {
  gutter: string;
  source: string;
  /** As wide as the gutter. */
  indent: string;
  carets: string;
}

/** The line a finding begins in, and carets below what it is about. */
function createCodeFrame(
  { excerpt, excerptColumn, start, end }: Finding,
  columns = Number.POSITIVE_INFINITY,
): CodeFrame | undefined {
  if (excerpt.trim() === '') return undefined;
  const indexOf = (column: number) => snapToCharacter(excerpt, column - excerptColumn);
  const from = indexOf(start.column);
  const to = end.line > start.line ? excerpt.length : indexOf(end.column);

  // Escaped piece by piece: an escape takes more columns than the character it stands for.
  let before = showInline(excerpt.slice(0, from));
  const marked = showInline(excerpt.slice(from, Math.max(from, to)));
  let rest = marked + showInline(excerpt.slice(Math.max(from, to)));

  const gutter = `${start.line} | `;
  // A line that the terminal breaks would part the carets from what they are about.
  const width = Math.max(MIN_WIDTH, Math.min(MAX_WIDTH, columns - gutter.length - INDENT));
  if (measureWidth(before + rest) > width) {
    before = cutStart(before, Math.max(Math.min(LEAD, width / 2), width - measureWidth(rest)));
    rest = cutEnd(rest, width - measureWidth(before));
  }
  const carets = Math.min(Math.max(1, measureWidth(marked)), Math.max(1, measureWidth(rest)));
  return {
    gutter,
    source: before + rest,
    indent: `${' '.repeat(gutter.length - 2)}| `,
    carets: ' '.repeat(measureWidth(before)) + '^'.repeat(carets),
  };
}

/** An index inside the text, and not between the halves of a surrogate pair. */
function snapToCharacter(text: string, index: number): number {
  const inside = Math.min(Math.max(0, index), text.length);
  const splitsPair = (text.codePointAt(inside - 1) ?? 0) > 0xffff;
  return splitsPair ? inside - 1 : inside;
}

function cutEnd(text: string, width: number): string {
  if (measureWidth(text) <= width) return text;
  return `${takeWidth([...text], width - 1).join('')}…`;
}

function cutStart(text: string, width: number): string {
  if (measureWidth(text) <= width) return text;
  const kept = takeWidth([...text].reverse(), width - 1);
  return `…${kept.reverse().join('')}`;
}

function takeWidth(characters: readonly string[], width: number): string[] {
  const taken: string[] = [];
  let used = 0;
  for (const character of characters) {
    used += measureWidth(character);
    if (used > width) break;
    taken.push(character);
  }
  return taken;
}
