import path from 'node:path';
import { CliError } from '../../errors.ts';
import type { FileSystem } from '../../io/files.ts';
import { expandHome, readHome } from '../../io/home-folder.ts';
import type { Environment } from '../../io/terminal.ts';

/** What OpenClaw's paths depend on. */
export interface OpenclawWorld {
  fs: FileSystem;
  env: Environment;
  cwd: string;
  /** As `openclaw --profile` takes it. */
  profile?: string | undefined;
}

export interface OpenclawPlaces {
  stateDir: string;
  configFile: string;
  /** Skills of every agent, below those of a workspace. */
  userSkills: string;
  /** Of the only or the default agent, where the config names none. */
  defaultWorkspace: string;
  /** An absolute path for one of the config or the environment: `~` is OpenClaw's home. */
  resolve(given: string): string;
}

const CONFIG_NAME = 'openclaw.json';
// From before the project was renamed; read where the new one is not there.
const LEGACY_STATE = '.clawdbot';
const LEGACY_CONFIG = 'clawdbot.json';

/** Where OpenClaw keeps its things, by the rules it follows itself. */
export function findOpenclawPlaces(world: OpenclawWorld): OpenclawPlaces {
  const { fs, cwd } = world;
  const home = findOpenclawHome(world);
  const resolve = (given: string) => {
    if (home === undefined && given.trim().startsWith('~')) throw new CliError('no-home');
    return expandHome(given, home, cwd);
  };
  const inHome = (name: string) => resolve(path.join('~', name));
  const env = selectProfile(world, inHome, resolve);
  const { stateOverride, configOverride, workspaceOverride, profile } = readOverrides(env);

  const firstThere = (wanted: string, legacy: string) =>
    !exists(fs, wanted) && exists(fs, legacy) ? legacy : wanted;
  const stateDir = stateOverride
    ? resolve(stateOverride)
    : firstThere(inHome('.openclaw'), inHome(LEGACY_STATE));
  const configFile = configOverride
    ? resolve(configOverride)
    : firstThere(path.join(stateDir, CONFIG_NAME), path.join(stateDir, LEGACY_CONFIG));
  const findUserFolder = () => {
    if (stateOverride) return stateDir;
    return configOverride ? path.dirname(configFile) : inHome('.openclaw');
  };
  const findDefaultWorkspace = () => {
    if (workspaceOverride) return path.resolve(cwd, workspaceOverride);
    return path.join(stateOverride ? stateDir : inHome(profileFolder(profile)), 'workspace');
  };
  return {
    stateDir,
    configFile,
    userSkills: path.join(findUserFolder(), 'skills'),
    defaultWorkspace: findDefaultWorkspace(),
    resolve,
  };
}

/** The user's folder as OpenClaw sees it. */
export function findOpenclawHome({ env, cwd }: OpenclawWorld): string | undefined {
  const home = readHome(env, cwd);
  const override = env.OPENCLAW_HOME?.trim();
  if (!override || override === 'undefined' || override === 'null') return home;
  return home === undefined && override.startsWith('~')
    ? undefined
    : expandHome(override, home, cwd);
}

/** The folder that a profile has in place of `.openclaw`. */
function profileFolder(profile: string): string {
  // The name becomes a path.
  if (!/^[a-z0-9][a-z0-9_-]{0,63}$/i.test(profile)) {
    throw new CliError('openclaw-profile', { given: profile });
  }
  return profile.toLowerCase() === 'default' ? '.openclaw' : `.openclaw-${profile}`;
}

function readOverrides(env: Environment) {
  return {
    stateOverride: env.OPENCLAW_STATE_DIR?.trim(),
    configOverride: env.OPENCLAW_CONFIG_PATH?.trim(),
    workspaceOverride: env.OPENCLAW_WORKSPACE_DIR?.trim(),
    profile: env.OPENCLAW_PROFILE?.trim() || 'default',
  };
}

/**
 * The environment as `openclaw --profile` sets it: paths that the user gave win, those
 * that only come from another profile do not. (The variable alone moves the workspace only.)
 */
function selectProfile(
  { env, profile: selected }: OpenclawWorld,
  inHome: (name: string) => string,
  resolve: (given: string) => string,
): Environment {
  if (selected === undefined) return env;
  const { stateOverride, configOverride, profile: inherited } = readOverrides(env);
  const inheritedDir = inHome(profileFolder(inherited));
  const selectedDir = inHome(profileFolder(selected));
  const isSwitch = inheritedDir !== selectedDir;
  const isInherited = (given: string, place: string) => isSwitch && resolve(given) === place;

  const keepsState = stateOverride && !isInherited(stateOverride, inheritedDir);
  const stateDir = keepsState ? stateOverride : selectedDir;
  const keepsConfig =
    configOverride &&
    (keepsState || !isInherited(configOverride, path.join(inheritedDir, CONFIG_NAME)));
  return {
    ...env,
    OPENCLAW_PROFILE: selected,
    OPENCLAW_STATE_DIR: stateDir,
    OPENCLAW_CONFIG_PATH: keepsConfig ? configOverride : path.join(stateDir, CONFIG_NAME),
  };
}

function exists(fs: FileSystem, file: string): boolean {
  try {
    return fs.statSync(file, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false; // reading it will say what is wrong
  }
}
