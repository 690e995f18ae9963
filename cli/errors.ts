/** What can go wrong, and the exit code it ends with. The wording is in the catalogues. */
const EXIT_CODES = {
  'unknown-command': 2,
  'unknown-option': 2,
  'unknown-value': 2,
  'missing-value': 2,
  'missing-argument': 2,
  'excess-argument': 2,
  'unknown-language': 2,
  'bad-schema': 2,
  unreadable: 2,
  'response-needs-one': 2,
  'empty-dir': 2,
  'no-cwd': 2,
  'skill-exists': 1,
  'empty-folder-exists': 1,
  'folder-exists': 1,
  'folder-interrupted': 1,
  'folder-busy': 1,
  'not-a-folder': 1,
  'not-a-file': 1,
  'symbolic-link': 1,
  'broken-link': 1,
  'no-permission': 1,
  'disk-full': 1,
  'file-error': 1,
  'rollback-failed': 1,
  'output-failed': 1,
  'package-damaged': 1,
  cancelled: 130,
  bug: 70,
} as const;

export type ErrorCode = keyof typeof EXIT_CODES;
export const ERROR_CODES = Object.keys(EXIT_CODES) as ErrorCode[];

export type ErrorArgs = Record<string, string | number | readonly string[]>;

/** An end that the user is told about: data only, worded at the edge. */
export class CliError extends Error {
  readonly code: ErrorCode;
  readonly args: ErrorArgs;

  constructor(code: ErrorCode, args: ErrorArgs = {}, cause?: unknown) {
    super(code, { cause });
    this.name = 'CliError';
    this.code = code;
    this.args = args;
  }

  get exitCode(): number {
    return EXIT_CODES[this.code];
  }
}
