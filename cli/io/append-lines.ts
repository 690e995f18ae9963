import path from 'node:path';
import { type FileSystem, syncFolder } from './files.ts';

const NEW_LINE = 10;
const MODE = 0o600;

/**
 * Adds whole lines to a file, on disk when it returns. One write for all of them, at the
 * end of the file wherever that is by then: other writers' lines stay whole, and so do ours.
 */
export function appendLines(fs: FileSystem, file: string, lines: readonly string[]): void {
  if (lines.length === 0) return;
  const descriptor = fs.openSync(file, 'a+', MODE);
  try {
    const isNew = fs.fstatSync(descriptor).size === 0;
    const text = `${endsTorn(fs, descriptor) ? '\n' : ''}${lines.join('\n')}\n`;
    writeWhole(fs, descriptor, Buffer.from(text));
    fs.fsyncSync(descriptor);
    if (isNew) syncFolder(fs, path.dirname(file));
  } finally {
    fs.closeSync(descriptor);
  }
}

/** Ends a last line that a power cut left without its end, so that the next begins on its own. */
export function repairTail(fs: FileSystem, file: string): boolean {
  const descriptor = fs.openSync(file, 'a+', MODE);
  try {
    if (!endsTorn(fs, descriptor)) return false;
    fs.writeSync(descriptor, '\n');
    fs.fsyncSync(descriptor);
    return true;
  } finally {
    fs.closeSync(descriptor);
  }
}

function endsTorn(fs: FileSystem, descriptor: number): boolean {
  const { size } = fs.fstatSync(descriptor);
  const last = Buffer.alloc(1);
  return size > 0 && fs.readSync(descriptor, last, 0, 1, size - 1) === 1 && last[0] !== NEW_LINE;
}

/** A line that was cut short is written again whole: another writer may be in between by now. */
function writeWhole(fs: FileSystem, descriptor: number, content: Buffer): void {
  for (let rest = content; rest.length > 0; ) {
    const written = fs.writeSync(descriptor, rest);
    if (written === rest.length) return;
    const whole = written === 0 ? 0 : rest.lastIndexOf(NEW_LINE, written - 1) + 1;
    const isTorn = whole < written;
    rest = isTorn ? Buffer.concat([Buffer.from('\n'), rest.subarray(whole)]) : rest.subarray(whole);
  }
}
