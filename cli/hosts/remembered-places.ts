import { createHash } from 'node:crypto';
import path from 'node:path';
import { isBelow, readOwnFile, writeNewFiles } from '../io/files.ts';
import { readHome } from '../io/home-folder.ts';
import { LOCAL, OPENCLAW, SCOPES, TARGETS } from './host-table.ts';
import type { HostWorld, Place } from './place.ts';

/**
 * Projects and folders that cannot be found by looking, so that `--all` finds them: one small
 * file each, so that two runs at once do not lose one. Losing them all loses only that.
 */
function findStore({ env, cwd }: HostWorld): string | undefined {
  const home = readHome(env, cwd);
  const state = env.XDG_STATE_HOME?.trim() || env.LOCALAPPDATA?.trim();
  if (state && path.isAbsolute(state)) return path.join(state, 'chorus-skill/places');
  return home === undefined ? undefined : path.join(home, '.local/state/chorus-skill/places');
}

/** Never fails: an installation is no worse for not being remembered. */
export function rememberPlace(world: HostWorld, { hosts, scope, folder, base }: Place): void {
  const store = findStore(world);
  // Those of the user and of OpenClaw's agents are found by their rules.
  if (store === undefined || scope !== 'project' || hosts.includes(OPENCLAW)) return;
  try {
    world.fs.mkdirSync(store, { recursive: true, mode: 0o700 });
    const content = Buffer.from(`${JSON.stringify({ hosts, scope, folder, base })}\n`);
    writeNewFiles(world.fs, [{ path: path.join(store, nameFile(folder)), content }]);
  } catch {
    // It is there already, or cannot be written.
  }
}

export function forgetPlace(world: HostWorld, { folder }: Place): void {
  const store = findStore(world);
  if (store === undefined) return;
  try {
    world.fs.unlinkSync(path.join(store, nameFile(folder)));
    // After the last one nothing of ours stays behind.
    for (const empty of [store, path.dirname(store)]) world.fs.rmdirSync(empty);
  } catch {
    // It was not remembered, or others are.
  }
}

/** What is remembered, as far as it makes sense: the files are data from outside. */
export function listRemembered(world: HostWorld): Place[] {
  const store = findStore(world);
  if (store === undefined) return [];
  try {
    const names = world.fs.readdirSync(store).filter((name) => name.endsWith('.json'));
    return names.sort().flatMap((name) => readPlace(world, path.join(store, name)));
  } catch {
    return [];
  }
}

function readPlace({ fs }: HostWorld, file: string): Place[] {
  try {
    const { hosts, scope, folder, base } = JSON.parse(readOwnFile(fs, file)?.toString() ?? '');
    const isKnown =
      Array.isArray(hosts) &&
      hosts.every((name) => TARGETS.includes(name)) &&
      SCOPES.includes(scope) &&
      [folder, base].every((it) => typeof it === 'string' && path.isAbsolute(it)) &&
      path.normalize(folder) === folder &&
      isBelow(base, folder) &&
      path.basename(file) === nameFile(folder);
    return isKnown ? [{ hosts: hosts.length > 0 ? hosts : [LOCAL], scope, folder, base }] : [];
  } catch {
    return [];
  }
}

function nameFile(folder: string): string {
  return `${createHash('sha256').update(folder).digest('hex').slice(0, 24)}.json`;
}
