import path from 'node:path';
import { errnoOf, type FileSystem } from './files.ts';

/** A file to read, under the name by which the user knows it. */
export interface Input {
  path: string;
  file: string;
  /** A pipe, standard input, a device: read to its end, whatever its size says. */
  isStream: boolean;
}

export type FoundInput = Input | { path: string; errno: string };

export const STANDARD_INPUT = '-';
const WILDCARDS = /[*?[\]{}]/;

/** The files that the arguments mean: files, what is below folders, patterns, standard input. */
export function findInputs(fs: FileSystem, cwd: string, names: readonly string[]): FoundInput[] {
  const seen = new Set<string>();
  return names
    .flatMap((name) => findInput(fs, cwd, name))
    .filter(({ path: shown }) => !seen.has(shown) && seen.add(shown));
}

function findInput(fs: FileSystem, cwd: string, name: string): FoundInput[] {
  if (name === STANDARD_INPUT) return [{ path: name, file: STANDARD_INPUT, isStream: true }];
  const file = path.resolve(cwd, name);
  try {
    const entry = fs.statSync(file);
    if (!entry.isDirectory()) return [{ path: name, file, isStream: !entry.isFile() }];
    const found = walk(fs, file, name).filter((it) => /\.jsonl?$/i.test(it.path));
    return found.length > 0 ? found : [{ path: name, errno: 'ENOENT' }];
  } catch (error) {
    const errno = errnoOf(error) ?? 'unknown';
    const found = errno === 'ENOENT' && WILDCARDS.test(name) ? expand(fs, cwd, name) : [];
    return found.length > 0 ? found : [{ path: name, errno }];
  }
}

/** Every file below a folder, sorted. Links to folders are not followed: they may lead round. */
function walk(fs: FileSystem, folder: string, shown: string): Input[] {
  return fs
    .readdirSync(folder, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry): Input[] => {
      const inner = {
        path: path.join(shown, entry.name),
        file: path.join(folder, entry.name),
        isStream: false,
      };
      if (entry.isDirectory()) {
        const isSkipped = entry.name === 'node_modules' || entry.name.startsWith('.');
        return isSkipped ? [] : walk(fs, inner.file, inner.path);
      }
      const isFile = entry.isFile() || (entry.isSymbolicLink() && isRegularFile(fs, inner.file));
      return isFile ? [inner] : [];
    });
}

function isRegularFile(fs: FileSystem, file: string): boolean {
  return fs.statSync(file, { throwIfNoEntry: false })?.isFile() ?? false;
}

/** A pattern that the shell left alone: `*`, `**`, `?`, `[…]` and `{a,b}`. */
function expand(fs: FileSystem, cwd: string, pattern: string): Input[] {
  const parts = pattern.split('/');
  const fixed = parts.slice(
    0,
    parts.findIndex((part) => WILDCARDS.test(part)),
  );
  const shown = fixed.join('/') || (pattern.startsWith('/') ? '/' : '');
  const matcher = toMatcher(pattern);
  try {
    return walk(fs, path.resolve(cwd, shown), shown).filter(({ path: name }) => matcher.test(name));
  } catch {
    return [];
  }
}

function toMatcher(pattern: string): RegExp {
  const source = pattern.replace(
    /\*\*\/|\*\*|\*|\?|\[!?[^\]/]+\]|\{[^{}/]*\}|[.+^$()|\\{}[\]]/g,
    (token) => {
      if (token === '**/') return '(?:[^/]+/)*';
      if (token === '**') return '.*';
      if (token === '*') return '[^/]*';
      if (token === '?') return '[^/]';
      if (token.length > 1 && token.startsWith('[')) return token.replace('[!', '[^');
      if (token.length > 1 && token.startsWith('{')) {
        const choices = token.slice(1, -1).split(',').map(escapeText);
        return `(?:${choices.join('|')})`;
      }
      return escapeText(token);
    },
  );
  return new RegExp(`^${source}$`, 'u');
}

function escapeText(text: string): string {
  return text.replace(/[.*+?^$()|\\{}[\]]/g, '\\$&');
}
