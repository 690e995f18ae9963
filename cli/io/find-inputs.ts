import path from 'node:path';
import { INBOX_FILE, INVALID_FILE } from '../protocol/constants.ts';
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
/** Stands for an errno where a folder holds nothing to check. */
export const NO_DOCUMENTS = 'EMPTY';
const WILDCARDS = /[*?[\]{}]/;
/** What is taken from a folder: schemas and what the inbox has handled are no documents. */
const DOCUMENT = /(?<!\.schema)\.jsonl?$/i;
const SKIPPED = ['node_modules', INBOX_FILE, INVALID_FILE];

/** The files that the arguments mean: files, what is below folders, patterns, standard input. */
export function findInputs(fs: FileSystem, cwd: string, names: readonly string[]): FoundInput[] {
  const seen = new Set<string>();
  return names
    .flatMap((name) => findInput(fs, cwd, name))
    .filter((input) => {
      // `a.json` and `./a.json` are one file.
      const key = 'file' in input ? input.file : input.path;
      return !seen.has(key) && seen.add(key);
    });
}

function findInput(fs: FileSystem, cwd: string, name: string): FoundInput[] {
  if (name === STANDARD_INPUT) return [{ path: name, file: STANDARD_INPUT, isStream: true }];
  // Most often a variable that is not set; it does not mean the current folder.
  if (name === '') return [{ path: name, errno: 'ENOENT' }];
  const file = path.resolve(cwd, name);
  try {
    const entry = fs.statSync(file);
    if (!entry.isDirectory()) return [{ path: name, file, isStream: !entry.isFile() }];
    const found = walk(fs, file, name).filter((it) => 'errno' in it || DOCUMENT.test(it.path));
    return found.length > 0 ? found : [{ path: name, errno: NO_DOCUMENTS }];
  } catch (error) {
    const errno = errnoOf(error) ?? 'unknown';
    const found = errno === 'ENOENT' && WILDCARDS.test(name) ? expand(fs, cwd, name) : [];
    return found.length > 0 ? found : [{ path: name, errno }];
  }
}

/** Every file below a folder, sorted. Links to folders are not followed: they may lead round. */
function walk(fs: FileSystem, folder: string, shown: string): FoundInput[] {
  // To join paths anew for every file would take longer than to check it.
  const inFolder = path.join(folder, path.sep);
  const inShown = path.normalize(shown) === '.' ? '' : path.join(shown, path.sep);
  return fs
    .readdirSync(folder, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry): FoundInput[] => {
      if (entry.name.startsWith('.') || SKIPPED.includes(entry.name)) return [];
      const inner = {
        path: inShown + entry.name,
        file: inFolder + entry.name,
        isStream: false,
      };
      if (entry.isDirectory()) return walkInner(fs, inner);
      if (entry.isSymbolicLink()) return followLink(fs, inner);
      return entry.isFile() ? [inner] : [];
    });
}

/** A folder that cannot be read is told of, and does not hide the others. */
function walkInner(fs: FileSystem, { file, path: shown }: Input): FoundInput[] {
  try {
    return walk(fs, file, shown);
  } catch (error) {
    return [{ path: shown, errno: errnoOf(error) ?? 'unknown' }];
  }
}

function followLink(fs: FileSystem, input: Input): FoundInput[] {
  try {
    return fs.statSync(input.file).isFile() ? [input] : [];
  } catch (error) {
    const errno = errnoOf(error) ?? 'unknown';
    return DOCUMENT.test(input.path) ? [{ path: input.path, errno }] : [];
  }
}

/** A pattern that the shell left alone: `*`, `**`, `?`, `[…]` and `{a,b}`. */
function expand(fs: FileSystem, cwd: string, given: string): FoundInput[] {
  const pattern = path.posix.normalize(given);
  const parts = pattern.split('/');
  const fixed = parts.slice(
    0,
    parts.findIndex((part) => WILDCARDS.test(part)),
  );
  const shown = fixed.join('/') || (pattern.startsWith('/') ? '/' : '');
  try {
    const matcher = toMatcher(pattern);
    return walk(fs, path.resolve(cwd, shown), shown).filter(({ path: name }) => {
      const [matched] = matcher.exec(name) ?? [];
      // What lies in a folder that the pattern means is taken as from that folder.
      return matched === name || (matched !== undefined && DOCUMENT.test(name));
    });
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
  return new RegExp(`^${source}(?=/|$)`, 'u');
}

function escapeText(text: string): string {
  return text.replace(/[.*+?^$()|\\{}[\]]/g, '\\$&');
}
