import path from 'node:path';
import { CliError } from '../errors.ts';
import { type FileContent, type FileSystem, readFileIfThere, readOwnFile } from '../io/files.ts';
import { assertRealFiles } from '../io/real-files.ts';
import { isStaging } from '../io/staging.ts';
import { hashContent, MANIFEST_FILE, type Manifest, parseManifest } from './manifest.ts';

/** What is in a folder of ours: its manifest, and the hashes of the files that concern us. */
export interface Installed {
  manifest: Manifest | undefined;
  present: ReadonlyMap<string, string>;
}

/** Refuses a folder with links or other things in the place of files. */
export function readInstalled(
  fs: FileSystem,
  folder: string,
  shipped: readonly string[],
): Installed {
  assertRealFiles(fs, folder, [MANIFEST_FILE]);
  const manifest = parseManifest(readOwnFile(fs, path.join(folder, MANIFEST_FILE)));
  const paths = new Set([...shipped, MANIFEST_FILE, ...Object.keys(manifest?.files ?? {})]);
  assertRealFiles(fs, folder, [...paths]);
  const present = new Map<string, string>();
  for (const relative of paths) {
    const content = readFileIfThere(fs, path.join(folder, relative));
    if (content !== undefined) present.set(relative, hashContent(content));
  }
  return { manifest, present };
}

/** Names what is in the folder, so that the user can decide. */
export function describeExisting(fs: FileSystem, folder: string): CliError {
  const names = fs.readdirSync(folder).filter((name) => !isStaging(name));
  if (names.length === 0) return new CliError('empty-folder-exists', { dir: folder });
  const found = names.length > 12 ? [...names.slice(0, 12), '…'] : names;
  const manifest = parseManifest(readOwnFile(fs, path.join(folder, MANIFEST_FILE)));
  if (manifest === undefined) return new CliError('folder-exists', { dir: folder, found });
  const { version, language } = manifest;
  return new CliError('skill-exists', { dir: folder, found, version, language });
}

export function hashFiles(files: readonly FileContent[]): Record<string, string> {
  return Object.fromEntries(files.map((file) => [file.path, hashContent(file.content)]));
}
