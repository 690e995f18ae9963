import path from 'node:path';
import { CliError } from '../errors.ts';
import type { FileSystem } from './files.ts';

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

export function linkError(fs: FileSystem, file: string): CliError {
  try {
    return new CliError('symbolic-link', { path: file, target: fs.realpathSync(file) });
  } catch {
    return new CliError('broken-link', { path: file });
  }
}

/** A path with its links resolved, as far as it is there. */
export function resolveLinks(fs: FileSystem, file: string): string {
  try {
    return fs.realpathSync(file);
  } catch {
    const parent = path.dirname(file);
    return parent === file ? file : path.join(resolveLinks(fs, parent), path.basename(file));
  }
}
