import type nodeFs from 'node:fs';
import path from 'node:path';
import { CliError, type ErrorCode } from '../errors.ts';

/** The part of node:fs we use. A test may hand in one that fails. */
export type FileSystem = Pick<
  typeof nodeFs,
  | 'closeSync'
  | 'fsyncSync'
  | 'lstatSync'
  | 'mkdirSync'
  | 'openSync'
  | 'readFileSync'
  | 'readdirSync'
  | 'readlinkSync'
  | 'realpathSync'
  | 'renameSync'
  | 'rmSync'
  | 'rmdirSync'
  | 'statSync'
  | 'unlinkSync'
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
  const failedPath = (error as NodeJS.ErrnoException).path ?? fallbackPath;
  return new CliError(FILE_ERRORS[errno] ?? 'file-error', { path: failedPath, errno }, error);
}

/** A relative path that stays inside its folder: names from outside must pass here first. */
export function isInsidePath(relative: string): boolean {
  return (
    relative !== '' &&
    !path.isAbsolute(relative) &&
    !/^[a-zA-Z]:/.test(relative) &&
    !relative.includes('\\') &&
    !relative.includes('\0') &&
    relative.split('/').every((part) => part !== '' && part !== '.' && part !== '..')
  );
}
