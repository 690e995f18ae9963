import path from 'node:path';
import { CliError } from '../errors.ts';
import {
  type FoundInstallation,
  findInstallations,
  listAllPlaces,
} from '../hosts/find-installations.ts';
import { listProjectPlaces, listUserPlaces } from '../hosts/list-places.ts';
import { findPlaces, type HostWorld, type Place } from '../hosts/place.ts';
import { forgetPlace } from '../hosts/remembered-places.ts';
import { findCredentials } from '../identity/find-credentials.ts';
import { errnoOf } from '../io/files.ts';
import { resolveLinks } from '../io/real-files.ts';
import { shortPath } from '../io/shell-text.ts';
import { HISTORY_FOLDER } from '../protocol/constants.ts';
import { removeSkills } from '../scaffold/remove.ts';
import { readTarget } from '../scaffold/target.ts';
import { hostsTexts } from '../wording/hosts/texts.ts';
import { type DefineCommand, readCwd, valueOption, withTexts } from './command.ts';
import { describePlace, type HostTools } from './describe-place.ts';
import { findNamed } from './find-named.ts';
import {
  addTargetOptions,
  DEFAULT_DIR,
  parseTargets,
  refuseScope,
  type TargetFlags,
} from './target-options.ts';
import { type KeptFiles, reportRemovals } from './uninstall-report.ts';

export interface UninstallFlags extends TargetFlags {
  force?: boolean;
  yes?: boolean;
  dryRun?: boolean;
  json?: boolean;
}

export const defineUninstall: DefineCommand = (command, programTools) => {
  const tools = withTexts(programTools, hostsTexts);
  const { say } = tools.wording;
  command.description(say('uninstall.description'));
  addTargetOptions(command, tools.wording)
    .addOption(valueOption('-d, --dir <path>', say('uninstall.dir')))
    .option('-n, --dry-run', say('hosts.dry-run'))
    .option('-f, --force', say('uninstall.force'))
    .option('-y, --yes', say('uninstall.yes'))
    .option('--json', say('option.json'))
    .action((flags: UninstallFlags) => runUninstall(flags, tools));
};

async function runUninstall(flags: UninstallFlags, tools: HostTools): Promise<void> {
  const { context } = tools;
  const world = { fs: context.fs, env: context.env, cwd: readCwd(context) };
  const installations = await chooseInstallations(flags, world, tools);
  const request = (it: FoundInstallation) => ({
    folder: readTarget(context.fs, world.cwd, it.folder).real,
    named: it.folder,
    base: it.base,
    force: flags.force ?? false,
    dryRun: flags.dryRun ?? false,
  });
  const requests = installations.map(request);
  if (!flags.dryRun) {
    // Nobody is asked a question only to be refused after it.
    removeSkills(
      context.fs,
      requests.map((it) => ({ ...it, dryRun: true, isCheck: true })),
    );
    await confirm(flags, installations, tools);
  }
  const removals = removeSkills(context.fs, requests);
  const removed = removals.map((removal, index) => {
    const place = installations[index] as FoundInstallation;
    if (!flags.dryRun && !removal.isStillRead) forgetPlace(world, place);
    return { place, removal, others: findOthers(world, place) };
  });
  const kept = findKept(world, installations);
  context.stdout.write(reportRemovals(removed, kept, flags, tools));
  // The agent still has the skill: that is not what was asked for.
  if (removals.some((removal) => removal.isStillRead)) tools.setExitCode(1);
}

async function chooseInstallations(
  flags: UninstallFlags,
  world: HostWorld,
  tools: HostTools,
): Promise<FoundInstallation[]> {
  const { context, wording } = tools;
  const source = { packageRoot: context.packageRoot, package: tools.package };
  const targets =
    parseTargets(flags) ??
    (flags.dir === undefined ? undefined : [{ name: 'local', scope: 'project' as const }]);
  if (flags.target === undefined) refuseScope(flags);
  if (targets !== undefined) {
    const places = await findPlaces(world, targets, { ...flags, dir: flags.dir ?? DEFAULT_DIR });
    // What is gone already is what was asked for.
    return findNamed(world, source, places, 'one', flags.force);
  }
  const { dialogue } = context;
  if (!dialogue || flags.json || flags.yes) {
    throw new CliError('missing-option', { command: 'uninstall', option: '--target <hosts>' });
  }
  const found = findInstallations(world, source, listAllPlaces(world), flags.force);
  if (found.length === 0) throw new CliError('nothing-known');
  const { askSeveral } = await import('../io/prompts.ts');
  const chosen = await askSeveral(dialogue, {
    message: wording.say('uninstall.ask-targets'),
    needed: wording.say('hosts.choose-one'),
    choices: found.map((it) => ({
      value: it.folder,
      label: `${shortPath(world.cwd, it.folder)} (${describePlace(it, tools)})`,
    })),
    suggested: [],
  });
  return found.filter((it) => chosen.includes(it.folder));
}

/** The hosts that read the same folder without having been asked about. */
function findOthers(world: HostWorld, { folder, hosts }: Place): string[] {
  const real = resolveLinks(world.fs, folder);
  const known = [...listProjectPlaces(world, world.cwd), ...listUserPlaces(world, () => undefined)];
  return known
    .filter((place) => resolveLinks(world.fs, place.folder) === real)
    .flatMap((place) => place.hosts)
    .filter((name) => !hosts.includes(name));
}

async function confirm(
  flags: UninstallFlags,
  places: readonly Place[],
  { context, wording }: HostTools,
): Promise<void> {
  if (flags.yes) return;
  if (!context.dialogue || flags.json) throw new CliError('not-confirmed');
  const { askConfirmation } = await import('../io/prompts.ts');
  const isWanted = await askConfirmation(context.dialogue, {
    message: wording.say('uninstall.ask', {
      places: places.map(({ folder }) => shortPath(context.cwd, folder)),
    }),
    yes: wording.say('uninstall.ask-yes'),
    no: wording.say('uninstall.ask-no'),
    suggested: false,
  });
  if (!isWanted) throw new CliError('cancelled');
}

/** The identity and the history that stay, so that nobody fears for them or forgets them. */
function findKept(world: HostWorld, places: readonly Place[]): KeptFiles {
  const folders = [world.cwd, ...places.flatMap(({ base, folder }) => [base, folder])];
  const kept: KeptFiles = { credentials: [], histories: [] };
  for (const cwd of new Set(folders)) {
    try {
      const { file, state } = findCredentials({ ...world, cwd });
      if (state === 'missing' || kept.credentials.includes(file)) continue;
      kept.credentials.push(file);
      const history = path.join(path.dirname(file), HISTORY_FOLDER);
      if (world.fs.statSync(history, { throwIfNoEntry: false })) kept.histories.push(history);
    } catch (error) {
      // What cannot be looked at was not touched either.
      if (!(error instanceof CliError) && errnoOf(error) === undefined) throw error;
    }
  }
  return kept;
}
