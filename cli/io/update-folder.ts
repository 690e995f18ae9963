import path from 'node:path';
import { CliError } from '../errors.ts';
import {
  type FileContent,
  type FileSystem,
  readOwnFile,
  syncFolder,
  writeNewFiles,
} from './files.ts';
import {
  assertOwnPlaces,
  JOURNAL,
  type Journal,
  OLD,
  parentsOf,
  planJournal,
  readJournal,
  removeIfEmpty,
  restoreFiles,
} from './folder-journal.ts';
import type { PendingChange } from './pending-change.ts';
import {
  assertNotBusy,
  lockFolder,
  removeLockedFolder,
  sharedStaging,
  stageFiles,
  unlockFolder,
} from './staging.ts';

export interface FolderChange {
  write: readonly FileContent[];
  remove: readonly string[];
  /** Whether the folder goes too when nothing is left in it. */
  removesFolder?: boolean;
}

const NEW = 'new';

/**
 * Changes files of an existing folder: all of them, or none when something fails.
 * `decide` runs while no other run of ours can change the folder.
 */
export function updateFolder(
  fs: FileSystem,
  folder: string,
  decide: () => FolderChange,
): PendingChange {
  lockFolder(fs, folder);
  try {
    undoInterrupted(fs, folder);
    return startChange(fs, folder, decide());
  } catch (error) {
    unlockAfter(fs, folder, error);
    throw error;
  }
}

function unlockAfter(fs: FileSystem, folder: string, error: unknown): void {
  // After a failed rollback the only copies of the old files are in there.
  if (!(error instanceof CliError && error.code === 'rollback-failed')) unlockFolder(fs, folder);
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

function startChange(fs: FileSystem, folder: string, change: FolderChange): PendingChange {
  const staging = sharedStaging(folder);
  const journal = planJournal(
    fs,
    folder,
    change.write.map((file) => file.path),
    change.remove,
  );
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
  } catch (error) {
    rollBack(fs, folder, journal, error);
    throw error;
  }
  return {
    // Without a journal the change is done: nobody will undo it.
    settle: () => {
      fs.unlinkSync(journalFile);
      syncFolder(fs, staging);
    },
    undo: (cause) => {
      try {
        rollBack(fs, folder, journal, cause);
      } catch (error) {
        unlockAfter(fs, folder, error);
        throw error;
      }
      unlockFolder(fs, folder);
    },
    finish: () => {
      removeEmptied(fs, folder, change.remove);
      if (change.removesFolder && removeLockedFolder(fs, folder)) return;
      unlockFolder(fs, folder);
      if (change.removesFolder) removeIfEmpty(fs, folder);
    },
  };
}

function rollBack(fs: FileSystem, folder: string, journal: Journal, cause: unknown): void {
  try {
    restoreFiles(fs, folder, journal);
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

function removeEmptied(fs: FileSystem, folder: string, removed: readonly string[]): void {
  for (const parent of parentsOf(removed).toReversed())
    removeIfEmpty(fs, path.join(folder, parent));
}
