import os from 'node:os';
import path from 'node:path';
import { CliError } from '../errors.ts';
import {
  errnoOf,
  type FileContent,
  type FileSystem,
  isMissing,
  readOwnFile,
  writeNewFiles,
} from './files.ts';

/** Dot-folders: agent hosts do not look into them. */
const STAGING = '.chorus-staging';
const OWNER = 'owner';
// A process number means something on one machine only, and a folder may be shared.
const HOST = os.hostname().replace(/[^\w.-]/g, '_');

export function isStaging(name: string): boolean {
  return name === STAGING || name.startsWith(`${STAGING}-`);
}

/** Whether a folder holds only what a killed run left: nobody else's, and nothing to see. */
export function hasOnlyStaging(fs: FileSystem, folder: string): boolean {
  return fs.readdirSync(folder).some(isStaging) && hasNoFiles(fs, folder);
}

/** Whether there is nothing in a folder, apart from staging and folders that are as empty. */
function hasNoFiles(fs: FileSystem, folder: string): boolean {
  return fs
    .readdirSync(folder, { withFileTypes: true })
    .filter((entry) => !isStaging(entry.name))
    .every((entry) => entry.isDirectory() && hasNoFiles(fs, path.join(folder, entry.name)));
}

/** The staging folder of the run that holds the lock. */
export function sharedStaging(folder: string): string {
  return path.join(folder, STAGING);
}

/** A staging folder that only this run uses. */
export function ownStaging(folder: string): string {
  return path.join(folder, `${STAGING}-${process.pid}-${HOST}`);
}

/**
 * Makes this run the only one that changes the folder. The lock appears by a rename,
 * together with the name of its owner: there is no moment at which it has none. What a
 * killed run left in it is still there.
 */
export function lockFolder(fs: FileSystem, folder: string): void {
  const own = ownStaging(folder);
  try {
    removeAbandoned(fs, folder);
    fs.mkdirSync(own);
    writeOwner(fs, path.join(own, OWNER));
    fs.renameSync(own, sharedStaging(folder));
  } catch (error) {
    fs.rmSync(own, { recursive: true, force: true });
    // Another run is just removing the whole folder.
    if (isMissing(error)) throw busyError(folder, 0);
    if (!isOccupied(error)) throw error;
    takeOver(fs, folder);
  }
}

/** Puts our lock into a folder that nobody else sees yet. */
export function lockUnseenFolder(fs: FileSystem, folder: string): void {
  fs.mkdirSync(sharedStaging(folder));
  writeOwner(fs, path.join(sharedStaging(folder), OWNER));
}

/** Of those who find the lock of a dead run, one gets it: who locks the lock. */
function takeOver(fs: FileSystem, folder: string): void {
  const lock = sharedStaging(folder);
  assertNotBusy(fs, folder);
  try {
    lockFolder(fs, lock);
  } catch (error) {
    throw error instanceof CliError ? busyError(folder, 0) : error;
  }
  try {
    // Somebody may have been here between our look and our claim.
    assertNotBusy(fs, folder);
    fs.renameSync(path.join(sharedStaging(lock), OWNER), path.join(lock, OWNER));
  } catch (error) {
    throw isMissing(error) ? busyError(folder, 0) : error;
  } finally {
    unlockFolder(fs, lock);
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
  removeQuietly(fs, staging);
}

/**
 * Removes a folder that we hold the lock of, if nothing but staging is left in it: in one step,
 * so that no run that waits for the lock keeps it alive.
 */
export function removeLockedFolder(fs: FileSystem, folder: string): boolean {
  const away = ownStaging(path.dirname(folder));
  try {
    if (!hasNoFiles(fs, folder)) return false;
    fs.renameSync(folder, away);
    if (hasNoFiles(fs, away)) {
      removeQuietly(fs, away);
      return true;
    }
    // Somebody has put something into it at the last moment.
    fs.renameSync(away, folder);
  } catch {
    // It stays.
  }
  return false;
}

/** Refuses to go on while another run holds the lock. */
export function assertNotBusy(fs: FileSystem, folder: string): void {
  const owner = readOwnFile(fs, path.join(sharedStaging(folder), OWNER))?.toString('utf8');
  const [, pid, host] = /^(\d+) (\S+)$/.exec(owner ?? '') ?? [];
  if (pid === undefined) return;
  if (host !== HOST || isRunning(Number(pid))) throw busyError(folder, Number(pid));
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
    const [, pid, host] = /^\.chorus-staging-(\d+)-(.+)$/.exec(name) ?? [];
    if (pid === undefined || host !== HOST || isRunning(Number(pid))) continue;
    removeQuietly(fs, path.join(folder, name));
  }
}

function removeQuietly(fs: FileSystem, folder: string): void {
  try {
    // Mostly it holds nothing else, and rmSync takes Node a twentieth of our start to load.
    fs.unlinkSync(path.join(folder, OWNER));
    fs.rmdirSync(folder);
    return;
  } catch {
    // There is more in it, or it is gone.
  }
  try {
    fs.rmSync(folder, { recursive: true, force: true });
  } catch {
    // Another user's, perhaps. It is in nobody's way.
  }
}

/** Only putting it into place can meet somebody else; what fails before cannot be made there. */
export function isOccupied(error: unknown): boolean {
  return (
    ['EEXIST', 'ENOTEMPTY', 'EPERM'].includes(errnoOf(error) ?? '') &&
    (error as NodeJS.ErrnoException).syscall === 'rename'
  );
}

/** `pid`: 0 where it is not known. */
export function busyError(folder: string, pid: number): CliError {
  const lock = path.join(sharedStaging(folder), OWNER);
  return new CliError('folder-busy', { dir: folder, pid: pid || '?', lock });
}

/** Not synced: after a power failure nobody is at work, whatever the lock says. */
function writeOwner(fs: FileSystem, file: string): void {
  const descriptor = fs.openSync(file, 'wx');
  try {
    fs.writeSync(descriptor, `${process.pid} ${HOST}`);
  } finally {
    fs.closeSync(descriptor);
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
