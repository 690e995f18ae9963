import path from 'node:path';
import { CliError } from '../../errors.ts';
import { errnoOf, type FileSystem, isBelow, isMissing } from '../../io/files.ts';
import { resolveLinks } from '../../io/real-files.ts';
import { Json5Error, parseJson5 } from './parse-json5.ts';

export type ConfigObject = Readonly<Record<string, unknown>>;

const INCLUDE = '$include';
const MAX_INCLUDE_DEPTH = 10;
const MAX_CONFIG_SIZE = 8 << 20;

/** OpenClaw's config with its `$include`s in place; undefined where there is none. Only read. */
export function readOpenclawConfig(
  fs: FileSystem,
  file: string,
  includeRoots: readonly string[],
): ConfigObject | undefined {
  const text = readText(fs, file);
  if (text === undefined) return undefined;
  const reader = new IncludeReader(fs, [path.dirname(file), ...includeRoots]);
  const config = reader.include(parseText(text, file), [path.normalize(file)]);
  return isObject(config) ? config : {};
}

export function isObject(value: unknown): value is ConfigObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value below an object's members; undefined where one is missing. */
export function readMember(value: unknown, ...names: readonly string[]): unknown {
  return names.reduce<unknown>(
    (current, name) =>
      isObject(current) && Object.hasOwn(current, name) ? current[name] : undefined,
    value,
  );
}

/** `$include` names files beside the config, or below a folder that the user allowed. */
class IncludeReader {
  private readonly fs: FileSystem;
  private readonly roots: readonly string[];

  constructor(fs: FileSystem, roots: readonly string[]) {
    this.fs = fs;
    this.roots = roots;
  }

  /** `files` are those being read, the innermost last. */
  include(value: unknown, files: readonly string[]): unknown {
    if (Array.isArray(value)) return value.map((item) => this.include(item, files));
    if (!isObject(value)) return value;
    const members = Object.entries(value).filter(([name]) => name !== INCLUDE);
    const own = Object.fromEntries(members.map(([name, it]) => [name, this.include(it, files)]));
    if (!Object.hasOwn(value, INCLUDE)) return own;
    const named = value[INCLUDE];
    const included = Array.isArray(named)
      ? named.map((name) => this.load(name, files)).reduce(merge, {})
      : this.load(named, files);
    if (members.length === 0) return included;
    if (!isObject(included)) throw includeError(files, named);
    return merge(included, own);
  }

  private load(name: unknown, files: readonly string[]): unknown {
    const from = files.at(-1) ?? '';
    if (typeof name !== 'string' || name.includes('\0')) throw includeError(files, name);
    const file = path.resolve(path.dirname(from), name);
    const isAllowed =
      this.isInside(file) && files.length <= MAX_INCLUDE_DEPTH && !files.includes(file);
    const text = isAllowed ? readText(this.fs, file) : undefined;
    if (text === undefined) throw includeError(files, name);
    return this.include(parseText(text, file), [...files, file]);
  }

  /** As it is written and as it really is: a link must not lead out. */
  private isInside(file: string): boolean {
    const isIn = (roots: readonly string[], it: string) => roots.some((root) => isBelow(root, it));
    const realRoots = this.roots.map((root) => resolveLinks(this.fs, root));
    return isIn(this.roots, file) && isIn(realRoots, resolveLinks(this.fs, file));
  }
}

/** Objects member by member, lists one after the other, else the later value. */
function merge(earlier: unknown, later: unknown): unknown {
  if (Array.isArray(earlier) && Array.isArray(later)) return [...earlier, ...later];
  if (!isObject(earlier) || !isObject(later)) return later;
  const merged = Object.entries(later).map(([name, value]) => [
    name,
    Object.hasOwn(earlier, name) ? merge(earlier[name], value) : value,
  ]);
  return { ...earlier, ...Object.fromEntries(merged) };
}

function includeError(files: readonly string[], name: unknown): CliError {
  const include = typeof name === 'string' ? name : JSON.stringify(name);
  return new CliError('openclaw-include', { path: files.at(-1) ?? '', include });
}

function parseText(text: string, file: string): unknown {
  try {
    return parseJson5(text);
  } catch (error) {
    if (!(error instanceof Json5Error)) throw error;
    const { line, column } = error;
    throw new CliError('openclaw-config-syntax', { path: file, line, column }, error);
  }
}

function readText(fs: FileSystem, file: string): string | undefined {
  const refuse = (errno: string, cause?: unknown) =>
    new CliError('openclaw-config-unreadable', { path: file, errno }, cause);
  try {
    const entry = fs.statSync(file);
    // A pipe would keep us waiting for ever.
    if (!entry.isFile()) throw refuse(entry.isDirectory() ? 'EISDIR' : 'EINVAL');
    if (entry.size > MAX_CONFIG_SIZE) throw refuse('EFBIG');
    return fs.readFileSync(file, 'utf8');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error instanceof CliError ? error : refuse(errnoOf(error) ?? '', error);
  }
}
