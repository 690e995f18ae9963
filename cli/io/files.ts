import type nodeFs from 'node:fs';
import path from 'node:path';
import { CliError, type ErrorCode } from '../errors.ts';

/** The part of node:fs we use. A test may hand in one that fails. */
export type FileSystem = Pick<
  typeof nodeFs,
  | 'chmodSync'
  | 'closeSync'
  | 'fstatSync'
  | 'fsyncSync'
  | 'ftruncateSync'
  | 'lstatSync'
  | 'mkdirSync'
  | 'openSync'
  | 'readFileSync'
  | 'readdirSync'
  | 'readSync'
  | 'realpathSync'
  | 'renameSync'
  | 'rmSync'
  | 'rmdirSync'
  | 'statSync'
  | 'unlinkSync'
  | 'utimesSync'
  | 'writeSync'
>;

/** A file of ours, its path relative to the folder and with forward slashes. */
export interface FileContent {
  path: string;
  content: Buffer;
}

export function errnoOf(error: unknown): string | undefined {
  const code = (error as NodeJS.ErrnoException | null)?.code;
  return typeof code === 'string' ? code : undefined;
}

export function isMissing(error: unknown): boolean {
  return errnoOf(error) === 'ENOENT';
}

/** Undefined where there is nothing; other failures are thrown. */
export function readFileIfThere(fs: FileSystem, file: string): Buffer | undefined {
  try {
    return fs.readFileSync(file);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

const MAX_OWN_FILE = 1 << 20;

/** A small file of our own; nothing where there is none, or something that cannot be it. */
export function readOwnFile(fs: FileSystem, file: string): Buffer | undefined {
  try {
    const entry = fs.lstatSync(file);
    // A pipe or a device would keep us waiting for ever.
    return entry.isFile() && entry.size <= MAX_OWN_FILE ? fs.readFileSync(file) : undefined;
  } catch (error) {
    if (isMissing(error) || errnoOf(error) === 'ENOTDIR') return undefined;
    throw error;
  }
}

/**
 * Writes new files and returns when all are on disk. They are synced after the last
 * is written: the first sync then does most of the work of the others.
 */
export function writeNewFiles(
  fs: FileSystem,
  files: readonly { path: string; content: Buffer }[],
): void {
  const descriptors: number[] = [];
  try {
    for (const { path: file, content } of files) {
      const descriptor = fs.openSync(file, 'wx');
      descriptors.push(descriptor);
      for (let offset = 0; offset < content.length; ) {
        offset += fs.writeSync(descriptor, content, offset);
      }
    }
    for (const descriptor of descriptors) fs.fsyncSync(descriptor);
  } finally {
    for (const descriptor of descriptors) fs.closeSync(descriptor);
  }
}

/** Makes renames in a folder durable, where the system can. */
export function syncFolder(fs: FileSystem, folder: string): void {
  let descriptor: number | undefined;
  try {
    descriptor = fs.openSync(folder, 'r');
    fs.fsyncSync(descriptor);
  } catch {
    // Windows cannot sync a folder; the files themselves are synced already.
  } finally {
    if (descriptor !== undefined) fs.closeSync(descriptor);
  }
}

const FILE_ERRORS: Readonly<Record<string, ErrorCode>> = {
  EACCES: 'no-permission',
  EPERM: 'no-permission',
  EROFS: 'no-permission',
  ENOSPC: 'disk-full',
  EDQUOT: 'disk-full',
  ENOTDIR: 'not-a-folder',
};

/** A failed file operation as something to tell the user; anything else as it is. */
export function toFileError(error: unknown, fallbackPath: string): unknown {
  const errno = errnoOf(error);
  if (error instanceof CliError || errno === undefined || !/^E[A-Z0-9]+$/.test(errno)) return error;
  // Of a rename its end; a staging folder the user has never heard of.
  const { dest, path: source } = error as NodeJS.ErrnoException & { dest?: string };
  const named = dest ?? source ?? fallbackPath;
  const failedPath = named.includes('.chorus-staging') ? fallbackPath : named;
  return new CliError(FILE_ERRORS[errno] ?? 'file-error', { path: failedPath, errno }, error);
}

/** Does file work whose failures the user is to be told about. */
export function runFileWork<Result>(fallbackPath: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw toFileError(error, fallbackPath);
  }
}

/** Whether a path leads to something in a folder; both absolute. */
export function isBelow(folder: string, file: string): boolean {
  return file !== folder && file.startsWith(folder.endsWith(path.sep) ? folder : folder + path.sep);
}

/** A relative path that stays inside its folder: names from outside must pass here first. */
export function isInsidePath(relative: string): boolean {
  return (
    relative !== '' &&
    !path.isAbsolute(relative) &&
    !/^[a-zA-Z]:/.test(relative) &&
    !relative.includes('\\') &&
    !/\p{Cc}/u.test(relative) &&
    relative.split('/').every((part) => part !== '' && part !== '.' && part !== '..')
  );
}
