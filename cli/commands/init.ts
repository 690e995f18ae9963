import { LOCAL } from '../hosts/host-table.ts';
import { findPlaces, type HostTarget, type Place } from '../hosts/place.ts';
import { rememberPlace } from '../hosts/remembered-places.ts';
import { type InstallRequest, installSkills } from '../scaffold/install.ts';
import { DEFAULT_LANGUAGE, readLanguages } from '../scaffold/languages.ts';
import { hostsTexts } from '../wording/hosts/texts.ts';
import { initTexts } from '../wording/init/texts.ts';
import { askHost } from './ask-host.ts';
import {
  type CommandTools,
  type DefineCommand,
  readCwd,
  valueOption,
  withTexts,
} from './command.ts';
import { chooseLanguage, chooseTargets, formatSkipCommand } from './init-questions.ts';
import { type Installed, reportHosts, reportLocal } from './init-report.ts';
import { addTargetOptions, DEFAULT_DIR, type TargetFlags } from './target-options.ts';

const texts = {
  en: { ...initTexts.en, ...hostsTexts.en },
  'zh-CN': { ...initTexts['zh-CN'], ...hostsTexts['zh-CN'] },
} as const;
export type InitTools = CommandTools<(typeof texts)['en']>;

export interface InitFlags extends TargetFlags {
  lang?: string;
  dryRun?: boolean;
  force?: boolean;
  yes?: boolean;
  json?: boolean;
}

export const defineInit: DefineCommand = (command, programTools) => {
  const tools = withTexts(programTools, texts);
  const { say } = tools.wording;
  const languages = readLanguages(tools.context.fs, tools.context.packageRoot);
  command
    .description(say('init.description'))
    .addOption(valueOption('-l, --lang <tag>', say('init.lang', { languages })))
    .addOption(valueOption('-d, --dir <path>', say('init.dir')));
  addTargetOptions(command, tools.wording)
    .option('-n, --dry-run', say('init.dry-run'))
    .option('-f, --force', say('init.force'))
    .option('-y, --yes', say('init.yes'))
    .option('--json', say('option.json'))
    .action((flags: InitFlags) => runInit(flags, languages, tools));
};

async function runInit(
  flags: InitFlags,
  languages: readonly string[],
  tools: InitTools,
): Promise<void> {
  const { context } = tools;
  const world = { fs: context.fs, env: context.env, cwd: readCwd(context) };
  const chosen = await chooseTargets(flags, world, tools);
  const places = await findPlaces(world, chosen.targets, { dir: DEFAULT_DIR, ...chosen.flags });
  const isLocal = isOnlyLocal(chosen.targets);
  const request = (place: Place, language: string): InstallRequest => ({
    cwd: world.cwd,
    dir: place.folder,
    packageRoot: context.packageRoot,
    package: tools.package,
    language,
    force: flags.force ?? false,
    dryRun: flags.dryRun ?? false,
    acceptSame: !isLocal,
  });
  const install = (language: string, options: Partial<InstallRequest> = {}) =>
    installSkills(
      context.fs,
      places.map((place) => ({ ...request(place, language), ...options })),
    );
  // Nobody is asked a question only to be refused after it.
  const check = () => install(DEFAULT_LANGUAGE, { dryRun: true });
  const folders = places.map((place) => place.folder);
  const { language, asked } = await chooseLanguage(flags, languages, folders, tools, check);
  const installations = install(language);
  const installed: Installed[] = [];
  for (const [index, installation] of installations.entries()) {
    const place = places[index] as Place;
    if (!flags.dryRun) rememberPlace(world, place);
    const visibility = flags.dryRun ? [] : await askHost(world, place);
    installed.push({ ...installation, place, visibility });
  }
  const hasAsked = asked || chosen.asked;
  if (hasAsked) context.stderr.write('\n');
  const report = isLocal ? reportLocal : reportHosts;
  context.stdout.write(report(installed, language, flags, tools));
  if (hasAsked) {
    const command = formatSkipCommand(tools.program, chosen, language, flags);
    context.stderr.write(`${tools.wording.say('init.skip-prompts', { command })}\n`);
  }
}

function isOnlyLocal(targets: readonly HostTarget[]): boolean {
  return targets.every((target) => target.name === LOCAL);
}
