import path from 'node:path';
import type { FileContent, FileSystem } from '../io/files.ts';
import { readPackage, templateFolders } from './languages.ts';

/** What an agent reads first; the rest is one hop away from it. */
export const ENTRY_FILE = 'SKILL.md';

/** The files of the skill in a language, the entry first, the rest sorted by path. */
export function readSkillFiles(
  fs: FileSystem,
  packageRoot: string,
  language: string,
): FileContent[] {
  const files = templateFolders(packageRoot, language).flatMap((folder) => readTree(fs, folder));
  const key = (file: FileContent) => (file.path === ENTRY_FILE ? '' : file.path);
  return files.sort((a, b) => (key(a) < key(b) ? -1 : 1));
}

function readTree(fs: FileSystem, folder: string, prefix = ''): FileContent[] {
  const entries = readPackage(folder, () => fs.readdirSync(folder, { withFileTypes: true }));
  return entries.flatMap((entry) => {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) return readTree(fs, file, `${prefix}${entry.name}/`);
    return [{ path: prefix + entry.name, content: readPackage(file, () => fs.readFileSync(file)) }];
  });
}
