import { type FileSystem, writeNewFiles } from './files.ts';

/** Puts new content into a file's place: the old or the new one is there, never half of it. */
export function replaceFile(fs: FileSystem, file: string, content: Buffer): void {
  // Behind a link the file itself is replaced, not the link.
  const real = fs.realpathSync(file);
  const temporary = `${real}.chorus-${process.pid}`;
  try {
    writeNewFiles(fs, [{ path: temporary, content }]);
    fs.chmodSync(temporary, fs.statSync(real).mode);
    fs.renameSync(temporary, real);
  } catch (error) {
    fs.rmSync(temporary, { force: true });
    throw error;
  }
}
