import path from 'node:path';
import { readHome } from '../io/home-folder.ts';
import { HOSTS, OPENCLAW } from './host-table.ts';
import { findOpenclawPlaces } from './openclaw/places.ts';
import { findUserPlace, type HostWorld } from './place.ts';

/** The hosts that are used in this project or by this user, as far as their folders tell. */
export function findHosts(world: HostWorld): string[] {
  const { fs, env, cwd } = world;
  const home = readHome(env, cwd);
  const isThere = (folder: string) => {
    try {
      return fs.statSync(folder).isDirectory();
    } catch {
      return false;
    }
  };
  const found = HOSTS.filter((host) => {
    const roots = home === undefined || home === cwd ? [cwd] : [cwd, home];
    if (roots.some((root) => host.signs.some((sign) => isThere(path.join(root, sign))))) {
      return true;
    }
    const isNamed = host.user.variable !== undefined && env[host.user.variable]?.trim();
    return isNamed && isThere(path.dirname(path.dirname(findUserPlace(world, host).folder)));
  });
  return [...(isOpenclawThere(world, isThere) ? [OPENCLAW] : []), ...found.map(({ name }) => name)];
}

function isOpenclawThere(world: HostWorld, isThere: (folder: string) => boolean): boolean {
  try {
    const { stateDir, configFile } = findOpenclawPlaces(world);
    return isThere(stateDir) || world.fs.statSync(configFile).isFile();
  } catch {
    return false;
  }
}
