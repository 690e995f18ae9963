import { constants, isUtf8 } from 'node:buffer';
import { errnoOf, type FileSystem } from './files.ts';
import { type Input, STANDARD_INPUT } from './find-inputs.ts';

const CHUNK = 1 << 16;
const NEW_LINE = 10;
/** Longer is no text for us; a device could go on for ever. */
const MAX_BYTES = constants.MAX_STRING_LENGTH;

/** Part of a file: whole lines, unless it is the only part. */
export interface TextPart {
  content: Buffer;
  /** The number of the first line in it. */
  firstLine: number;
}

/** Reads a file in parts that end with a line, however large it is. */
export function* readParts(fs: FileSystem, { file }: Input): Generator<TextPart> {
  let firstLine = 1;
  let rest: Buffer[] = [];
  let pending = 0;
  for (const chunk of readChunks(fs, file)) {
    const end = chunk.lastIndexOf(NEW_LINE) + 1;
    if (end === 0) {
      rest.push(Buffer.from(chunk));
      pending += chunk.length;
      if (pending > MAX_BYTES) throw tooLarge();
      continue;
    }
    const content = Buffer.concat([...rest, chunk.subarray(0, end)]);
    yield { content, firstLine };
    firstLine += countLines(content);
    rest = [Buffer.from(chunk.subarray(end))];
    pending = chunk.length - end;
  }
  const content = Buffer.concat(rest);
  if (content.length > 0) yield { content, firstLine };
}

/**
 * The text of a file that is UTF-8 for certain; nothing where the bytes must be looked at. Node
 * reads a text several times as fast as bytes, and puts U+FFFD in the place of bad ones.
 */
export function readText(fs: FileSystem, { file, isStream }: Input): string | undefined {
  const text = isStream ? undefined : fs.readFileSync(file, 'utf8');
  return text?.includes(REPLACEMENT) ? undefined : text;
}

/** The text that bytes are; nothing where they are not UTF-8. */
export function decodeText(content: Buffer): string | undefined {
  const text = content.toString('utf8');
  return text.includes(REPLACEMENT) && !isUtf8(content) ? undefined : text;
}

const REPLACEMENT = '\ufffd';

/** Reads a file at once. */
export function readWhole(fs: FileSystem, { file, isStream }: Input): Buffer {
  return isStream ? concat(readChunks(fs, file)) : fs.readFileSync(file);
}

/** A file that is one document after all. */
export function joinParts(first: TextPart, others: Iterable<TextPart>): Buffer {
  function* contents() {
    yield first.content;
    for (const { content } of others) yield content;
  }
  return concat(contents());
}

function concat(chunks: Iterable<Buffer>): Buffer {
  const kept: Buffer[] = [];
  let length = 0;
  for (const chunk of chunks) {
    kept.push(Buffer.from(chunk));
    length += chunk.length;
    if (length > MAX_BYTES) throw tooLarge();
  }
  return Buffer.concat(kept);
}

function tooLarge(): Error {
  return Object.assign(new Error('too large'), { code: 'EFBIG' });
}

/** Every chunk lies in the same memory: to keep one, copy it. */
function* readChunks(fs: FileSystem, file: string): Generator<Buffer> {
  // Without blocking: to open a pipe that nobody writes to would take for ever.
  const isStandardInput = file === STANDARD_INPUT;
  const descriptor = isStandardInput ? 0 : fs.openSync(file, NON_BLOCKING);
  try {
    const buffer = Buffer.allocUnsafe(CHUNK);
    for (;;) {
      const length = readSome(fs, descriptor, buffer);
      if (length === 0) return;
      yield buffer.subarray(0, length);
    }
  } finally {
    if (!isStandardInput) fs.closeSync(descriptor);
  }
}

const O_NONBLOCK = 0o4000;
const NON_BLOCKING = process.platform === 'linux' ? O_NONBLOCK : 'r';

function readSome(fs: FileSystem, descriptor: number, buffer: Buffer): number {
  for (;;) {
    try {
      return fs.readSync(descriptor, buffer);
    } catch (error) {
      if (errnoOf(error) === 'EOF') return 0; // Windows says so at the end of a pipe
      if (errnoOf(error) !== 'EAGAIN') throw error;
      // The writer of a pipe has nothing yet: wait a moment.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
}

function countLines(content: Buffer): number {
  let count = 0;
  for (let at = content.indexOf(NEW_LINE); at !== -1; at = content.indexOf(NEW_LINE, at + 1))
    count++;
  return count;
}

/** The first byte that is not UTF-8, in content that is not. */
export function findInvalidByte(content: Buffer): number {
  let good = 0;
  let bad = content.length;
  // The longest beginning that is UTF-8, or would be with up to three more bytes.
  while (good < bad) {
    const middle = (good + bad + 1) >> 1;
    if (isUtf8Beginning(content.subarray(0, middle))) good = middle;
    else bad = middle - 1;
  }
  return good;
}

function isUtf8Beginning(content: Buffer): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(content, { stream: true });
    return true;
  } catch {
    return false;
  }
}
