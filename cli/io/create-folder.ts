import path from 'node:path';
import { type FileContent, type FileSystem, syncFolder } from './files.ts';
import type { PendingChange } from './pending-change.ts';
import {
  lockUnseenFolder,
  ownStaging,
  removeAbandoned,
  stageFiles,
  unlockFolder,
} from './staging.ts';

/** Puts a new folder into place in one step; when it fails, nothing stays behind. */
export function createFolder(
  fs: FileSystem,
  folder: string,
  files: readonly FileContent[],
): PendingChange {
  const parent = path.dirname(folder);
  const firstMade = fs.mkdirSync(parent, { recursive: true });
  const staging = ownStaging(parent);
  const clear = () => {
    fs.rmSync(staging, { recursive: true, force: true });
    if (firstMade !== undefined) removeMade(fs, parent, firstMade);
  };
  try {
    removeAbandoned(fs, parent);
    stageFiles(fs, staging, files);
    // Until it is finished, another run must not take the folder for one that stays.
    lockUnseenFolder(fs, staging);
    fs.renameSync(staging, folder);
  } catch (error) {
    clear();
    throw error;
  }
  return {
    settle: () => syncFolder(fs, parent),
    undo: () => {
      // Away in one step, as it came.
      fs.renameSync(folder, staging);
      clear();
    },
    finish: () => unlockFolder(fs, folder),
  };
}

/** Removes the folders we made, from the deepest up, unless somebody put something into one. */
function removeMade(fs: FileSystem, deepest: string, firstMade: string): void {
  for (let folder = deepest; folder.startsWith(firstMade); folder = path.dirname(folder)) {
    try {
      fs.rmdirSync(folder);
    } catch {
      return;
    }
  }
}
