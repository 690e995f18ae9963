import path from 'node:path';
import { CliError } from '../errors.ts';
import { type FileSystem, isBelow } from '../io/files.ts';
import { expandHome, readHome } from '../io/home-folder.ts';
import { resolveLinks } from '../io/real-files.ts';
import type { Environment } from '../io/terminal.ts';
import { HOSTS, type Host, LOCAL, OPENCLAW, type Scope } from './host-table.ts';

/** The name of the skill, and so of its folder in every host. */
export const SKILL_NAME = 'chorus';

/** What the hosts' folders depend on. */
export interface HostWorld {
  fs: FileSystem;
  env: Environment;
  cwd: string;
}

/** A folder that the skill is in, or would be in. */
export interface Place {
  /** Who reads it; several hosts may share one folder. */
  hosts: readonly string[];
  scope: Scope;
  folder: string;
  /** Above it nothing is ours to remove. */
  base: string;
  /** OpenClaw's agent and profile, where the folder is one's own. */
  agent?: string | undefined;
  profile?: string | undefined;
}

export interface HostTarget {
  name: string;
  scope: Scope;
}

export interface PlaceOptions {
  /** The folder that `local` stands for. */
  dir: string;
  agent?: string | undefined;
  profile?: string | undefined;
}

/** Whether it matters to who works in a folder: it is the user's, an agent's or of the same project. */
export function concerns({ hosts, scope, base }: Place, cwd: string): boolean {
  if (scope === 'user' || hosts.includes(OPENCLAW)) return true;
  return base === cwd || isBelow(base, cwd);
}

/** The folders of targets, each once. */
export async function findPlaces(
  world: HostWorld,
  targets: readonly HostTarget[],
  options: PlaceOptions,
): Promise<Place[]> {
  const places: Place[] = [];
  for (const target of targets) places.push(await findPlace(world, target, options));
  return mergePlaces(world.fs, places);
}

/** Hosts that share a folder share one place; of a link and what it leads to, that is the latter. */
export function mergePlaces(fs: FileSystem, places: readonly Place[]): Place[] {
  const isLink = (folder: string, real: string) =>
    path.dirname(real) !== resolveLinks(fs, path.dirname(folder));
  const merged = new Map<string, Place>();
  for (const place of places) {
    const key = resolveLinks(fs, place.folder);
    const known = merged.get(key);
    const hosts = [...new Set([...(known?.hosts ?? []), ...place.hosts])];
    const kept = known === undefined || isLink(known.folder, key) ? place : known;
    merged.set(key, { ...kept, hosts });
  }
  return [...merged.values()];
}

async function findPlace(
  world: HostWorld,
  { name, scope }: HostTarget,
  options: PlaceOptions,
): Promise<Place> {
  if (name === LOCAL) {
    if (options.dir.trim() === '') throw new CliError('empty-dir');
    const folder = path.resolve(world.cwd, options.dir);
    const base = isBelow(world.cwd, folder) ? world.cwd : path.dirname(folder);
    return { hosts: [LOCAL], scope: 'project', folder, base };
  }
  if (name === OPENCLAW) return findOpenclawPlace(world, scope, options);
  const host = HOSTS.find((it) => it.name === name);
  if (host === undefined) throw new Error(`no host ${name}`);
  return scope === 'user' ? findUserPlace(world, host) : projectPlace(world.cwd, host);
}

export function projectPlace(project: string, host: Host): Place {
  const folder = path.join(project, host.project, SKILL_NAME);
  return { hosts: [host.name], scope: 'project', folder, base: project };
}

export function findUserPlace({ env, cwd }: HostWorld, host: Host): Place {
  const home = readHome(env, cwd);
  const { variable, inVariable = '', inHome } = host.user;
  const named = variable === undefined ? '' : (env[variable]?.trim() ?? '');
  if (home === undefined && (named === '' || named.startsWith('~'))) throw new CliError('no-home');
  const base = named === '' ? (home ?? '') : expandHome(named, home, cwd);
  const folder = path.join(base, named === '' ? inHome : inVariable, SKILL_NAME);
  return { hosts: [host.name], scope: 'user', folder, base };
}

async function findOpenclawPlace(
  world: HostWorld,
  scope: Scope,
  options: PlaceOptions,
): Promise<Place> {
  const { profile } = options;
  // Only here: a plain `init` starts faster without OpenClaw's rules.
  const { chooseAgent, readOpenclaw } = await import('./openclaw/read-openclaw.ts');
  const openclaw = readOpenclaw({ ...world, profile });
  const { places, remoteUrl } = openclaw;
  if (remoteUrl !== undefined) {
    throw new CliError('openclaw-remote', { path: places.configFile, url: remoteUrl });
  }
  if (scope === 'user') {
    const agent = options.agent === undefined ? undefined : chooseAgent(openclaw, options.agent);
    return openclawUserPlace(places.userSkills, agent?.id, profile);
  }
  const agent = chooseAgent(openclaw, options.agent);
  return workspacePlace(agent.findWorkspace(), agent.id, profile);
}

export function openclawUserPlace(
  skills: string,
  agent: string | undefined,
  profile: string | undefined,
): Place {
  const folder = path.join(skills, SKILL_NAME);
  return { hosts: [OPENCLAW], scope: 'user', folder, base: path.dirname(skills), agent, profile };
}

export function workspacePlace(base: string, agent: string, profile: string | undefined): Place {
  const folder = path.join(base, 'skills', SKILL_NAME);
  return { hosts: [OPENCLAW], scope: 'project', folder, base, agent, profile };
}
