import type { ErrorArgs } from '../errors.ts';

export type Severity = 'error' | 'warning';

/** A place in a text. Lines and columns count from 1, columns in UTF-16 units as editors do. */
export interface Position {
  line: number;
  column: number;
}

/** One thing that is wrong, as data: the wording is in the catalogues. */
export interface Finding {
  /** The id of the rule. */
  rule: string;
  severity: Severity;
  /** JSON pointer into the document; of a JSONL file, into the line's document. */
  pointer: string;
  start: Position;
  end: Position;
  args: ErrorArgs;
  /** The line of the text the finding begins in, without its line end; cut if very long. */
  excerpt: string;
  /** The column in which the excerpt begins. */
  excerptColumn: number;
  /** Whether `--fix` can repair it. */
  fixable: boolean;
}

export interface FileReport {
  /** As the user named it, or found below a folder the user named; `-` for standard input. */
  path: string;
  /** What was recognised in it: of a JSONL file or an array, of every document. */
  kinds: readonly string[];
  findings: readonly Finding[];
  /** All of them, also those beyond the limit of what is kept. */
  errors: number;
  warnings: number;
  /** Whether `--fix` has changed it. */
  isFixed?: boolean;
  /** Why it could not be read at all. */
  unreadable?: { errno: string };
}

export interface ValidationSummary {
  files: number;
  documents: number;
  errors: number;
  warnings: number;
  unreadable: number;
}

/** The words for findings, in one language. */
export interface FindingWording {
  /** What is wrong. */
  message(finding: Pick<Finding, 'rule' | 'args'>): string;
  /** What to do, or an empty text. */
  hint(finding: Pick<Finding, 'rule' | 'args'>): string;
  /** What a rule means, for a list of rules. */
  meaning(rule: string): string;
}
