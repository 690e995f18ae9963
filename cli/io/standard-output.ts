import fs from 'node:fs';
import { CliError } from '../errors.ts';
import { errnoOf } from './files.ts';
import { type Environment, type OutputStream, PLAIN, wantsColors } from './terminal.ts';

/**
 * Standard output or error, written to directly. Node's own stream objects, and
 * node:tty with them, load all of node:net: that would be a third of our start-up.
 */
export async function openStandardOutput(
  descriptor: 1 | 2,
  env: Environment,
): Promise<OutputStream> {
  const isTTY = await isTerminal(descriptor);
  const colors = wantsColors(isTTY, env)
    ? (await import('picocolors')).default.createColors(true)
    : PLAIN;
  let closed = false;
  return {
    isTTY,
    colors,
    get isClosed() {
      return closed;
    },
    get columns() {
      return isTTY ? (descriptor === 1 ? process.stdout : process.stderr).columns : undefined;
    },
    write(text) {
      if (closed) return;
      try {
        writeAll(descriptor, Buffer.from(text));
      } catch (error) {
        // The reader of a pipe may leave early; that is no failure of ours.
        const errno = errnoOf(error) ?? 'unknown';
        if (errno !== 'EPIPE') throw new CliError('output-failed', { errno }, error);
        closed = true;
      }
    },
  };
}

export async function isTerminal(descriptor: number): Promise<boolean> {
  try {
    if (!fs.fstatSync(descriptor).isCharacterDevice()) return false;
  } catch {
    return false; // closed by whoever started us
  }
  return (await import('node:tty')).isatty(descriptor);
}

function writeAll(descriptor: number, content: Buffer): void {
  for (let offset = 0; offset < content.length; ) {
    try {
      offset += fs.writeSync(descriptor, content, offset);
    } catch (error) {
      // Somebody made the pipe non-blocking, and its reader is slow: wait a moment.
      if (errnoOf(error) !== 'EAGAIN') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
}
