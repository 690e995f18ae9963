import path from 'node:path';
import { CliError } from '../errors.ts';
import type { FileSystem } from '../io/files.ts';
import { hashContent, MANIFEST_FILE, parseManifest } from './manifest.ts';
import { ENTRY_FILE } from './skill-files.ts';

/**
 * Reads an installation back by the path that agents use, while it can still be undone.
 * `changed` are files of the user's that were left as they are.
 */
export function verifySkill(fs: FileSystem, folder: string, changed: readonly string[] = []): void {
  const read = (file: string): Buffer => {
    try {
      return fs.readFileSync(path.join(folder, file));
    } catch (error) {
      throw new CliError('not-readable-back', { dir: folder, file }, error);
    }
  };
  const manifest = parseManifest(read(MANIFEST_FILE));
  const files = Object.entries(manifest?.files ?? {});
  const wrong = files.find(
    ([file, hash]) => !changed.includes(file) && hashContent(read(file)) !== hash,
  );
  const hasEntry = manifest?.files[ENTRY_FILE] !== undefined && read(ENTRY_FILE).length > 0;
  if (wrong === undefined && hasEntry) return;
  throw new CliError('not-readable-back', { dir: folder, file: wrong?.[0] ?? MANIFEST_FILE });
}
