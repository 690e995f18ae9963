import type { FileReport, Finding } from '../finding.ts';
import { type Format, type FormatInput, printJson, selectFindings } from './format.ts';

/** For programs. */
export const formatJson: Format = (input) => {
  const { reports, summary } = input;
  return printJson({
    ok: summary.errors + summary.unreadable === 0,
    summary,
    files: reports.map((report) => describeFile(report, input)),
  });
};

function describeFile(report: FileReport, { quiet, wording, say }: FormatInput) {
  const { path, kinds, errors, warnings, unreadable } = report;
  return {
    path,
    kinds,
    errors,
    warnings,
    ...(unreadable && {
      unreadable: {
        errno: unreadable.errno,
        message: say('validate.unreadable', { errno: unreadable.errno }),
      },
    }),
    findings: selectFindings(report, quiet).map((finding: Finding) => ({
      rule: finding.rule,
      severity: finding.severity,
      pointer: finding.pointer,
      line: finding.start.line,
      column: finding.start.column,
      endLine: finding.end.line,
      endColumn: finding.end.column,
      message: wording.message(finding),
      hint: wording.hint(finding),
      args: finding.args,
      fixable: finding.fixable,
    })),
  };
}
