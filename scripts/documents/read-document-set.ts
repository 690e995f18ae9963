import path from 'node:path';
import fs from 'fs-extra';
import type { DocumentSet } from './document-set.ts';

const SHARED = 'shared';

async function readFolder(folder: string): Promise<Map<string, string>> {
  const entries = await fs.readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort();
  const texts = files.map(async (file) => {
    const name = path.relative(folder, file).split(path.sep).join('/');
    return [name, await fs.readFile(file, 'utf8')] as const;
  });
  return new Map(await Promise.all(texts));
}

/** Every folder in `templates/` is a language, but for the one they share. */
export async function readDocumentSet(templates: string): Promise<DocumentSet> {
  const entries = await fs.readdir(templates, { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  const languages: DocumentSet['languages'] = new Map();
  for (const language of folders.filter((name) => name !== SHARED).sort()) {
    languages.set(language, await readFolder(path.join(templates, language)));
  }
  return { languages, shared: await readFolder(path.join(templates, SHARED)) };
}
