import path from 'node:path';
import { CliError } from '../errors.ts';
import { type FileSystem, isBelow, runFileWork } from '../io/files.ts';
import { applyTogether, type PendingChange } from '../io/pending-change.ts';
import { hasOnlyStaging } from '../io/staging.ts';
import { type FolderChange, updateFolder, wasInterrupted } from '../io/update-folder.ts';
import { readInstalled } from './installed.ts';
import { formatManifest, MANIFEST_FILE } from './manifest.ts';
import type { PlannedFile } from './plan.ts';
import { ENTRY_FILE } from './skill-files.ts';

export interface RemovalRequest {
  /** Where the folder really is. */
  folder: string;
  /** As the user knows it, with the links that lead there. */
  named: string;
  /** The folder above which nothing is removed, even if it became empty. */
  base: string;
  /** Removes our files also where somebody changed them. */
  force: boolean;
  dryRun: boolean;
  /** A dry run only to be refused now rather than later: what a killed run left is no obstacle. */
  isCheck?: boolean;
}

export interface Removal {
  folder: string;
  /** `remove` or, for what somebody changed, `leave`. */
  files: PlannedFile[];
  /** The file that agents read was changed and stays: they go on reading it. */
  isStillRead: boolean;
}

/** Removes what we wrote, and the folders that became empty: everywhere, or nowhere. */
export function removeSkills(fs: FileSystem, requests: readonly RemovalRequest[]): Removal[] {
  const removals = requests.map((request) => {
    const removal: Removal = { folder: request.folder, files: [], isStillRead: false };
    const decide = () => {
      removal.files = planRemoval(fs, request);
      removal.isStillRead = removal.files.some(
        (file) => file.path === ENTRY_FILE && file.action === 'leave',
      );
      return toChange(fs, request.folder, removal.files);
    };
    return { request, removal, decide };
  });
  const starts = removals.flatMap(({ request, decide }) => {
    const { folder, dryRun, isCheck } = request;
    if (!dryRun) return [() => runFileWork(folder, () => startRemoval(fs, request, decide))];
    runFileWork(folder, () => {
      if (!wasInterrupted(fs, folder)) decide();
      else if (!isCheck) throw new CliError('folder-interrupted', { dir: folder });
    });
    return [];
  });
  runFileWork(requests[0]?.folder ?? '', () => applyTogether(starts));
  return removals.map(({ removal }) => removal);
}

function startRemoval(
  fs: FileSystem,
  { folder, named, base }: RemovalRequest,
  decide: () => FolderChange,
): PendingChange {
  const change = updateFolder(fs, folder, decide);
  return {
    ...change,
    finish: () => {
      change.finish();
      removeEmptyAbove(fs, named, base);
    },
  };
}

function planRemoval(fs: FileSystem, { folder, force }: RemovalRequest): PlannedFile[] {
  const { manifest, present } = readInstalled(fs, folder, []);
  // All that is left to do of a removal that was killed.
  if (hasOnlyStaging(fs, folder)) return [];
  // Without it we cannot tell our files from the user's.
  if (manifest === undefined) throw new CliError('not-ours', { dir: folder });
  const files = Object.entries(manifest.files).flatMap(([file, hash]): PlannedFile[] => {
    const current = present.get(file);
    if (current === undefined) return [];
    return [{ path: file, action: force || current === hash ? 'remove' : 'leave' }];
  });
  return [...files, { path: MANIFEST_FILE, action: 'remove' }];
}

/** While a changed file stays, so does the manifest: it says that the file is ours. */
function toChange(fs: FileSystem, folder: string, files: readonly PlannedFile[]): FolderChange {
  const left = files.filter((file) => file.action === 'leave').map((file) => file.path);
  const remove = files.filter((file) => file.action === 'remove').map((file) => file.path);
  const { manifest } = readInstalled(fs, folder, []);
  if (left.length === 0 || manifest === undefined)
    return { write: [], remove, removesFolder: true };
  const kept = Object.entries(manifest.files).filter(([file]) => left.includes(file));
  const content = formatManifest({ ...manifest, files: Object.fromEntries(kept) });
  return {
    write: [{ path: MANIFEST_FILE, content }],
    remove: remove.filter((file) => file !== MANIFEST_FILE),
  };
}

/** The folders above that became empty, up to the one that is not ours: a link leads to such. */
function removeEmptyAbove(fs: FileSystem, folder: string, base: string): void {
  try {
    if (fs.lstatSync(folder, { throwIfNoEntry: false })) return;
    for (let it = path.dirname(folder); isBelow(base, it); it = path.dirname(it)) {
      if (fs.lstatSync(it).isSymbolicLink()) return;
      fs.rmdirSync(it);
    }
  } catch {
    // Not empty, or not ours to look at: somebody else uses it.
  }
}
