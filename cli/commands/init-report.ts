import path from 'node:path';
import { LOCAL, nameHost, OPENCLAW } from '../hosts/host-table.ts';
import type { Visibility } from '../hosts/openclaw/ask-openclaw.ts';
import type { Place } from '../hosts/place.ts';
import { shortPath } from '../io/shell-text.ts';
import { printJson, stripControls } from '../io/terminal.ts';
import { PROTOCOL_VERSION } from '../protocol/constants.ts';
import type { Installation } from '../scaffold/install.ts';
import type { FileAction } from '../scaffold/plan.ts';
import { ENTRY_FILE } from '../scaffold/skill-files.ts';
import { describePlace, describeVisibility } from './describe-place.ts';
import type { InitFlags, InitTools } from './init.ts';

export interface Installed extends Installation {
  place: Place;
  visibility: Visibility[];
}

/** Of a plain folder: every file, and what to tell the agent. */
export function reportLocal(
  [installed]: readonly Installed[],
  language: string,
  flags: InitFlags,
  tools: InitTools,
): string {
  if (installed === undefined) return '';
  const { target, files } = installed;
  if (flags.json) {
    return printJson({
      ok: true,
      dryRun: flags.dryRun ?? false,
      dir: target.folder,
      realDir: target.real,
      language,
      protocol: PROTOCOL_VERSION,
      version: tools.package.version,
      files,
      next: { action: 'read', path: path.join(target.folder, ENTRY_FILE) },
    });
  }
  const { context, wording } = tools;
  const { colors } = context.stdout;
  const dir = shortPath(context.cwd, target.folder);
  const title = { protocol: PROTOCOL_VERSION, language, dir };
  const lines = [
    flags.dryRun
      ? colors.bold(wording.say('init.planned', title))
      : colors.bold(colors.green(wording.say('init.done', title))),
    ...formatRealPath(installed, tools),
    '',
    ...files.map((file) => formatFile(dir, file, flags, tools)),
    '',
    ...(flags.dryRun
      ? []
      : [formatNext(wording.say('init.next', { skill: path.join(dir, ENTRY_FILE) }), tools)]),
  ];
  return `${lines.join('\n').trimEnd()}\n`;
}

/** Of hosts: where it is for whom, the files worth a remark, and whether OpenClaw shows it. */
export function reportHosts(
  installed: readonly Installed[],
  language: string,
  flags: InitFlags,
  tools: InitTools,
): string {
  const { context, wording } = tools;
  if (flags.json) {
    return printJson({
      ok: true,
      dryRun: flags.dryRun ?? false,
      language,
      protocol: PROTOCOL_VERSION,
      version: tools.package.version,
      targets: installed.map(({ target, files, place, visibility }) => ({
        hosts: place.hosts,
        scope: place.scope,
        agent: place.agent,
        profile: place.profile,
        dir: target.folder,
        realDir: target.real,
        files,
        openclaw: place.hosts.includes(OPENCLAW) && !flags.dryRun ? visibility : undefined,
      })),
    });
  }
  const { colors } = context.stdout;
  const title = { protocol: PROTOCOL_VERSION, language };
  const lines = [
    flags.dryRun
      ? colors.bold(wording.say('init.hosts-planned', title))
      : colors.bold(colors.green(wording.say('init.hosts-done', title))),
    '',
    ...installed.flatMap((it) => formatPlace(it, flags, tools)),
    '',
    ...(flags.dryRun ? [] : [formatHostsNext(installed, tools)]),
  ];
  return `${lines.join('\n').trimEnd()}\n`;
}

function formatPlace(installed: Installed, flags: InitFlags, tools: InitTools): string[] {
  const { target, files, place, visibility } = installed;
  const { context, wording } = tools;
  const dir = shortPath(context.cwd, target.folder);
  const isSame = files.every((file) => file.action === 'keep');
  const note = isSame ? `  ${describeAction('keep', flags, wording)}` : '';
  const remarkable = files.filter((file) => !['create', 'keep', 'replace'].includes(file.action));
  return [
    `  ${stripControls(dir)}${context.stdout.colors.dim(note)}  ${describePlace(place, tools)}`,
    ...formatRealPath(installed, tools).map((line) => `    ${line}`),
    ...remarkable.map((file) => `  ${formatFile(dir, file, flags, tools)}`),
    ...visibility.map((it) => `    ${describeVisibility(it, wording)}`),
  ];
}

function formatHostsNext(installed: readonly Installed[], tools: InitTools): string {
  const names = new Set(installed.flatMap(({ place }) => place.hosts));
  const hosts = [...names].filter((name) => name !== LOCAL).map(nameHost);
  return formatNext(tools.wording.say('init.hosts-next', { hosts }), tools);
}

function formatNext(text: string, { context, wording }: InitTools): string {
  return `${context.stdout.colors.bold(wording.say('init.next-title'))}${text}`;
}

function formatRealPath({ target }: Installation, { context, wording }: InitTools): string[] {
  if (target.real === target.folder) return [];
  const dir = shortPath(context.cwd, target.folder);
  return [wording.say('init.real-path', { dir, real: target.real })];
}

function formatFile(
  dir: string,
  file: { path: string; action: FileAction },
  flags: InitFlags,
  { context, wording }: InitTools,
): string {
  const note = describeAction(file.action, flags, wording);
  const shown = note === '' ? '' : context.stdout.colors.dim(`  ${note}`);
  return `  ${stripControls(path.join(dir, file.path))}${shown}`;
}

function describeAction(
  action: FileAction,
  flags: InitFlags,
  { say }: InitTools['wording'],
): string {
  // In a new folder every file is new: nothing to remark. Only an update keeps changed files.
  if ((action === 'create' && !flags.force) || action === 'keep-changed') return '';
  const key =
    action === 'keep'
      ? 'init.same'
      : (`file.${flags.dryRun ? 'plan' : 'action'}-${action}` as const);
  return say('init.note', { note: say(key) });
}
