import path from 'node:path';
import { CliError } from '../../errors.ts';
import { isBelow } from '../../io/files.ts';
import { resolveLinks } from '../../io/real-files.ts';
import { findOpenclawHome, findOpenclawPlaces, type OpenclawWorld } from './places.ts';
import { type Openclaw, readOpenclaw } from './read-openclaw.ts';

export interface OpenclawWorkspace {
  /** The workspace's own folder, links resolved. */
  root: string;
  agentId: string;
  /** The profile it belongs to, where that is not the environment's. */
  profile: string | undefined;
}

/**
 * The OpenClaw workspace that a folder lies in, if it lies in one. A config that cannot be
 * read is an error only for a folder that it may concern.
 */
export function findOpenclawWorkspace(
  world: OpenclawWorld,
  folder: string,
): OpenclawWorkspace | undefined {
  const wanted = resolveLinks(world.fs, path.resolve(world.cwd, folder));
  // An agent's commands need not inherit the variable that says which profile it runs in.
  const profiles = world.profile === undefined ? listProfiles(world) : [];
  for (const profile of [world.profile, ...profiles]) {
    const found = findIn({ ...world, profile }, wanted);
    if (found !== undefined) {
      return { ...found, profile: profile === world.profile ? undefined : profile };
    }
  }
  return undefined;
}

function findIn(world: OpenclawWorld, folder: string) {
  const openclaw = readIfConcerned(world, folder);
  if (openclaw === undefined || openclaw.remoteUrl !== undefined) return undefined;
  const found = openclaw.agents.flatMap((agent) => {
    try {
      const root = resolveLinks(world.fs, agent.findWorkspace());
      return root === folder || isBelow(root, folder) ? [{ root, agentId: agent.id }] : [];
    } catch (error) {
      if (error instanceof CliError) return []; // the config does not say where it is
      throw error;
    }
  });
  // One workspace may lie in another: the innermost is meant.
  return found.sort((a, b) => b.root.length - a.root.length)[0];
}

function readIfConcerned(world: OpenclawWorld, folder: string): Openclaw | undefined {
  try {
    return readOpenclaw(world);
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    if (error.code === 'no-home' || error.code === 'openclaw-profile') return undefined;
    const { stateDir, defaultWorkspace } = findOpenclawPlaces(world);
    const places = [stateDir, defaultWorkspace].map((place) => resolveLinks(world.fs, place));
    if (places.some((place) => place === folder || isBelow(place, folder))) throw error;
    return undefined;
  }
}

/** The profiles that have a folder: `~/.openclaw-<profile>`. */
export function listProfiles(world: OpenclawWorld): string[] {
  const home = findOpenclawHome(world);
  if (home === undefined) return [];
  try {
    return world.fs
      .readdirSync(home)
      .flatMap((name) => /^\.openclaw-([a-z0-9][\w-]{0,63})$/i.exec(name)?.[1] ?? []);
  } catch {
    return [];
  }
}
