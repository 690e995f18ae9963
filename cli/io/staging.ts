import path from 'node:path';
import { CliError } from '../errors.ts';
import { errnoOf, type FileContent, type FileSystem, writeNewFiles } from './files.ts';

/** Dot-folders: agent hosts do not look into them. */
const STAGING = '.chorus-staging';
const OWNER = 'owner';

export function isStaging(name: string): boolean {
  return name === STAGING || name.startsWith(`${STAGING}-`);
}

/** The staging folder of the run that holds the lock. */
export function sharedStaging(folder: string): string {
  return path.join(folder, STAGING);
}

/** A staging folder that only this run uses. */
export function ownStaging(folder: string): string {
  return path.join(folder, `${STAGING}-${process.pid}`);
}

/**
 * Makes this run the only one that changes the folder. The lock appears by a rename,
 * together with the name of its owner: there is no moment at which it has none.
 */
export function lockFolder(fs: FileSystem, folder: string): void {
  const own = ownStaging(folder);
  removeAbandoned(fs, folder);
  try {
    fs.mkdirSync(own);
    const owner = { path: path.join(own, OWNER), content: Buffer.from(String(process.pid)) };
    writeNewFiles(fs, [owner]);
    fs.renameSync(own, sharedStaging(folder));
  } catch (error) {
    fs.rmSync(own, { recursive: true, force: true });
    if (isOccupied(error)) assertNotBusy(fs, folder);
    throw error;
  }
}

/** Never fails: what it cannot remove, the next run does. */
export function unlockFolder(fs: FileSystem, folder: string): void {
  let staging = sharedStaging(folder);
  try {
    // Gone at once, so that nobody sees it without its owner.
    fs.renameSync(staging, ownStaging(folder));
    staging = ownStaging(folder);
  } catch {
    // Then piece by piece.
  }
  try {
    fs.rmSync(staging, { recursive: true, force: true });
  } catch {
    // It holds no journal any more, so nobody takes it for an unfinished change.
  }
}

/** Refuses to go on while another run holds the lock. */
export function assertNotBusy(fs: FileSystem, folder: string): void {
  const lock = sharedStaging(folder);
  const pid = readOwner(fs, lock);
  if (pid !== undefined && isRunning(pid)) {
    throw new CliError('folder-busy', { dir: folder, pid, lock });
  }
}

/** Writes the files into a new folder, on disk when it returns. */
export function stageFiles(fs: FileSystem, staging: string, files: readonly FileContent[]): void {
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

/** Removes what killed runs left: their own private folders, never anything of the user's. */
export function removeAbandoned(fs: FileSystem, folder: string): void {
  for (const name of fs.readdirSync(folder)) {
    const pid = new RegExp(`^\\${STAGING}-(\\d+)$`).exec(name)?.[1];
    if (pid !== undefined && !isRunning(Number(pid))) {
      fs.rmSync(path.join(folder, name), { recursive: true, force: true });
    }
  }
}

export function isOccupied(error: unknown): boolean {
  return ['EEXIST', 'ENOTEMPTY', 'EPERM'].includes(errnoOf(error) ?? '');
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
