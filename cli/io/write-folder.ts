import path from 'node:path';
import { CliError } from '../errors.ts';
import { errnoOf, type FileContent, type FileSystem, syncFolder, writeNewFiles } from './files.ts';

/** Dot-folders: agent hosts do not look into them. */
const STAGING = '.chorus-staging';
const OWNER = 'owner';

/** Puts a new folder into place in one step; when it fails, nothing stays behind. */
export function createFolder(fs: FileSystem, folder: string, files: readonly FileContent[]): void {
  const parent = path.dirname(folder);
  const firstMade = fs.mkdirSync(parent, { recursive: true });
  removeAbandoned(fs, parent);
  const staging = path.join(parent, `${STAGING}-${process.pid}`);
  try {
    stageFiles(fs, staging, files);
    fs.renameSync(staging, folder);
  } catch (error) {
    fs.rmSync(staging, { recursive: true, force: true });
    if (firstMade !== undefined) removeEmptyFolders(fs, parent, firstMade);
    throw error;
  }
  syncFolder(fs, parent);
}

export interface FolderChange {
  write: readonly FileContent[];
  remove: readonly string[];
}

/**
 * Changes files of an existing folder: all of them, or none when something fails.
 * `decide` runs while no other run of ours can change the folder.
 */
export function updateFolder<Result extends FolderChange>(
  fs: FileSystem,
  folder: string,
  decide: () => Result,
): Result {
  const staging = lockFolder(fs, folder);
  let change: Result;
  try {
    change = decide();
    stageFiles(fs, path.join(staging, 'new'), change.write);
    saveOld(fs, folder, path.join(staging, 'old'), change);
    commit(fs, folder, staging, change);
  } catch (error) {
    // After a failed rollback the only copies of the old files are in there.
    if (!(error instanceof CliError && error.code === 'rollback-failed')) unlockFolder(fs, folder);
    throw error;
  }
  unlockFolder(fs, folder);
  return change;
}

/** Whether a run that was killed left its mark here. A run still at work is an error. */
export function wasInterrupted(fs: FileSystem, folder: string): boolean {
  const staging = path.join(folder, STAGING);
  if (!exists(fs, staging)) return false;
  const pid = readOwner(fs, staging);
  if (pid !== undefined && isRunning(pid)) {
    throw new CliError('folder-busy', { dir: folder, pid, lock: staging });
  }
  return true;
}

export function isStaging(name: string): boolean {
  return name === STAGING || name.startsWith(`${STAGING}-`);
}

// The lock appears by a rename, together with the name of its owner: there is no
// moment at which it exists without one.
function lockFolder(fs: FileSystem, folder: string): string {
  const staging = path.join(folder, STAGING);
  const own = `${staging}-${process.pid}`;
  if (wasInterrupted(fs, folder)) fs.rmSync(staging, { recursive: true, force: true });
  removeAbandoned(fs, folder);
  try {
    fs.mkdirSync(own);
    writeNewFiles(fs, [{ path: path.join(own, OWNER), content: Buffer.from(String(process.pid)) }]);
    fs.renameSync(own, staging);
  } catch (error) {
    fs.rmSync(own, { recursive: true, force: true });
    if (isOccupied(error)) wasInterrupted(fs, folder);
    throw error;
  }
  return staging;
}

function unlockFolder(fs: FileSystem, folder: string): void {
  const staging = path.join(folder, STAGING);
  const own = `${staging}-${process.pid}`;
  fs.renameSync(staging, own);
  fs.rmSync(own, { recursive: true, force: true });
}

function stageFiles(fs: FileSystem, staging: string, files: readonly FileContent[]): void {
  const staged = files.map(({ path: relative, content }) => ({
    path: path.join(staging, relative),
    content,
  }));
  fs.mkdirSync(staging);
  for (const folder of new Set(staged.map((file) => path.dirname(file.path)))) {
    if (folder !== staging) fs.mkdirSync(folder, { recursive: true });
  }
  writeNewFiles(fs, staged);
}

function saveOld(fs: FileSystem, folder: string, old: string, change: FolderChange): void {
  for (const relative of [...change.write.map((file) => file.path), ...change.remove]) {
    const file = path.join(folder, relative);
    if (!exists(fs, file)) continue;
    const copy = path.join(old, relative);
    fs.mkdirSync(path.dirname(copy), { recursive: true });
    fs.copyFileSync(file, copy);
  }
}

function commit(fs: FileSystem, folder: string, staging: string, change: FolderChange): void {
  const undo: (() => void)[] = [];
  try {
    for (const { path: relative } of change.write) {
      const file = path.join(folder, relative);
      const parent = path.dirname(file);
      const firstMade = fs.mkdirSync(parent, { recursive: true });
      if (firstMade !== undefined) undo.push(() => removeEmptyFolders(fs, parent, firstMade));
      const old = path.join(staging, 'old', relative);
      fs.renameSync(path.join(staging, 'new', relative), file);
      undo.push(() => (exists(fs, old) ? fs.renameSync(old, file) : fs.unlinkSync(file)));
    }
    for (const relative of change.remove) {
      const file = path.join(folder, relative);
      fs.unlinkSync(file);
      undo.push(() => fs.renameSync(path.join(staging, 'old', relative), file));
    }
  } catch (error) {
    try {
      for (const step of undo.reverse()) step();
    } catch (undoError) {
      const { path: failed, code } = undoError as NodeJS.ErrnoException;
      const args = { path: failed ?? folder, errno: code ?? 'unknown', staging };
      throw new CliError('rollback-failed', args, error);
    }
    throw error;
  }
  for (const relative of change.remove) {
    removeEmptyFolders(fs, path.dirname(path.join(folder, relative)), folder, false);
  }
  for (const parent of new Set(
    change.write.map((file) => path.dirname(path.join(folder, file.path))),
  )) {
    syncFolder(fs, parent);
  }
}

/** Removes folders upwards from `from` as long as they are empty, `last` included if asked. */
function removeEmptyFolders(fs: FileSystem, from: string, last: string, inclusive = true): void {
  for (let folder = from; folder.startsWith(last); folder = path.dirname(folder)) {
    if (folder === last && !inclusive) return;
    try {
      fs.rmdirSync(folder);
    } catch {
      return; // not empty: somebody else uses it
    }
    if (folder === last) return;
  }
}

// What a killed run left: its own private folder, never anything of the user's.
function removeAbandoned(fs: FileSystem, folder: string): void {
  for (const name of fs.readdirSync(folder)) {
    const pid = new RegExp(`^\\${STAGING}-(\\d+)$`).exec(name)?.[1];
    if (pid !== undefined && !isRunning(Number(pid))) {
      fs.rmSync(path.join(folder, name), { recursive: true, force: true });
    }
  }
}

function readOwner(fs: FileSystem, staging: string): number | undefined {
  try {
    const pid = Number(fs.readFileSync(path.join(staging, OWNER), 'utf8'));
    return Number.isSafeInteger(pid) && pid > 0 ? pid : undefined;
  } catch {
    return undefined;
  }
}

function isRunning(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errnoOf(error) === 'EPERM';
  }
}

function exists(fs: FileSystem, file: string): boolean {
  return fs.lstatSync(file, { throwIfNoEntry: false }) !== undefined;
}

export function isOccupied(error: unknown): boolean {
  return ['EEXIST', 'ENOTEMPTY', 'EPERM'].includes(errnoOf(error) ?? '');
}
