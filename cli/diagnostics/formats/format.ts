import { NO_DOCUMENTS } from '../../io/find-inputs.ts';
import { type Colors, stripControls } from '../../io/terminal.ts';
import type { validateTexts } from '../../wording/validate/texts.ts';
import type { Wording } from '../../wording/wording.ts';
import type {
  FileReport,
  Finding,
  FindingWording,
  Severity,
  ValidationSummary,
} from '../finding.ts';

export interface FormatInput {
  reports: readonly FileReport[];
  summary: ValidationSummary;
  wording: FindingWording;
  colors: Colors;
  /** How wide the terminal is, if it is one. */
  columns: number | undefined;
  version: string;
  rules: readonly { id: string; severity: Severity }[];
  /** Leaves the warnings out; they are still counted. */
  quiet: boolean;
  /** Warnings count as errors. */
  strict: boolean;
  say: Wording<typeof validateTexts.en>['say'];
}

/** The whole output, with its last line end; empty if there is nothing to say. */
export type Format = (input: FormatInput) => string;

/** What stands for a rule where a file could not be read. */
export const UNREADABLE = 'unreadable';

const REASONS: Readonly<Record<string, keyof typeof validateTexts.en>> = {
  ENOENT: 'validate.unreadable-missing',
  ENOTDIR: 'validate.unreadable-missing',
  [NO_DOCUMENTS]: 'validate.unreadable-empty',
  EACCES: 'validate.unreadable-forbidden',
  EPERM: 'validate.unreadable-forbidden',
  EFBIG: 'validate.unreadable-large',
  ERR_STRING_TOO_LONG: 'validate.unreadable-large',
  ERR_FS_FILE_TOO_LARGE: 'validate.unreadable-large',
};

/** Why a file could not be read, in words where we have some. */
export function explainUnreadable({ errno }: { errno: string }, { say }: FormatInput): string {
  const key = Object.hasOwn(REASONS, errno) ? REASONS[errno] : undefined;
  return say((key ?? 'validate.unreadable') as 'validate.unreadable', { errno });
}

/** What makes a file invalid. */
export function countFailures({ errors, warnings }: FailureCounts, strict: boolean): number {
  return errors + (strict ? warnings : 0);
}
type FailureCounts = Pick<ValidationSummary, 'errors' | 'warnings'>;

export function selectFindings(report: FileReport, quiet: boolean): readonly Finding[] {
  return quiet ? report.findings.filter(({ severity }) => severity === 'error') : report.findings;
}

/** The line that sums up, and below it why warnings alone make it a failure. */
export function formatCounts({ summary, say, strict }: FormatInput): string {
  const { files, documents, errors, warnings, unreadable } = summary;
  if (errors + warnings + unreadable === 0)
    return say('validate.summary-clean', { files, documents });
  const counts = say('validate.summary-findings', { files, documents, errors, warnings });
  return strict && warnings > 0 ? `${counts}\n--strict: ${say('validate.strict')}` : counts;
}

/** Text from outside on one line of a terminal: it can neither begin a line nor move the cursor. */
export function showInline(text: string): string {
  return stripControls(text).replaceAll('\n', '\\n').replaceAll('\t', ' ');
}
