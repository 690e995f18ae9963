import path from 'node:path';
import { type FileSystem, isMissing, readFileIfThere, writeNewFiles } from '../io/files.ts';
import { replaceFile } from '../io/replace-file.ts';
import type { RunProgram } from '../io/run-program.ts';
import {
  CREDENTIALS_FILE,
  HISTORY_FOLDER,
  INBOX_FILE,
  INBOX_LOCK,
  INVALID_FILE,
} from '../protocol/constants.ts';
import { pendingFile } from './find-credentials.ts';

/** The user's messages, which lie beside the credentials. */
const MESSAGE_FILES = [INBOX_FILE, INBOX_LOCK, INVALID_FILE];

export interface GitWorld {
  fs: FileSystem;
  run: RunProgram;
}

/** How a file stands to the git work tree it lies in. */
export type GitState =
  | { state: 'outside' }
  /** `file`: where the lines would go. */
  | { state: 'ignored' | 'exposed' | 'tracked'; root: string; file: string; lines: string[] };

/** Whether git would take the file, or messages beside it, into a commit. Works without git, too, as far as possible. */
export async function readGitState({ fs, run }: GitWorld, file: string): Promise<GitState> {
  const root = findWorkTree(fs, path.dirname(file));
  if (root === undefined) return { state: 'outside' };
  const ignoreFile = path.join(root, '.gitignore');
  const known = { root, file: ignoreFile, lines: ignoreLines(root, file) };
  const git = (...args: string[]) => run('git', ['-C', root, ...args]);
  const tracked = await git('ls-files', '--error-unmatch', '--', file);
  if (tracked?.status === 0) return { ...known, state: 'tracked' };
  // Copies of older credentials hold keys, too.
  const messages = [path.join(HISTORY_FOLDER, 'any'), ...MESSAGE_FILES];
  const beside = messages.map((name) => path.join(path.dirname(file), name));
  const wanted = [file, pendingFile(file), ...beside];
  const ignored = await git('check-ignore', '--', ...wanted);
  const isIgnored =
    ignored === undefined || ignored.status > 1
      ? missingLines(readFileIfThere(fs, ignoreFile), known.lines).length === 0
      : ignored.stdout.trim().split('\n').length === wanted.length;
  return { ...known, state: isIgnored ? 'ignored' : 'exposed' };
}

/** Adds the lines, so that the files are kept out of commits from now on. */
export function addIgnoreLines(
  fs: FileSystem,
  { file, lines }: { file: string; lines: readonly string[] },
): void {
  const content = readFileIfThere(fs, file);
  if (content === undefined) {
    writeNewFiles(fs, [{ path: file, content: Buffer.from(`${lines.join('\n')}\n`) }]);
    return;
  }
  const missing = missingLines(content, lines);
  if (missing.length === 0) return;
  const end = content.includes('\r\n') ? '\r\n' : '\n';
  const separator = content.length === 0 || content.toString('latin1').endsWith('\n') ? '' : end;
  const added = missing.map((line) => line + end).join('');
  // As bytes: whatever encoding the rest is in stays as it is.
  replaceFile(fs, file, Buffer.concat([content, Buffer.from(separator + added)]));
}

/** `.git` is a folder, or a file in a linked work tree and in a submodule. */
function findWorkTree(fs: FileSystem, folder: string): string | undefined {
  for (let current = folder; ; current = path.dirname(current)) {
    try {
      fs.statSync(path.join(current, '.git'));
      return current;
    } catch (error) {
      if (!isMissing(error) && current === folder) return undefined;
    }
    if (current === path.dirname(current)) return undefined;
  }
}

/** With what lies beside the file while it is written, and the copies of older ones. */
function ignoreLines(root: string, file: string): string[] {
  const messages = [`${HISTORY_FOLDER}/`, ...MESSAGE_FILES.map((name) => `${name}*`)];
  if (path.basename(file) === CREDENTIALS_FILE) return [`${CREDENTIALS_FILE}*`, ...messages];
  const relative = path.relative(root, file).split(path.sep).join('/');
  return [`/${relative.replace(/[\\*?[\]!# ]/g, '\\$&')}*`, ...messages];
}

function missingLines(content: Buffer | undefined, lines: readonly string[]): string[] {
  const there = content?.toString('utf8').split(/\r?\n/) ?? [];
  return lines.filter((line) => !there.includes(line));
}
