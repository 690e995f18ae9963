import path from 'node:path';
import type { FileSystem } from '../io/files.ts';
import { ENTRY_FILE } from '../scaffold/skill-files.ts';
import { SKILL_NAME } from './place.ts';

const MAX_SKILL = 256_000;

/**
 * Other skills of the name `chorus` in a folder of skills: a copy made by hand, say. A host
 * knows a skill by the name in its file, not by its folder, and takes one of them.
 */
export function findSameName(fs: FileSystem, skills: string, own: string): string[] {
  const names = listFolder(fs, skills).filter((name) => !name.startsWith('.') && name !== own);
  return names
    .sort()
    .map((name) => path.join(skills, name, ENTRY_FILE))
    .filter((file) => readSkillName(fs, file) === SKILL_NAME);
}

/** The `name` of a skill's frontmatter; undefined where there is no such file. */
export function readSkillName(fs: FileSystem, file: string): string | undefined {
  try {
    const entry = fs.statSync(file);
    // A pipe would keep us waiting for ever, and hosts pass over what is too large.
    if (!entry.isFile() || entry.size > MAX_SKILL) return undefined;
    const text = fs.readFileSync(file, 'utf8');
    const [, frontmatter = ''] = /^---\r?\n([\s\S]*?)\r?\n---/.exec(text) ?? [];
    return /^name:\s*["']?([\w-]+)/m.exec(frontmatter)?.[1];
  } catch {
    return undefined;
  }
}

function listFolder(fs: FileSystem, folder: string): string[] {
  try {
    return fs.readdirSync(folder);
  } catch {
    return [];
  }
}
