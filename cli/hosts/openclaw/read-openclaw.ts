import path from 'node:path';
import { CliError } from '../../errors.ts';
import { findNearest } from '../../nearest.ts';
import { listAgents, type OpenclawAgent } from './agents.ts';
import { findOpenclawPlaces, type OpenclawPlaces, type OpenclawWorld } from './places.ts';
import { readMember, readOpenclawConfig } from './read-config.ts';
import { readDotEnv } from './read-dot-env.ts';

/** OpenClaw on this machine, as its config and the environment describe it. Nothing is written. */
export interface Openclaw {
  places: OpenclawPlaces;
  agents: readonly OpenclawAgent[];
  /** Set where the gateway runs on another machine: then the folders here are not in use. */
  remoteUrl: string | undefined;
}

export function readOpenclaw(world: OpenclawWorld): Openclaw {
  const places = findOpenclawPlaces(world);
  const roots = (world.env.OPENCLAW_INCLUDE_ROOTS ?? '')
    .split(path.delimiter)
    .filter((root) => root.trim() !== '')
    .map(places.resolve);
  const config = readOpenclawConfig(world.fs, places.configFile, roots) ?? {};
  // Variables that are set win over those of the file.
  const env = { ...readDotEnv(world.fs, path.join(places.stateDir, '.env')), ...world.env };
  const isRemote = readMember(config, 'gateway', 'mode') === 'remote';
  const url = readMember(config, 'gateway', 'remote', 'url');
  return {
    places,
    agents: listAgents(config, places, env),
    remoteUrl: isRemote ? String(url ?? '?') : undefined,
  };
}

/** The agent that is meant: the named one, or the only one. */
export function chooseAgent(
  { agents, places }: Openclaw,
  given: string | undefined,
): OpenclawAgent {
  const available = agents.map((agent) => agent.id);
  if (given === undefined) {
    const [only, other] = agents;
    if (only !== undefined && other === undefined) return only;
    throw new CliError('openclaw-agent-needed', { available, path: places.configFile });
  }
  const agent = agents.find(({ id }) => id === given.trim().toLowerCase());
  if (agent !== undefined) return agent;
  const nearest = findNearest(given, available);
  const near = nearest === undefined ? {} : { nearest };
  throw new CliError('unknown-value', { option: '--agent', given, available, ...near });
}
