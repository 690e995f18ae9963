import path from 'node:path';
import { type FileSystem, syncFolder } from '../io/files.ts';
import { pendingFile } from './find-credentials.ts';

/** A place on the disk that is ours before the hub is asked for a key. */
export interface ReservedFile {
  pending: string;
  /** Puts the text into the file's place. On disk, and the key safe, when it returns. */
  fill(text: string): void;
  /** Nothing is to be kept. */
  release(): void;
  /** The note stays for the next run. */
  keep(): void;
}

/** Enough for any credentials of ours; `note` says, should we be killed, what was going on. */
const RESERVED_BYTES = 8192;

/**
 * `isThere`: the note of an earlier run is taken over.
 * Takes the room that the credentials will need, so that neither a missing permission nor a
 * full disk can come between the hub's answer and the disk. The answer is written over the
 * reserved bytes in one step, synced, and only then renamed to its place.
 */
export function reserveFile(
  fs: FileSystem,
  file: string,
  note: string,
  { room, isThere }: { room: number; isThere: boolean },
): ReservedFile {
  const pending = pendingFile(file);
  const size = Math.max(RESERVED_BYTES, 2 * Buffer.byteLength(note), 2 * room);
  const descriptor = fs.openSync(pending, isThere ? 'r+' : 'wx', 0o600);
  let isOpen = true;
  const close = () => {
    if (isOpen) fs.closeSync(descriptor);
    isOpen = false;
  };
  const writeAtStart = (text: string) => {
    // Blanks after a JSON document are no part of it: however we end, it can be read.
    const content = Buffer.alloc(Math.max(size, Buffer.byteLength(text)), ' ');
    content.write(text);
    for (let offset = 0; offset < content.length; ) {
      offset += fs.writeSync(descriptor, content, offset, content.length - offset, offset);
    }
    fs.fsyncSync(descriptor);
  };
  const release = () => {
    close();
    try {
      fs.rmSync(pending, { force: true });
    } catch {
      // It holds no key, and the next run removes it.
    }
  };
  try {
    writeAtStart(note);
    syncFolder(fs, path.dirname(file));
  } catch (error) {
    release();
    throw error;
  }
  return {
    pending,
    release,
    keep: close,
    fill(text) {
      writeAtStart(text);
      fs.ftruncateSync(descriptor, Buffer.byteLength(text));
      fs.fsyncSync(descriptor);
      close();
      fs.renameSync(pending, file);
      syncFolder(fs, path.dirname(file));
    },
  };
}
