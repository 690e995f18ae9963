import path from 'node:path';
import { CliError } from '../errors.ts';
import { type FileSystem, syncFolder } from '../io/files.ts';
import { isStaging, lockFolder, unlockFolder } from '../io/staging.ts';
import { CREDENTIALS_FILE } from '../protocol/constants.ts';
import { pendingFile } from './find-credentials.ts';
import { readPending } from './pending-registration.ts';

const LOCK_PAUSE = 100;
const LOCK_PATIENCE = 60_000;

/** Of several runs in one folder one goes on; the others wait and then see what it made. */
export async function lockWhenFree(
  { fs, wait }: { fs: FileSystem; wait: (ms: number) => Promise<void> },
  folder: string,
): Promise<void> {
  for (let waited = 0; ; waited += LOCK_PAUSE) {
    try {
      lockFolder(fs, folder);
      return;
    } catch (error) {
      const isBusy = error instanceof CliError && error.code === 'folder-busy';
      if (!isBusy || waited >= LOCK_PATIENCE) throw error;
    }
    await wait(LOCK_PAUSE);
  }
}

/** Removes what runs left that were killed before they asked, or when all was done. Never fails. */
export function clearLeftovers(fs: FileSystem, file: string): void {
  const folder = path.dirname(file);
  const pending = pendingFile(file);
  try {
    const names = fs.readdirSync(folder);
    if (!names.some(isStaging) && !names.includes(path.basename(pending))) return;
    lockFolder(fs, folder);
    if (readPending(fs, file) === undefined) fs.rmSync(pending, { force: true });
    unlockFolder(fs, folder);
  } catch {
    // In use, or not ours to remove.
  }
}

/** A copy of the file beside it, named by the time; its path. */
export function keepCopy(fs: FileSystem, file: string, now: Date): string {
  const copy = `${file}.${formatStamp(now)}`;
  writeSecret(fs, copy, fs.readFileSync(file));
  return copy;
}

/** The first of the folders that takes it; nothing where none does. */
export function storeElsewhere(
  fs: FileSystem,
  folders: readonly string[],
  text: string,
  now: Date,
): string | undefined {
  for (const folder of folders) {
    const file = path.join(folder, `${CREDENTIALS_FILE}.${formatStamp(now)}`);
    try {
      fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
      writeSecret(fs, file, Buffer.from(text));
      return file;
    } catch {
      // The next one, then.
    }
  }
  return undefined;
}

function writeSecret(fs: FileSystem, file: string, content: Buffer): void {
  const descriptor = fs.openSync(file, 'wx', 0o600);
  try {
    for (let offset = 0; offset < content.length; ) {
      offset += fs.writeSync(descriptor, content, offset);
    }
    fs.fsyncSync(descriptor);
  } finally {
    fs.closeSync(descriptor);
  }
  syncFolder(fs, path.dirname(file));
}

/** `2026-11-18T09-30-00-000Z`: no colons, which Windows refuses. */
function formatStamp(now: Date): string {
  return now.toISOString().replace(/[:.]/g, '-');
}
