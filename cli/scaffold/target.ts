import path from 'node:path';
import { CliError } from '../errors.ts';
import { errnoOf, type FileSystem, isMissing } from '../io/files.ts';

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

/** Refuses links and other things where one of our files or its folders would go. */
export function assertRealFiles(fs: FileSystem, folder: string, paths: readonly string[]): void {
  const checked = new Set<string>();
  for (const relative of paths) {
    const parts = relative.split('/');
    for (let depth = 1; depth <= parts.length; depth++) {
      const file = path.join(folder, ...parts.slice(0, depth));
      if (checked.has(file)) continue;
      checked.add(file);
      const entry = fs.lstatSync(file, { throwIfNoEntry: false });
      if (entry === undefined) break;
      if (entry.isSymbolicLink()) throw linkError(fs, file);
      const isFolder = depth < parts.length;
      if (isFolder && !entry.isDirectory()) throw new CliError('not-a-folder', { path: file });
      if (!isFolder && !entry.isFile()) throw new CliError('not-a-file', { path: file });
    }
  }
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

function linkError(fs: FileSystem, file: string): CliError {
  try {
    return new CliError('symbolic-link', { path: file, target: fs.realpathSync(file) });
  } catch {
    return new CliError('broken-link', { path: file });
  }
}
