import path from 'node:path';
import { CliError } from '../errors.ts';
import { createFolder } from '../io/create-folder.ts';
import { type FileContent, type FileSystem, isMissing, runFileWork } from '../io/files.ts';
import { applyTogether, type PendingChange } from '../io/pending-change.ts';
import { assertNotBusy, busyError, hasOnlyStaging, isOccupied } from '../io/staging.ts';
import { readAsBefore, updateFolder, wasInterrupted } from '../io/update-folder.ts';
import { describeExisting, hashFiles, readInstalled } from './installed.ts';
import { MANIFEST_FILE, parseManifest } from './manifest.ts';
import { readPackageFiles, type SkillSource } from './package-files.ts';
import { type PlannedFile, planFiles } from './plan.ts';
import { readTarget, type Target } from './target.ts';
import { verifySkill } from './verify.ts';

export interface InstallRequest extends SkillSource {
  cwd: string;
  dir: string;
  language: string;
  force: boolean;
  dryRun: boolean;
  /** A folder that is already as it would be written counts as written. */
  acceptSame?: boolean;
}

export interface Installation {
  target: Target;
  files: PlannedFile[];
}

/** An installation that is planned; `start` is undefined where there is nothing to do. */
interface Prepared {
  installation: Installation;
  start: (() => PendingChange) | undefined;
}

/** Puts the skill into folders: whole into every one, or into none. */
export function installSkills(fs: FileSystem, requests: readonly InstallRequest[]): Installation[] {
  const prepared = requests.map((request) => prepareInstall(fs, request));
  const started = prepared.filter(({ start }) => start !== undefined);
  const check = () => {
    for (const { installation } of started) verifySkill(fs, installation.target.folder);
  };
  runFileWork(started[0]?.installation.target.folder ?? '', () =>
    applyTogether(
      started.flatMap(({ start }) => start ?? []),
      check,
    ),
  );
  return prepared.map(({ installation }) => installation);
}

export function installSkill(fs: FileSystem, request: InstallRequest): Installation {
  return installSkills(fs, [request])[0] as Installation;
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
    return undefined; // installing will say what is wrong with the folder
  }
}

function prepareInstall(fs: FileSystem, request: InstallRequest): Prepared {
  const target = runFileWork(request.dir, () => readTarget(fs, request.cwd, request.dir));
  const files = readPackageFiles(fs, request, request.language);
  const prepared = runFileWork(target.folder, () =>
    target.exists
      ? prepareOver(fs, request, target, files)
      : prepareNew(fs, request, target, files),
  );
  const { start } = prepared;
  if (request.dryRun || start === undefined) return { ...prepared, start: undefined };
  return { ...prepared, start: () => runFileWork(target.folder, start) };
}

function prepareNew(
  fs: FileSystem,
  request: InstallRequest,
  target: Target,
  files: readonly FileContent[],
): Prepared {
  const planned = files.map((file): PlannedFile => ({ path: file.path, action: 'create' }));
  const start = () => {
    try {
      return createFolder(fs, target.real, files);
    } catch (error) {
      // Another run removes the folder above, which it found empty.
      if (isMissing(error) && !fs.statSync(path.dirname(target.real), { throwIfNoEntry: false })) {
        throw busyError(target.folder, 0);
      }
      if (!isOccupied(error)) throw error;
      // Somebody else made the folder since we looked, or is just taking it back.
      if (!readTarget(fs, request.cwd, request.dir).exists) throw busyError(target.folder, 0);
      assertNotBusy(fs, target.real);
      throw describeExisting(fs, target.folder);
    }
  };
  return { installation: { target, files: planned }, start };
}

function prepareOver(
  fs: FileSystem,
  request: InstallRequest,
  target: Target,
  files: readonly FileContent[],
): Prepared {
  const plan = () => planOver(fs, target.real, files);
  if ((!request.force || request.dryRun) && wasInterrupted(fs, target.real)) {
    throw new CliError('folder-interrupted', { dir: target.folder });
  }
  const mayWrite = request.force || hasOnlyStaging(fs, target.real);
  if (!mayWrite || request.dryRun) {
    const planned = mayWrite || request.acceptSame ? plan() : undefined;
    const isWritten = planned?.every((file) => file.action === 'keep');
    if (planned === undefined || !(mayWrite || isWritten)) {
      throw describeExisting(fs, target.folder);
    }
    return { installation: { target, files: planned }, start: undefined };
  }
  const installation: Installation = { target, files: [] };
  const start = () =>
    updateFolder(fs, target.real, () => {
      installation.files = plan();
      const actions = new Map(installation.files.map((file) => [file.path, file.action]));
      return {
        write: files.filter((file) => actions.get(file.path) !== 'keep'),
        remove: installation.files.flatMap((file) => (file.action === 'remove' ? file.path : [])),
      };
    });
  return { installation, start };
}

function planOver(fs: FileSystem, folder: string, files: readonly FileContent[]): PlannedFile[] {
  const { manifest, present } = readInstalled(
    fs,
    folder,
    files.map((file) => file.path),
  );
  return planFiles(hashFiles(files), present, manifest).map(asOwnManifest);
}

/** The manifest lists no hash of itself; replacing it is never news to the user. */
export function asOwnManifest(file: PlannedFile): PlannedFile {
  return file.path === MANIFEST_FILE && file.action === 'replace-changed'
    ? { ...file, action: 'replace' }
    : file;
}
