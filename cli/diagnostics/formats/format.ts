import { type Colors, stripControls } from '../../io/terminal.ts';
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
  version: string;
  rules: readonly { id: string; severity: Severity }[];
  /** Leaves the warnings out; they are still counted. */
  quiet: boolean;
  say: Wording['say'];
}

/** The whole output, with its last line end; empty if there is nothing to say. */
export type Format = (input: FormatInput) => string;

/** What stands for a rule where a file could not be read. */
export const UNREADABLE = 'unreadable';

export function selectFindings(report: FileReport, quiet: boolean): readonly Finding[] {
  return quiet ? report.findings.filter(({ severity }) => severity === 'error') : report.findings;
}

/** Text from outside on one line of a terminal: it can neither begin a line nor move the cursor. */
export function showInline(text: string): string {
  return stripControls(text).replaceAll('\n', '\\n').replaceAll('\t', ' ');
}

/** Also the characters that a terminal acts on are escaped; JSON reads them back as they were. */
export function printJson(value: unknown): string {
  return `${stripControls(JSON.stringify(value, null, 2))}\n`;
}
