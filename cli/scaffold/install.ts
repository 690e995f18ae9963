import path from 'node:path';
import { CliError } from '../errors.ts';
import { createFolder } from '../io/create-folder.ts';
import {
  type FileContent,
  type FileSystem,
  readFileIfThere,
  readOwnFile,
  toFileError,
} from '../io/files.ts';
import { assertRealFiles } from '../io/real-files.ts';
import { isOccupied, isStaging } from '../io/staging.ts';
import { readAsBefore, updateFolder, wasInterrupted } from '../io/update-folder.ts';
import {
  createManifest,
  formatManifest,
  hashContent,
  MANIFEST_FILE,
  type Manifest,
  parseManifest,
} from './manifest.ts';
import { type PlannedFile, planFiles } from './plan.ts';
import { readSkillFiles } from './skill-files.ts';
import { readTarget, type Target } from './target.ts';

export interface InstallRequest {
  cwd: string;
  dir: string;
  language: string;
  packageRoot: string;
  package: { name: string; version: string };
  force: boolean;
  dryRun: boolean;
}

export interface Installation {
  target: Target;
  files: PlannedFile[];
}

/** Puts the skill into a folder, whole or not at all. */
export function installSkill(fs: FileSystem, request: InstallRequest): Installation {
  const target = runFileWork(request.dir, () => readTarget(fs, request.cwd, request.dir));
  const skill = readSkillFiles(fs, request.packageRoot, request.language);
  const manifest = createManifest(request.package, request.language, skill);
  const files = [...skill, { path: MANIFEST_FILE, content: formatManifest(manifest) }];
  return runFileWork(target.folder, () =>
    target.exists
      ? installOver(fs, request, target, files)
      : installNew(fs, request, target, files),
  );
}

/** The language of the skill that is in the folder already, if there is one. */
export function readInstalledLanguage(
  fs: FileSystem,
  cwd: string,
  dir: string,
): string | undefined {
  try {
    const { real } = readTarget(fs, cwd, dir);
    return parseManifest(readAsBefore(fs, real, MANIFEST_FILE))?.language;
  } catch {
    return undefined; // installSkill will say what is wrong with the folder
  }
}

function installNew(
  fs: FileSystem,
  request: InstallRequest,
  target: Target,
  files: readonly FileContent[],
): Installation {
  const planned = files.map((file): PlannedFile => ({ path: file.path, action: 'create' }));
  if (!request.dryRun) {
    try {
      createFolder(fs, target.real, files);
    } catch (error) {
      // Somebody else made the folder since we looked.
      if (isOccupied(error) && readTarget(fs, request.cwd, request.dir).exists) {
        throw describeExisting(fs, target.folder);
      }
      throw error;
    }
  }
  return { target, files: planned };
}

function installOver(
  fs: FileSystem,
  request: InstallRequest,
  target: Target,
  files: readonly FileContent[],
): Installation {
  if (!request.force || request.dryRun) {
    if (wasInterrupted(fs, target.real)) {
      throw new CliError('folder-interrupted', { dir: target.folder });
    }
    if (!request.force) throw describeExisting(fs, target.folder);
  }
  if (request.dryRun) return { target, files: planOver(fs, target.real, files) };

  let planned: PlannedFile[] = [];
  updateFolder(fs, target.real, () => {
    planned = planOver(fs, target.real, files);
    const actions = new Map(planned.map((file) => [file.path, file.action]));
    return {
      // The manifest is the last of the files: it is true once it is there.
      write: files.filter((file) => actions.get(file.path) !== 'keep'),
      remove: planned.filter((file) => file.action === 'remove').map((file) => file.path),
    };
  });
  return { target, files: planned };
}

function planOver(fs: FileSystem, folder: string, files: readonly FileContent[]): PlannedFile[] {
  const { manifest, present } = readInstalled(fs, folder, files);
  const planned = planFiles(hashFiles(files), present, manifest);
  // The manifest lists no hash of itself; replacing it is never news to the user.
  return planned.map((file) =>
    file.path === MANIFEST_FILE && file.action === 'replace-changed'
      ? { ...file, action: 'replace' }
      : file,
  );
}

function readInstalled(
  fs: FileSystem,
  folder: string,
  files: readonly FileContent[],
): { manifest: Manifest | undefined; present: Map<string, string> } {
  assertRealFiles(fs, folder, [MANIFEST_FILE]);
  const manifest = parseManifest(readOwnFile(fs, path.join(folder, MANIFEST_FILE)));
  const paths = new Set([...files.map((file) => file.path), ...Object.keys(manifest?.files ?? {})]);
  assertRealFiles(fs, folder, [...paths]);
  const present = new Map<string, string>();
  for (const relative of paths) {
    const content = readFileIfThere(fs, path.join(folder, relative));
    if (content !== undefined) present.set(relative, hashContent(content));
  }
  return { manifest, present };
}

/** Names what is in the folder, so that the user can decide. */
function describeExisting(fs: FileSystem, folder: string): CliError {
  const names = fs.readdirSync(folder).filter((name) => !isStaging(name));
  if (names.length === 0) return new CliError('empty-folder-exists', { dir: folder });
  const found = names.length > 12 ? [...names.slice(0, 12), '…'] : names;
  const manifest = parseManifest(readOwnFile(fs, path.join(folder, MANIFEST_FILE)));
  if (manifest === undefined) return new CliError('folder-exists', { dir: folder, found });
  const { version, language } = manifest;
  return new CliError('skill-exists', { dir: folder, found, version, language });
}

function hashFiles(files: readonly FileContent[]): Record<string, string> {
  return Object.fromEntries(files.map((file) => [file.path, hashContent(file.content)]));
}

function runFileWork<Result>(fallbackPath: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw toFileError(error, fallbackPath);
  }
}
