import path from 'node:path';
import { CliError } from '../errors.ts';
import { type FileContent, type FileSystem, runFileWork } from '../io/files.ts';
import { applyTogether } from '../io/pending-change.ts';
import { hasOnlyStaging } from '../io/staging.ts';
import { type FolderChange, updateFolder, wasInterrupted } from '../io/update-folder.ts';
import { diffLines } from './diff-lines.ts';
import { asOwnManifest } from './install.ts';
import { hashFiles, type Installed, readInstalled } from './installed.ts';
import { DEFAULT_LANGUAGE } from './languages.ts';
import type { Manifest } from './manifest.ts';
import { readPackageFiles, type SkillSource } from './package-files.ts';
import { type PlannedFile, planFiles } from './plan.ts';
import { ENTRY_FILE } from './skill-files.ts';
import { verifySkill } from './verify.ts';
import { compareVersions } from './versions.ts';

export interface UpdateRequest extends SkillSource {
  /** Where the folder really is. */
  folder: string;
  /** Undefined: the language it has. */
  language: string | undefined;
  /** The languages there are. */
  languages: readonly string[];
  /** Takes our files in place of changed ones, and this version in place of a newer one. */
  force: boolean;
  dryRun: boolean;
}

export interface UpdatedFile extends PlannedFile {
  /** For a changed file that stays: how ours differs from it. */
  diff?: string;
}

export interface Update {
  folder: string;
  /**
   * `newer`: installed by a later version than this one, and left as it is. `removed`: a run was
   * killed while it removed it, and that is finished now.
   */
  outcome: 'updated' | 'unchanged' | 'newer' | 'removed';
  language: string;
  /** The version that was there. */
  from: string | undefined;
  files: UpdatedFile[];
}

/** Brings folders to this package's version: all of them, or none. */
export function updateSkills(fs: FileSystem, requests: readonly UpdateRequest[]): Update[] {
  const updates = requests.map((request) => {
    const update: Update = { ...NOTHING, folder: request.folder };
    const decide = () => {
      const { plan, change } = decideUpdate(fs, request);
      Object.assign(update, plan);
      return change;
    };
    return { request, update, decide };
  });
  const starts = updates.flatMap(({ request: { folder, dryRun }, decide }) => {
    if (!dryRun) return [() => runFileWork(folder, () => updateFolder(fs, folder, decide))];
    runFileWork(folder, () => {
      if (wasInterrupted(fs, folder)) throw new CliError('folder-interrupted', { dir: folder });
      decide();
    });
    return [];
  });
  const check = () => {
    for (const { request, update } of updates) if (!request.dryRun) verifyUpdate(fs, update);
  };
  runFileWork(requests[0]?.folder ?? '', () => applyTogether(starts, check));
  return updates.map(({ update }) => update);
}

function verifyUpdate(fs: FileSystem, { folder, outcome, files }: Update): void {
  if (outcome !== 'updated') return;
  const kept = files.filter((file) => file.action === 'keep-changed');
  verifySkill(
    fs,
    folder,
    kept.map((file) => file.path),
  );
}

/** What somebody has made much larger is another document. */
const MAX_DIFFED = 1 << 18;

const NOTHING: Omit<Update, 'folder'> = {
  outcome: 'unchanged',
  language: DEFAULT_LANGUAGE,
  from: undefined,
  files: [],
};

function decideUpdate(
  fs: FileSystem,
  request: UpdateRequest,
): { plan: Omit<Update, 'folder'>; change: FolderChange } {
  const { folder } = request;
  const installed = readInstalled(fs, folder, [ENTRY_FILE]);
  const before = installed.manifest;
  if (before === undefined && hasOnlyStaging(fs, folder)) {
    const plan = { ...NOTHING, outcome: 'removed' } as const;
    return { plan, change: { write: [], remove: [], removesFolder: true } };
  }
  // Another run has removed it since it was found.
  if (before === undefined && !installed.present.has(ENTRY_FILE)) {
    throw new CliError('nothing-installed', { places: [folder] });
  }
  const language = chooseLanguage(request, before);
  const from = before?.version;
  const isNewer = from !== undefined && compareVersions(from, request.package.version) > 0;
  if (isNewer && !request.force) {
    return {
      plan: { outcome: 'newer', language: before?.language ?? language, from, files: [] },
      change: { write: [], remove: [] },
    };
  }
  const files = readPackageFiles(fs, request, language);
  const planned = planUpdate(
    files,
    readInstalled(
      fs,
      folder,
      files.map((file) => file.path),
    ),
    request.force,
  );
  const actions = new Map(planned.map((file) => [file.path, file.action]));
  const write = files.filter((file) => !actions.get(file.path)?.startsWith('keep'));
  const remove = planned.flatMap((file) => (file.action === 'remove' ? file.path : []));
  const outcome = write.length + remove.length > 0 ? 'updated' : 'unchanged';
  const withDiffs = planned.map((file) => addDiff(fs, folder, file, files));
  return { plan: { outcome, language, from, files: withDiffs }, change: { write, remove } };
}

function planUpdate(
  files: readonly FileContent[],
  { manifest, present }: Installed,
  force: boolean,
): PlannedFile[] {
  return planFiles(hashFiles(files), present, manifest)
    .map(asOwnManifest)
    .map((file) =>
      file.action === 'replace-changed' && !force ? { ...file, action: 'keep-changed' } : file,
    );
}

function chooseLanguage({ language, languages }: UpdateRequest, before: Manifest | undefined) {
  if (language !== undefined) return language;
  return languages.find((it) => it === before?.language) ?? DEFAULT_LANGUAGE;
}

function addDiff(
  fs: FileSystem,
  folder: string,
  file: PlannedFile,
  ours: readonly FileContent[],
): UpdatedFile {
  if (file.action !== 'keep-changed') return file;
  const theirs = fs.readFileSync(path.join(folder, file.path), 'utf8');
  if (theirs.length > MAX_DIFFED) return file;
  const text = ours.find((it) => it.path === file.path)?.content.toString('utf8') ?? '';
  return { ...file, diff: diffLines(file.path, theirs, text) };
}
