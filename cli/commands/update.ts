import { CliError } from '../errors.ts';
import {
  type FoundInstallation,
  findInstallations,
  listAllPlaces,
} from '../hosts/find-installations.ts';
import { findPlaces, type HostWorld, type Place } from '../hosts/place.ts';
import { isBelow } from '../io/files.ts';
import { resolveLinks } from '../io/real-files.ts';
import { parseLanguage, readLanguages } from '../scaffold/languages.ts';
import { readTarget } from '../scaffold/target.ts';
import { type Update, updateSkills } from '../scaffold/update.ts';
import { hostsTexts } from '../wording/hosts/texts.ts';
import { type DefineCommand, readCwd, valueOption, withTexts } from './command.ts';
import type { HostTools } from './describe-place.ts';
import { findNamed } from './find-named.ts';
import {
  addTargetOptions,
  DEFAULT_DIR,
  parseTargets,
  refuseScope,
  type TargetFlags,
} from './target-options.ts';
import { reportUpdates, type UpdatedPlace } from './update-report.ts';

export interface UpdateFlags extends TargetFlags {
  lang?: string;
  all?: boolean;
  force?: boolean;
  dryRun?: boolean;
  json?: boolean;
}

export const defineUpdate: DefineCommand = (command, programTools) => {
  const tools = withTexts(programTools, hostsTexts);
  const { say } = tools.wording;
  const languages = readLanguages(tools.context.fs, tools.context.packageRoot);
  command.description(say('update.description')).option('-a, --all', say('update.all'));
  addTargetOptions(command, tools.wording)
    .addOption(valueOption('-d, --dir <path>', say('update.dir')))
    .addOption(valueOption('-l, --lang <tag>', say('update.lang', { languages })))
    .option('-n, --dry-run', say('hosts.dry-run'))
    .option('-f, --force', say('update.force'))
    .option('--json', say('option.json'))
    .action((flags: UpdateFlags) => runUpdate(flags, languages, tools));
};

async function runUpdate(
  flags: UpdateFlags,
  languages: readonly string[],
  tools: HostTools,
): Promise<void> {
  const { context } = tools;
  const world = { fs: context.fs, env: context.env, cwd: readCwd(context) };
  const language = flags.lang === undefined ? undefined : parseLanguage(flags.lang, languages);
  const source = { packageRoot: context.packageRoot, package: tools.package };
  const update = (installations: readonly FoundInstallation[]): Update[] =>
    updateSkills(
      context.fs,
      installations.map(({ folder }) => ({
        ...source,
        folder: readTarget(context.fs, world.cwd, folder).real,
        language,
        languages,
        force: flags.force ?? false,
        dryRun: flags.dryRun ?? false,
      })),
    );
  const installations = await findWanted(flags, world, tools);
  const updated = flags.all
    ? installations.map((place) => attempt(place, () => update([place])[0]))
    : update(installations).map((it, index) => ({
        place: installations[index] as FoundInstallation,
        update: it,
      }));
  context.stdout.write(reportUpdates(updated, flags, tools));
  if (updated.some((it) => 'error' in it)) tools.setExitCode(1);
}

/** One place that cannot be written to does not keep the others old. */
function attempt(place: Place, update: () => Update | undefined): UpdatedPlace {
  try {
    return { place, update: update() as Update };
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    return { place, error };
  }
}

async function findWanted(
  flags: UpdateFlags,
  world: HostWorld,
  tools: HostTools,
): Promise<FoundInstallation[]> {
  const source = { packageRoot: tools.context.packageRoot, package: tools.package };
  const targets = parseTargets(flags);
  if (targets === undefined) refuseScope(flags);
  if (flags.all) {
    const other = ['target', 'dir'].find((name) => flags[name as 'target' | 'dir'] !== undefined);
    if (other !== undefined) {
      throw new CliError('options-conflict', { option: '--all', other: `--${other}` });
    }
    return assertSome(findInstallations(world, source, listAllPlaces(world)), []);
  }
  if (targets !== undefined || flags.dir !== undefined) {
    const places = await findPlaces(world, targets ?? [{ name: 'local', scope: 'project' }], {
      ...flags,
      dir: flags.dir ?? DEFAULT_DIR,
    });
    return findNamed(world, source, places, 'each');
  }
  // An OpenClaw workspace is a project too, for whoever is in it.
  const here = resolveLinks(world.fs, world.cwd);
  const places = listAllPlaces(world).filter(({ folder }) =>
    isBelow(here, resolveLinks(world.fs, folder)),
  );
  return assertSome(findInstallations(world, source, places), [world.cwd]);
}

function assertSome(found: FoundInstallation[], places: readonly string[]): FoundInstallation[] {
  if (found.length > 0) return found;
  if (places.length === 0) throw new CliError('nothing-known');
  throw new CliError('nothing-installed', { places });
}
