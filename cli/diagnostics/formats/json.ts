import { printJson } from '../../io/terminal.ts';
import type { FileReport, Finding } from '../finding.ts';
import {
  countFailures,
  explainUnreadable,
  type Format,
  type FormatInput,
  selectFindings,
} from './format.ts';

/** For programs. */
export const formatJson: Format = (input) => {
  const { reports, summary, strict } = input;
  return printJson({
    ok: countFailures(summary, strict) + summary.unreadable === 0,
    summary,
    files: reports.map((report) => describeFile(report, input)),
  });
};

function describeFile(report: FileReport, input: FormatInput) {
  const { quiet, wording } = input;
  const { path, kinds, errors, warnings, isFixed, unreadable } = report;
  return {
    path,
    kinds,
    errors,
    warnings,
    ...(isFixed && { fixed: true }),
    ...(unreadable && {
      unreadable: {
        errno: unreadable.errno,
        message: explainUnreadable(unreadable, input),
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
