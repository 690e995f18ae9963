import path from 'node:path';
import { CliError } from '../errors.ts';
import { errnoOf, type FileSystem, isMissing } from '../io/files.ts';
import { linkError } from '../io/real-files.ts';

export interface Target {
  /** Absolute, as the user named it. */
  folder: string;
  /** Where that really is, symbolic links above it resolved. */
  real: string;
  exists: boolean;
}

/** Looks at the place to write to, and refuses what is not a real folder or a free name. */
export function readTarget(fs: FileSystem, cwd: string, dir: string): Target {
  if (dir.trim() === '') throw new CliError('empty-dir');
  const folder = path.resolve(cwd, dir);
  const entry = lookUp(fs, folder);
  if (entry?.isSymbolicLink()) throw linkError(fs, folder);
  if (entry !== undefined && !entry.isDirectory())
    throw new CliError('not-a-folder', { path: folder });
  return { folder, real: resolveReal(fs, folder), exists: entry !== undefined };
}

function lookUp(fs: FileSystem, file: string) {
  try {
    return fs.lstatSync(file);
  } catch (error) {
    if (isMissing(error)) return undefined;
    if (errnoOf(error) === 'ENOTDIR') {
      throw new CliError('not-a-folder', { path: nearestAncestor(fs, file) }, error);
    }
    throw error;
  }
}

function resolveReal(fs: FileSystem, folder: string): string {
  const ancestor = nearestAncestor(fs, folder);
  try {
    return path.join(fs.realpathSync(ancestor), path.relative(ancestor, folder));
  } catch (error) {
    if (isMissing(error)) throw new CliError('broken-link', { path: ancestor }, error);
    throw error;
  }
}

/** The path itself or the first thing above it that is there. */
function nearestAncestor(fs: FileSystem, file: string): string {
  let current = file;
  while (current !== path.dirname(current)) {
    try {
      fs.lstatSync(current);
      return current;
    } catch {
      current = path.dirname(current);
    }
  }
  return current;
}
