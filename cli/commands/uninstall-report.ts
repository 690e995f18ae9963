import path from 'node:path';
import { nameHost } from '../hosts/host-table.ts';
import type { Place } from '../hosts/place.ts';
import { shortPath } from '../io/shell-text.ts';
import { printJson, stripControls } from '../io/terminal.ts';
import type { Removal } from '../scaffold/remove.ts';
import { ENTRY_FILE } from '../scaffold/skill-files.ts';
import { describePlace, type HostTools, placeAsJson } from './describe-place.ts';
import type { UninstallFlags } from './uninstall.ts';

/** What uninstalling never touches. */
export interface KeptFiles {
  credentials: string[];
  histories: string[];
}

interface Removed {
  place: Place;
  removal: Removal;
  /** Other hosts that read the same folder. */
  others: readonly string[];
}

export function reportRemovals(
  removed: readonly Removed[],
  kept: KeptFiles,
  flags: UninstallFlags,
  tools: HostTools,
): string {
  if (flags.json) {
    return printJson({
      ok: removed.every(({ removal }) => !removal.isStillRead),
      dryRun: flags.dryRun ?? false,
      removals: removed.map(({ place, removal, others }) => ({
        ...placeAsJson(place),
        files: removal.files,
        stillRead: removal.isStillRead,
        alsoReadBy: others,
      })),
      kept,
    });
  }
  const { say } = tools.wording;
  const lines = [
    ...removed.flatMap((it) => formatRemoved(it, flags, tools)),
    ...kept.credentials.map((file) => say('uninstall.kept-credentials', { file })),
    ...kept.histories.map((folder) => say('uninstall.kept-history', { folder })),
  ];
  return `${lines.join('\n')}\n`;
}

function formatRemoved(
  { place, removal, others }: Removed,
  flags: UninstallFlags,
  tools: HostTools,
): string[] {
  const { context, wording } = tools;
  const { say } = wording;
  const { colors } = context.stdout;
  const shown = shortPath(context.cwd, place.folder);
  const title = { path: shown, place: describePlace(place, tools) };
  const left = removal.files.filter((file) => file.action === 'leave');
  return [
    colors.bold(say(flags.dryRun ? 'uninstall.plan-removed' : 'uninstall.removed', title)),
    ...left.map(
      (file) =>
        `  ${stripControls(path.join(shown, file.path))}  ${colors.dim(say('uninstall.left'))}`,
    ),
    ...(removal.isStillRead
      ? [`  ${colors.red(say('uninstall.still-read', { file: path.join(shown, ENTRY_FILE) }))}`]
      : []),
    ...(others.length > 0 ? [`  ${say('uninstall.shared', { hosts: others.map(nameHost) })}`] : []),
  ];
}
