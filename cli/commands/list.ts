import type { CliError } from '../errors.ts';
import {
  type FoundInstallation,
  findInstallations,
  listAllPlaces,
} from '../hosts/find-installations.ts';
import { alignColumns } from '../io/align-columns.ts';
import { shortPath } from '../io/shell-text.ts';
import { measureWidth, printJson, stripControls } from '../io/terminal.ts';
import { hostsTexts } from '../wording/hosts/texts.ts';
import { type DefineCommand, readCwd, withTexts } from './command.ts';
import { describePlace, type HostTools, placeAsJson } from './describe-place.ts';
import { wordProblem } from './word-problem.ts';

export const defineList: DefineCommand = (command, programTools) => {
  const tools = withTexts(programTools, hostsTexts);
  const { say } = tools.wording;
  command
    .description(say('list.description'))
    .option('--json', say('option.json'))
    .action((flags: { json?: boolean }) => runList(flags, tools));
};

function runList(flags: { json?: boolean }, tools: HostTools): void {
  const { context } = tools;
  const world = { fs: context.fs, env: context.env, cwd: readCwd(context) };
  const problems = new Map<string, CliError>();
  const places = listAllPlaces(world, (error) =>
    problems.set(error.code + JSON.stringify(error.args), error),
  );
  const source = { packageRoot: context.packageRoot, package: tools.package };
  const found = findInstallations(world, source, places);
  if (flags.json) {
    context.stdout.write(formatJson(found, [...problems.values()], tools));
    return;
  }
  context.stdout.write(formatText(found, tools));
  for (const problem of problems.values()) {
    context.stderr.write(`${wordProblem(problem, tools, tools.wording.language).message}\n`);
  }
}

function formatJson(
  found: readonly FoundInstallation[],
  problems: readonly CliError[],
  tools: HostTools,
): string {
  return printJson({
    ok: true,
    version: tools.package.version,
    installations: found.map((it) => ({
      ...placeAsJson(it),
      state: it.state,
      version: it.version,
      language: it.language,
      changed: it.changed,
      missing: it.missing,
      damage: it.damage,
      newer: it.isNewer || undefined,
      shadowedBy: it.shadowedBy,
    })),
    // What kept us from looking everywhere.
    problems: problems.map((error) => ({
      code: error.code,
      ...wordProblem(error, tools, 'en'),
      args: error.args,
    })),
  });
}

function formatText(found: readonly FoundInstallation[], tools: HostTools): string {
  const { say } = tools.wording;
  if (found.length === 0) {
    return `${say('list.none')}\n${say('list.none-hint', { program: tools.program })}\n`;
  }
  const { colors } = tools.context.stdout;
  const rows = alignColumns(
    found.map((it) => [
      say(`list.state-${it.state}`),
      stripControls(shortPath(tools.context.cwd, it.folder)),
      it.version === undefined ? '' : stripControls(`${it.version} (${it.language})`),
    ]),
  );
  const color = { current: colors.green, damaged: colors.red, shadowed: colors.red };
  const lines = found.flatMap((it, index) => {
    const [state = '', folder = '', version = ''] = rows[index] ?? [];
    const style = color[it.state as keyof typeof color] ?? colors.cyan;
    const reader = colors.dim(describePlace(it, tools));
    return [
      `${style(state)}  ${folder}  ${version}  ${reader}`,
      ...formatNotes(it, tools).map((note) => `${' '.repeat(measureWidth(state) + 2)}${note}`),
    ];
  });
  const isOld = found.some((it) => it.state === 'outdated' || it.damage === 'missing-files');
  const hint = isOld ? ['', say('list.update-hint', { program: tools.program })] : [];
  return `${[...lines, ...hint].join('\n')}\n`;
}

function formatNotes(it: FoundInstallation, { wording: { say } }: HostTools): string[] {
  return [
    ...(it.shadowedBy === undefined ? [] : [say('list.shadowed-by', { file: it.shadowedBy })]),
    ...(it.missing.length === 0 ? [] : [say('list.missing', { files: it.missing })]),
    ...(it.damage === undefined || it.damage === 'missing-files' ? [] : [say(`list.${it.damage}`)]),
    ...(it.changed.length === 0 ? [] : [say('list.changed', { files: it.changed })]),
    ...(it.isNewer ? [say('list.newer')] : []),
  ];
}
