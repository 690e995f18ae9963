import path from 'node:path';
import { type FileSystem, isInsidePath, readOwnFile } from './files.ts';
import { assertRealFiles } from './real-files.ts';
import { sharedStaging } from './staging.ts';

/** What a change is about to do, written down first, so that a killed run can be undone. */
export interface Journal {
  /** Files that move to `old/` before they are replaced or removed. */
  saved: string[];
  /** Files, and the folders for them, that were not there before. */
  created: string[];
  folders: string[];
}

export const JOURNAL = 'journal.json';
/** Where the old files wait until the change is done. */
export const OLD = 'old';

export function planJournal(
  fs: FileSystem,
  folder: string,
  written: readonly string[],
  removed: readonly string[],
): Journal {
  const isThere = (name: string) => exists(fs, path.join(folder, name));
  return {
    saved: [...written.filter(isThere), ...removed],
    created: written.filter((file) => !isThere(file)),
    folders: parentsOf(written).filter((parent) => !isThere(parent)),
  };
}

/** Puts everything back as the journal found it; may be repeated. */
export function restoreFiles(
  fs: FileSystem,
  folder: string,
  { saved, created, folders }: Journal,
): void {
  const staging = sharedStaging(folder);
  for (const file of created) fs.rmSync(path.join(folder, file), { force: true });
  for (const name of folders.toReversed()) removeIfEmpty(fs, path.join(folder, name));
  for (const file of saved) {
    const old = path.join(staging, OLD, file);
    if (exists(fs, old)) fs.renameSync(old, path.join(folder, file));
  }
  fs.rmSync(path.join(staging, JOURNAL), { force: true });
}

/** A journal is data: somebody may have put it there to lead us outside the folder. */
export function assertOwnPlaces(fs: FileSystem, folder: string, journal: Journal): void {
  const { saved, created, folders } = journal;
  const staging = path.relative(folder, sharedStaging(folder));
  assertRealFiles(fs, folder, [
    ...saved,
    ...created,
    ...folders.map((name) => `${name}/.`),
    ...saved.map((file) => `${staging}/${OLD}/${file}`),
  ]);
}

export function readJournal(fs: FileSystem, staging: string): Journal | undefined {
  const content = readOwnFile(fs, path.join(staging, JOURNAL));
  try {
    const journal = JSON.parse(content?.toString('utf8') ?? '');
    const names = [...journal.saved, ...journal.created, ...journal.folders];
    return names.every((name) => typeof name === 'string' && isInsidePath(name))
      ? journal
      : undefined;
  } catch {
    // A journal that was not written to its end: nothing had been changed yet.
    return undefined;
  }
}

/** The folders the files lie in, every folder after those above it. */
export function parentsOf(files: readonly string[]): string[] {
  const parents = new Set<string>();
  for (const file of files) {
    const parts = file.split('/').slice(0, -1);
    parts.forEach((_, depth) => {
      parents.add(parts.slice(0, depth + 1).join('/'));
    });
  }
  return [...parents];
}

export function removeIfEmpty(fs: FileSystem, folder: string): void {
  try {
    fs.rmdirSync(folder);
  } catch {
    // Not empty: somebody else uses it.
  }
}

function exists(fs: FileSystem, file: string): boolean {
  return fs.lstatSync(file, { throwIfNoEntry: false }) !== undefined;
}
