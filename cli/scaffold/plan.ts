import type { Manifest } from './manifest.ts';

export type FileAction =
  | 'create'
  | 'keep'
  | 'replace'
  | 'replace-changed'
  /** Ours is newer, but somebody changed it: it stays. */
  | 'keep-changed'
  | 'remove'
  /** No longer part of the skill, but somebody changed it: it stays. */
  | 'leave';

export interface PlannedFile {
  path: string;
  action: FileAction;
}

/**
 * What happens to each file, decided from hashes alone.
 * `present` has what is in the folder, `shipped` what belongs there.
 */
export function planFiles(
  shipped: Readonly<Record<string, string>>,
  present: ReadonlyMap<string, string>,
  manifest: Manifest | undefined,
): PlannedFile[] {
  const installed = new Map(Object.entries(manifest?.files ?? {}));
  const wanted: PlannedFile[] = Object.entries(shipped).map(([path, hash]) => {
    const current = present.get(path);
    if (current === undefined) return { path, action: 'create' };
    if (current === hash) return { path, action: 'keep' };
    return { path, action: current === installed.get(path) ? 'replace' : 'replace-changed' };
  });
  const obsolete: PlannedFile[] = [];
  for (const [path, hash] of installed) {
    const current = present.get(path);
    if (Object.hasOwn(shipped, path) || current === undefined) continue;
    obsolete.push({ path, action: current === hash ? 'remove' : 'leave' });
  }
  return [...wanted, ...obsolete];
}
