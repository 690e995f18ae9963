import path from 'node:path';
import type { CliError } from '../errors.ts';
import type { Place } from '../hosts/place.ts';
import { shortPath } from '../io/shell-text.ts';
import { type Colors, printJson, stripControls } from '../io/terminal.ts';
import { PROTOCOL_VERSION } from '../protocol/constants.ts';
import type { Update, UpdatedFile } from '../scaffold/update.ts';
import { describePlace, type HostTools, placeAsJson } from './describe-place.ts';
import type { UpdateFlags } from './update.ts';
import { wordProblem } from './word-problem.ts';

export type UpdatedPlace = { place: Place } & ({ update: Update } | { error: CliError });

export function reportUpdates(
  updated: readonly UpdatedPlace[],
  flags: UpdateFlags,
  tools: HostTools,
): string {
  if (flags.json) {
    return printJson({
      ok: updated.every((it) => 'update' in it),
      dryRun: flags.dryRun ?? false,
      version: tools.package.version,
      protocol: PROTOCOL_VERSION,
      updates: updated.map((it) => asJson(it, tools)),
    });
  }
  return `${updated.flatMap((it) => formatPlace(it, flags, tools)).join('\n')}\n`;
}

function asJson(updated: UpdatedPlace, tools: HostTools) {
  const place = placeAsJson(updated.place);
  if ('error' in updated) {
    const { code, args } = updated.error;
    const told = wordProblem(updated.error, tools, 'en');
    return { ...place, outcome: 'failed', error: { code, ...told, args } };
  }
  const { outcome, language, from, files } = updated.update;
  return { ...place, outcome, from, language, files };
}

function formatPlace(updated: UpdatedPlace, flags: UpdateFlags, tools: HostTools): string[] {
  const { context, wording } = tools;
  const { colors } = context.stdout;
  const shown = shortPath(context.cwd, updated.place.folder);
  if ('error' in updated) {
    const { message, hint } = wordProblem(updated.error, tools, wording.language);
    const { say } = wording;
    const colon = say('sentence.colon');
    return [
      `${colors.red(say('error.label'))}${colon}${message}`,
      `  ${colors.cyan(say('hint.label'))}${colon}${hint}`,
    ];
  }
  const { outcome, language, from = '?', files } = updated.update;
  const key = outcome === 'updated' && flags.dryRun ? 'plan-updated' : outcome;
  const title = wording.sayData(`update.${key}`, {
    path: shown,
    version: tools.package.version,
    language,
    from,
    place: describePlace(updated.place, tools),
  });
  return [
    outcome === 'updated' ? colors.bold(title) : title,
    ...files
      .filter((file) => file.action !== 'keep')
      .flatMap((file) => formatFile(shown, file, flags, tools)),
  ];
}

function formatFile(
  folder: string,
  file: UpdatedFile,
  flags: UpdateFlags,
  { context, wording }: HostTools,
): string[] {
  const { colors } = context.stdout;
  if (file.action === 'keep') return [];
  const note = wording.say(`file.${flags.dryRun ? 'plan' : 'action'}-${file.action}`);
  return [
    `  ${stripControls(path.join(folder, file.path))}  ${colors.dim(note)}`,
    ...(file.diff ?? '')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => `    ${colorLine(stripControls(line), colors)}`),
  ];
}

function colorLine(line: string, colors: Colors): string {
  if (/^(?:---|\+\+\+) /.test(line)) return colors.bold(line);
  if (line.startsWith('@@')) return colors.cyan(line);
  if (line.startsWith('-')) return colors.red(line);
  return line.startsWith('+') ? colors.green(line) : line;
}
