import path from 'node:path';
import { CliError } from '../../errors.ts';
import type { Environment } from '../../io/terminal.ts';
import type { OpenclawPlaces } from './places.ts';
import { type ConfigObject, isObject, readMember } from './read-config.ts';

/** The agent that is there where the config lists none. */
const IMPLICIT_AGENT = 'main';

export interface OpenclawAgent {
  id: string;
  /** The folder it works in. Throws where the config leaves that open: we do not guess. */
  findWorkspace(): string;
  /** The skills it is limited to; undefined where it has them all. */
  allowList: AllowList | undefined;
  /** Skills that the config switches off. */
  disabled: readonly string[];
}

interface AllowList {
  skills: readonly string[];
  /** Where in the config it stands, as `openclaw config` takes it. */
  path: string;
}

interface Entry {
  /** As the config writes it. */
  key: string;
  id: string;
  settings: ConfigObject;
  /** Where in the config its settings are. */
  path: string;
}

/** The agents of a config with their workspaces. */
export function listAgents(
  config: ConfigObject,
  places: OpenclawPlaces,
  env: Environment,
): OpenclawAgent[] {
  const entries = readEntries(config);
  const owner = findOwner(config, entries);
  const defaults = readMember(config, 'agents', 'defaults');
  const disabled = listDisabled(config);
  return entries.map((entry) => ({
    id: entry.id,
    disabled,
    allowList:
      readAllowList(entry.settings, entry.path) ?? readAllowList(defaults, 'agents.defaults'),
    findWorkspace: () => {
      const resolve = (given: string) => resolveWorkspace(given, entry.id, config, places, env);
      const own = readText(entry.settings.workspace);
      if (own !== undefined) return resolve(own);
      const shared = readText(readMember(defaults, 'workspace'));
      if (entry.id === owner) return shared ? resolve(shared) : places.defaultWorkspace;
      return shared
        ? path.join(resolve(shared), entry.id)
        : path.join(places.stateDir, `workspace-${entry.id}`);
    },
  }));
}

/** `agents.entries`, or `agents.list` as it was called before. */
function readEntries(config: ConfigObject): Entry[] {
  const { entries, list } = (readMember(config, 'agents') ?? {}) as ConfigObject;
  const found = isObject(entries)
    ? Object.entries(entries).map(([key, settings]) => ({
        key,
        settings,
        path: `agents.entries.${key}`,
      }))
    : (Array.isArray(list) ? list : []).map((settings: unknown, index) => ({
        key: readText(readMember(settings, 'id')) ?? '',
        settings,
        path: `agents.list[${index}]`,
      }));
  const agents = new Map<string, Entry>();
  for (const entry of found) {
    const id = normaliseId(entry.key);
    if (!isObject(entry.settings) || agents.has(id)) continue;
    agents.set(id, { ...entry, id, settings: entry.settings });
  }
  if (agents.size > 0) return [...agents.values()];
  return [{ key: IMPLICIT_AGENT, id: IMPLICIT_AGENT, settings: {}, path: 'agents.defaults' }];
}

/** The agent that has the plain workspace: the only one, or the one marked as default. */
function findOwner(config: ConfigObject, entries: readonly Entry[]): string | undefined {
  if (entries.length === 1) return entries[0]?.id;
  if (readMember(config, 'agents', 'ownership') === 'explicit') return undefined;
  const marked = entries.filter((entry) => entry.settings.default === true);
  return marked.length === 1 ? marked[0]?.id : undefined;
}

/** An id becomes part of a path: only what is safe there remains. */
function normaliseId(given: string): string {
  const id = given
    .trim()
    .toLowerCase()
    .replace(/[^a-z0-9_-]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 64);
  return id === '' ? IMPLICIT_AGENT : id;
}

function resolveWorkspace(
  given: string,
  agent: string,
  config: ConfigObject,
  places: OpenclawPlaces,
  env: Environment,
): string {
  const workspace = substitute(given, (name) => {
    const value = env[name] || readText(readMember(config, 'env', 'vars', name));
    if (!value) throw new CliError('openclaw-variable', { agent, name, path: places.configFile });
    return value;
  });
  // OpenClaw would take it from the folder that the gateway happens to run in.
  if (!path.isAbsolute(workspace) && !workspace.startsWith('~')) {
    throw new CliError('openclaw-relative-workspace', {
      agent,
      workspace,
      path: places.configFile,
    });
  }
  return places.resolve(workspace);
}

/** `${NAME}` by its value; `$${NAME}` is how one writes it literally. */
function substitute(text: string, read: (name: string) => string): string {
  return text.replace(/(\$?)\$\{([A-Z_][A-Z0-9_]*)\}/g, (_, escaped: string, name: string) =>
    escaped ? `\${${name}}` : read(name),
  );
}

function readAllowList(settings: unknown, at: string): AllowList | undefined {
  const skills = readMember(settings, 'skills');
  return Array.isArray(skills) ? { skills: skills.map(String), path: `${at}.skills` } : undefined;
}

function listDisabled(config: ConfigObject): string[] {
  const entries = readMember(config, 'skills', 'entries');
  const names = isObject(entries) ? Object.keys(entries) : [];
  return names.filter((name) => readMember(entries, name, 'enabled') === false);
}

function readText(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}
