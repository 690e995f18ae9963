import path from 'node:path';
import { type FileContent, type FileSystem, syncFolder } from './files.ts';
import { ownStaging, removeAbandoned, stageFiles } from './staging.ts';

/** Puts a new folder into place in one step; when it fails, nothing stays behind. */
export function createFolder(fs: FileSystem, folder: string, files: readonly FileContent[]): void {
  const parent = path.dirname(folder);
  const firstMade = fs.mkdirSync(parent, { recursive: true });
  removeAbandoned(fs, parent);
  const staging = ownStaging(parent);
  try {
    stageFiles(fs, staging, files);
    fs.renameSync(staging, folder);
  } catch (error) {
    fs.rmSync(staging, { recursive: true, force: true });
    if (firstMade !== undefined) removeMade(fs, parent, firstMade);
    throw error;
  }
  syncFolder(fs, parent);
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
