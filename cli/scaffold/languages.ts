import path from 'node:path';
import { CliError } from '../errors.ts';
import { errnoOf, type FileSystem } from '../io/files.ts';
import { matchTag, normaliseTag } from '../locale.ts';
import { findNearest } from '../nearest.ts';

export const DEFAULT_LANGUAGE = 'en';
const TEMPLATES = 'templates';
const SHARED = 'shared';

/** A language is a folder of templates: adding a folder adds the language. */
export function readLanguages(fs: FileSystem, packageRoot: string): string[] {
  return readPackage(path.join(packageRoot, TEMPLATES), (folder) =>
    fs
      .readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && entry.name !== SHARED)
      .map((entry) => entry.name)
      .sort(),
  );
}

/** The folders whose files make up the skill in a language. */
export function templateFolders(packageRoot: string, language: string): string[] {
  return [language, SHARED].map((name) => path.join(packageRoot, TEMPLATES, name));
}

/** What the user wrote (`zh`, `zh_CN.UTF-8`, `ZH-cn`) as one of the available languages. */
export function parseLanguage(given: string, available: readonly string[]): string {
  const tag = normaliseTag(given);
  const language = tag === undefined ? undefined : matchTag(tag, available);
  if (language !== undefined) return language;
  const nearest = findNearest(tag ?? given, available) ?? findSameLanguage(tag, available);
  throw new CliError('unknown-language', {
    given,
    available,
    suggestion: nearest ?? DEFAULT_LANGUAGE,
    ...(nearest === undefined ? {} : { nearest }),
  });
}

/** The language to suggest to a user with this locale. */
export function suggestLanguage(locale: string | undefined, available: readonly string[]): string {
  return (locale && matchTag(locale, available)) ?? DEFAULT_LANGUAGE;
}

/** Reads something of our own package; failing means that the package is damaged. */
export function readPackage<Result>(file: string, read: (file: string) => Result): Result {
  try {
    return read(file);
  } catch (error) {
    throw new CliError(
      'package-damaged',
      { path: file, errno: errnoOf(error) ?? 'unknown' },
      error,
    );
  }
}

function findSameLanguage(tag: string | undefined, available: readonly string[]) {
  const language = tag?.split('-')[0];
  return available.find((candidate) => candidate.split('-')[0] === language);
}
