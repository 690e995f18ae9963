import { CliError } from '../errors.ts';
import { type FileSystem, runFileWork } from '../io/files.ts';
import { hasOnlyStaging } from '../io/staging.ts';
import { wasInterrupted } from '../io/update-folder.ts';
import { hashFiles, readInstalled } from './installed.ts';
import type { Manifest } from './manifest.ts';
import { readPackageFiles, type SkillSource } from './package-files.ts';
import { ENTRY_FILE } from './skill-files.ts';
import { compareVersions } from './versions.ts';

/** What is wrong with a damaged installation. */
export type Damage = 'no-manifest' | 'missing-files' | 'interrupted' | 'unreadable';

export interface Inspection {
  version: string | undefined;
  language: string | undefined;
  /** Files that are not as we wrote them. */
  changed: string[];
  /** Files that we wrote and that are gone. */
  missing: string[];
  damage: Damage | undefined;
  isOutdated: boolean;
  /** Installed by a later version than this one. */
  isNewer: boolean;
  /** Only what somebody changed was left when it was removed: it is no skill any more. */
  isLeftover: boolean;
}

/** Looks at the skill in a folder; undefined where there is none. */
export function inspectSkill(
  fs: FileSystem,
  folder: string,
  source: SkillSource,
  languages: readonly string[],
): Inspection | undefined {
  try {
    return runFileWork(folder, () => inspect(fs, folder, source, languages));
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    const damage = error.code === 'folder-busy' ? 'interrupted' : 'unreadable';
    return { ...EMPTY, damage };
  }
}

const EMPTY: Inspection = {
  version: undefined,
  language: undefined,
  changed: [],
  missing: [],
  damage: undefined,
  isOutdated: false,
  isNewer: false,
  isLeftover: false,
};

function inspect(
  fs: FileSystem,
  folder: string,
  source: SkillSource,
  languages: readonly string[],
): Inspection | undefined {
  if (!isFolder(fs, folder)) return undefined;
  const { manifest, present } = readInstalled(fs, folder, [ENTRY_FILE]);
  const isInterrupted = wasInterrupted(fs, folder) || hasOnlyStaging(fs, folder);
  const hasEntry = present.has(ENTRY_FILE);
  const isGone = !hasEntry && manifest?.files[ENTRY_FILE] === undefined && !isInterrupted;
  if (manifest === undefined) {
    if (isGone) return undefined;
    return { ...EMPTY, damage: isInterrupted ? 'interrupted' : 'no-manifest' };
  }
  const files = Object.entries(manifest.files);
  const missing = files.flatMap(([file]) => (present.has(file) ? [] : file));
  const changed = files.flatMap(([file, hash]) =>
    present.has(file) && present.get(file) !== hash ? file : [],
  );
  const age = compareVersions(manifest.version, source.package.version);
  return {
    version: manifest.version,
    language: manifest.language,
    changed,
    missing,
    damage: isInterrupted ? 'interrupted' : missing.length > 0 ? 'missing-files' : undefined,
    isOutdated: age < 0 || (age === 0 && !isAsShipped(fs, manifest, source, languages)),
    isNewer: age > 0,
    isLeftover: isGone,
  };
}

/** What we may not look at is nothing that we could tell about. */
function isFolder(fs: FileSystem, folder: string): boolean {
  try {
    return fs.statSync(folder).isDirectory();
  } catch {
    return false;
  }
}

/** The same version, built from other texts, has other files. */
function isAsShipped(
  fs: FileSystem,
  manifest: Manifest,
  source: SkillSource,
  languages: readonly string[],
): boolean {
  if (!languages.includes(manifest.language)) return true;
  const shipped = hashFiles(readPackageFiles(fs, source, manifest.language).slice(0, -1));
  // What an uninstall left is a part of them.
  return Object.entries(manifest.files).every(([file, hash]) => shipped[file] === hash);
}
