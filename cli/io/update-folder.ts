import path from 'node:path';
import { CliError } from '../errors.ts';
import {
  type FileContent,
  type FileSystem,
  isInsidePath,
  readOwnFile,
  syncFolder,
  writeNewFiles,
} from './files.ts';
import { assertRealFiles } from './real-files.ts';
import { assertNotBusy, lockFolder, sharedStaging, stageFiles, unlockFolder } from './staging.ts';

export interface FolderChange {
  write: readonly FileContent[];
  remove: readonly string[];
}

/** What a change is about to do, written down first, so that a killed run can be undone. */
interface Journal {
  /** Files that move to `old/` before they are replaced or removed. */
  saved: string[];
  /** Files, and the folders for them, that were not there before. */
  created: string[];
  folders: string[];
}

const JOURNAL = 'journal.json';
const NEW = 'new';
const OLD = 'old';

/**
 * Changes files of an existing folder: all of them, or none when something fails.
 * `decide` runs while no other run of ours can change the folder.
 */
export function updateFolder(fs: FileSystem, folder: string, decide: () => FolderChange): void {
  lockFolder(fs, folder);
  try {
    undoInterrupted(fs, folder);
    applyChange(fs, folder, decide());
  } catch (error) {
    // After a failed rollback the only copies of the old files are in there.
    if (!(error instanceof CliError && error.code === 'rollback-failed')) unlockFolder(fs, folder);
    throw error;
  }
  unlockFolder(fs, folder);
}

/** A file as it was before a killed run changed the folder, or as it is. */
export function readAsBefore(fs: FileSystem, folder: string, file: string): Buffer | undefined {
  return (
    readOwnFile(fs, path.join(sharedStaging(folder), OLD, file)) ??
    readOwnFile(fs, path.join(folder, file))
  );
}

/** Whether a run was killed in the middle of a change. A run still at work is an error. */
export function wasInterrupted(fs: FileSystem, folder: string): boolean {
  assertNotBusy(fs, folder);
  return readJournal(fs, sharedStaging(folder)) !== undefined;
}

function applyChange(fs: FileSystem, folder: string, change: FolderChange): void {
  const staging = sharedStaging(folder);
  const journal = planJournal(fs, folder, change);
  stageFiles(fs, path.join(staging, NEW), change.write);
  for (const file of journal.saved) {
    fs.mkdirSync(path.dirname(path.join(staging, OLD, file)), { recursive: true });
  }
  const journalFile = path.join(staging, JOURNAL);
  writeNewFiles(fs, [{ path: journalFile, content: Buffer.from(JSON.stringify(journal)) }]);
  syncFolder(fs, staging);
  try {
    for (const name of journal.folders) fs.mkdirSync(path.join(folder, name));
    for (const file of journal.saved) {
      fs.renameSync(path.join(folder, file), path.join(staging, OLD, file));
    }
    for (const { path: file } of change.write) {
      fs.renameSync(path.join(staging, NEW, file), path.join(folder, file));
    }
    for (const parent of ['', ...parentsOf(change.write.map((file) => file.path))]) {
      syncFolder(fs, path.join(folder, parent));
    }
    // From here on the change is done.
    fs.unlinkSync(journalFile);
    syncFolder(fs, staging);
  } catch (error) {
    rollBack(fs, folder, journal, error);
    throw error;
  }
  removeEmptied(fs, folder, change.remove);
}

function planJournal(fs: FileSystem, folder: string, change: FolderChange): Journal {
  const isThere = (name: string) => exists(fs, path.join(folder, name));
  const written = change.write.map((file) => file.path);
  return {
    saved: [...written.filter(isThere), ...change.remove],
    created: written.filter((file) => !isThere(file)),
    folders: parentsOf(written).filter((parent) => !isThere(parent)),
  };
}

/** Puts everything back as the journal found it; may be repeated. */
function restore(fs: FileSystem, folder: string, { saved, created, folders }: Journal): void {
  const staging = sharedStaging(folder);
  for (const file of created) fs.rmSync(path.join(folder, file), { force: true });
  for (const name of folders.toReversed()) removeIfEmpty(fs, path.join(folder, name));
  for (const file of saved) {
    const old = path.join(staging, OLD, file);
    if (exists(fs, old)) fs.renameSync(old, path.join(folder, file));
  }
  fs.rmSync(path.join(staging, JOURNAL), { force: true });
}

function rollBack(fs: FileSystem, folder: string, journal: Journal, cause: unknown): void {
  try {
    restore(fs, folder, journal);
  } catch (error) {
    const { path: failed, code } = error as NodeJS.ErrnoException;
    const staging = sharedStaging(folder);
    const args = { path: failed ?? folder, errno: code ?? 'unknown', staging };
    throw new CliError('rollback-failed', args, cause);
  }
}

/** What a killed run left in the lock that is ours now. */
function undoInterrupted(fs: FileSystem, folder: string): void {
  const staging = sharedStaging(folder);
  const journal = readJournal(fs, staging);
  if (journal !== undefined) {
    assertOwnPlaces(fs, folder, journal);
    rollBack(fs, folder, journal, undefined);
  }
  for (const name of [NEW, OLD, JOURNAL])
    fs.rmSync(path.join(staging, name), { recursive: true, force: true });
}

/** A journal is data: somebody may have put it there to lead us outside the folder. */
function assertOwnPlaces(fs: FileSystem, folder: string, journal: Journal): void {
  const { saved, created, folders } = journal;
  const staging = path.relative(folder, sharedStaging(folder));
  assertRealFiles(fs, folder, [
    ...saved,
    ...created,
    ...folders.map((name) => `${name}/.`),
    ...saved.map((file) => `${staging}/${OLD}/${file}`),
  ]);
}

function readJournal(fs: FileSystem, staging: string): Journal | undefined {
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
function parentsOf(files: readonly string[]): string[] {
  const parents = new Set<string>();
  for (const file of files) {
    const parts = file.split('/').slice(0, -1);
    parts.forEach((_, depth) => {
      parents.add(parts.slice(0, depth + 1).join('/'));
    });
  }
  return [...parents];
}

function removeEmptied(fs: FileSystem, folder: string, removed: readonly string[]): void {
  for (const parent of parentsOf(removed).toReversed())
    removeIfEmpty(fs, path.join(folder, parent));
}

function removeIfEmpty(fs: FileSystem, folder: string): void {
  try {
    fs.rmdirSync(folder);
  } catch {
    // Not empty: somebody else uses it.
  }
}

function exists(fs: FileSystem, file: string): boolean {
  return fs.lstatSync(file, { throwIfNoEntry: false }) !== undefined;
}
