import { stripControls } from '../../io/terminal.ts';
import type { FileReport, Finding, Severity } from '../finding.ts';
import {
  explainUnreadable,
  type Format,
  type FormatInput,
  formatCounts,
  selectFindings,
  showInline,
  UNREADABLE,
} from './format.ts';

/** Workflow commands, which GitHub Actions shows as annotations in the changed files. */
export const formatGithub: Format = (input) =>
  [...input.reports.flatMap((report) => annotateReport(report, input)), formatCounts(input)]
    .map((line) => `${line}\n`)
    .join('');

function annotateReport(report: FileReport, input: FormatInput): string[] {
  const { unreadable } = report;
  // GitHub finds a file by its path from the root of the repository, without `./`.
  const file = showInline(report.path).replace(/^(?:\.[\\/])+/, '');
  if (unreadable) {
    const message = explainUnreadable(unreadable, input);
    return [formatCommand('error', { file, title: UNREADABLE }, message)];
  }
  return selectFindings(report, input.quiet).map((finding) =>
    annotateFinding(finding, file, input),
  );
}

function annotateFinding(finding: Finding, file: string, { wording, strict }: FormatInput): string {
  const properties = {
    file,
    line: finding.start.line,
    endLine: finding.end.line,
    col: finding.start.column,
    title: showInline(finding.rule),
  };
  const texts = [wording.message(finding), wording.hint(finding)];
  return formatCommand(
    strict ? 'error' : finding.severity,
    properties,
    texts.filter((text) => text !== '').join('\n'),
  );
}

function formatCommand(
  severity: Severity,
  properties: Readonly<Record<string, string | number>>,
  message: string,
): string {
  const list = Object.entries(properties).map(
    ([name, value]) => `${name}=${escapeProperty(String(value))}`,
  );
  return `::${severity} ${list.join(',')}::${escapeData(stripControls(message).replaceAll('\t', ' '))}`;
}

// As @actions/core does it: the percent sign first, so that no escape is escaped again.
function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
