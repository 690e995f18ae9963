import { CliError } from '../../cli/errors.ts';
import { errnoOf, type FileSystem } from '../../cli/io/files.ts';

const FORM = /^[\x21-\x7e]{32,512}$/;
const MAX_FILE = 4096;

export interface OperatorKey {
  key: string;
  /** Whether others on this machine can read the file. */
  isExposed: boolean;
}

export function readOperatorKey(fs: FileSystem, file: string): OperatorKey {
  let content: string;
  let mode: number;
  try {
    const entry = fs.statSync(file);
    if (!entry.isFile()) throw new CliError('not-a-file', { path: file });
    mode = entry.mode;
    content = entry.size > MAX_FILE ? '' : fs.readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw new CliError('unreadable', { path: file, errno: errnoOf(error) ?? 'unknown' }, error);
  }
  const key = content.trim();
  if (!FORM.test(key)) {
    throw new CliError('hub-bad-operator-key', { path: file });
  }
  return { key, isExposed: (mode & 0o077) !== 0 };
}
