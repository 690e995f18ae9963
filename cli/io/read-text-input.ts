import { isUtf8 } from 'node:buffer';
import path from 'node:path';
import { CliError } from '../errors.ts';
import { errnoOf, type FileSystem } from './files.ts';
import { STANDARD_INPUT } from './find-inputs.ts';
import { findInvalidByte, readWhole } from './read-text.ts';

/** A text that a person or a program wrote: without the line end that editors and `echo` add. */
export function readTextInput(fs: FileSystem, cwd: string, name: string): string {
  const file = name === STANDARD_INPUT ? name : path.resolve(cwd, name);
  let content: Buffer;
  try {
    content = readWhole(fs, { path: name, file, isStream: name === STANDARD_INPUT });
  } catch (error) {
    throw new CliError('unreadable', { path: name, errno: errnoOf(error) ?? 'unknown' }, error);
  }
  if (!isUtf8(content)) {
    throw new CliError('text-not-utf8', { path: name, byte: findInvalidByte(content) });
  }
  return content
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .replace(/\r?\n$/, '');
}
