import { randomUUID } from 'node:crypto';
import os from 'node:os';
import { errnoOf, type FileSystem, isMissing } from './files.ts';

/** A holder shows that it lives by touching its lock; one that is this old is abandoned. */
const ABANDONED_AFTER_MS = 30_000;
const TOUCH_EVERY_MS = 5_000;

interface Owner {
  pid: number;
  host: string;
  /** When the process began, where the system tells: process numbers are used again. */
  started: string;
  id: string;
}

interface ProcessLock {
  /** Shows that we live. False once the lock is another's: whoever held it must stop. */
  touch(): boolean;
  release(): void;
}

/** The lock, or the number of the process that holds it. What a dead process left is taken over. */
function takeLock(fs: FileSystem, file: string): ProcessLock | { heldBy: number } {
  const own = JSON.stringify(describeOwner(fs));
  for (let attempt = 0; attempt < 3; attempt++) {
    if (createLock(fs, file, own)) return openLock(fs, file, own);
    const found = readLock(fs, file);
    if (found === undefined) continue;
    if (!isAbandoned(fs, found)) return { heldBy: parseOwner(found.text)?.pid ?? 0 };
    removeAbandoned(fs, file, found.text);
  }
  return { heldBy: 0 };
}

function openLock(fs: FileSystem, file: string, own: string): ProcessLock {
  const isOurs = () => readLock(fs, file)?.text === own;
  return {
    touch() {
      if (!isOurs()) return false;
      const now = new Date();
      fs.utimesSync(file, now, now);
      return true;
    },
    release() {
      if (isOurs()) fs.rmSync(file, { force: true });
    },
  };
}

function createLock(fs: FileSystem, file: string, text: string): boolean {
  try {
    const descriptor = fs.openSync(file, 'wx', 0o600);
    try {
      fs.writeSync(descriptor, text);
    } catch (error) {
      fs.rmSync(file, { force: true }); // an empty one would look like another's
      throw error;
    } finally {
      fs.closeSync(descriptor);
    }
    return true;
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return false;
    throw error;
  }
}

interface FoundLock {
  text: string;
  touchedAt: number;
}

function readLock(fs: FileSystem, file: string): FoundLock | undefined {
  try {
    return { touchedAt: fs.statSync(file).mtimeMs, text: fs.readFileSync(file, 'utf8') };
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Of several who find the lock of a dead process, the rename lets one have it. */
function removeAbandoned(fs: FileSystem, file: string, judged: string): void {
  const aside = `${file}.${randomUUID()}`;
  try {
    fs.renameSync(file, aside);
  } catch (error) {
    if (isMissing(error)) return;
    throw error;
  }
  const moved = readLock(fs, aside)?.text;
  // Somebody was quicker, and this is a living lock: put it back.
  if (moved !== undefined && moved !== judged) createLock(fs, file, moved);
  fs.rmSync(aside, { force: true });
}

function isAbandoned(fs: FileSystem, { text, touchedAt }: FoundLock): boolean {
  const owner = parseOwner(text);
  if (owner?.host === os.hostname()) {
    if (!isRunning(owner.pid)) return true;
    const started = readStart(fs, owner.pid);
    if (started !== '' && owner.started !== '') return started !== owner.started;
  }
  // Another machine's or container's, or just being written: only its age tells.
  return Date.now() - touchedAt > ABANDONED_AFTER_MS;
}

function describeOwner(fs: FileSystem): Owner {
  const { pid } = process;
  return { pid, host: os.hostname(), started: readStart(fs, pid), id: randomUUID() };
}

function parseOwner(text: string): Owner | undefined {
  try {
    const value = JSON.parse(text);
    return typeof value?.pid === 'number' && typeof value.host === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errnoOf(error) === 'EPERM';
  }
}

/** Linux tells when a process began, in ticks since the start of the machine. */
function readStart(fs: FileSystem, pid: number): string {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name before it may hold blanks and brackets.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
}

/** Takes the lock and keeps it until released; told when it was lost all the same. */
export function holdLock(
  fs: FileSystem,
  file: string,
  onLost: () => void = () => {},
): { release(): void } | { heldBy: number } {
  const lock = takeLock(fs, file);
  if ('heldBy' in lock) return lock;
  const timer = setInterval(() => {
    if (lock.touch()) return;
    clearInterval(timer);
    onLost();
  }, TOUCH_EVERY_MS);
  timer.unref();
  return {
    release() {
      clearInterval(timer);
      lock.release();
    },
  };
}
