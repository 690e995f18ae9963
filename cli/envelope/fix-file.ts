import { isUtf8 } from 'node:buffer';
import type { FileSystem } from '../io/files.ts';
import type { Input } from '../io/find-inputs.ts';
import { readWhole } from '../io/read-text.ts';
import { replaceFile } from '../io/replace-file.ts';
import { type CheckOptions, chooseDetection, isLines } from './check-file.ts';
import { fixText } from './fix-text.ts';

export interface FileFix {
  before: string;
  after: string;
}

/** What `--fix` makes of a file; nothing where it changes nothing. */
export function planFix(fs: FileSystem, input: Input, options: CheckOptions): FileFix | undefined {
  const content = readWhole(fs, input);
  // What is not UTF-8 would not survive being decoded.
  if (!isUtf8(content)) return undefined;
  const before = content.toString('utf8');
  const after = fixText(before, isLines(input.path, content), chooseDetection(input, options));
  return after === before ? undefined : { before, after };
}

export function applyFix(fs: FileSystem, input: Input, { after }: FileFix): void {
  // A file is replaced with its folder's permission; its own counts too.
  fs.closeSync(fs.openSync(input.file, 'r+'));
  replaceFile(fs, input.file, Buffer.from(after));
}
