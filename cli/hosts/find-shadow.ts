import path from 'node:path';
import { readHome } from '../io/home-folder.ts';
import { resolveLinks } from '../io/real-files.ts';
import { ENTRY_FILE } from '../scaffold/skill-files.ts';
import { OPENCLAW } from './host-table.ts';
import { type HostWorld, type Place, SKILL_NAME } from './place.ts';
import { findSameName, readSkillName } from './same-name.ts';

/** The file that a host reads in the place of ours, if there is one. */
export function findShadow(world: HostWorld, place: Place): string | undefined {
  const skills = path.dirname(place.folder);
  const own = path.basename(place.folder);
  if (!place.hosts.includes(OPENCLAW)) {
    // Which one the other hosts take is not said anywhere: any copy is one too many.
    return place.hosts.includes('local') ? undefined : findSameName(world.fs, skills, own)[0];
  }
  // OpenClaw takes the last by name of one folder, and the first of the folders it looks into.
  const later = findSameName(world.fs, skills, own).filter(
    (file) => path.basename(path.dirname(file)) > own,
  );
  return later.at(-1) ?? findEarlier(world, place);
}

/** Of OpenClaw's folders, those that come before the one of the user's skills. */
function findEarlier(world: HostWorld, place: Place): string | undefined {
  if (place.scope !== 'user') return undefined;
  const home = readHome(world.env, world.cwd);
  const folders = home === undefined ? [] : [path.join(home, '.agents/skills')];
  const ours = resolveLinks(world.fs, place.folder);
  return folders
    .map((folder) => path.join(folder, SKILL_NAME, ENTRY_FILE))
    .find(
      (file) =>
        readSkillName(world.fs, file) === SKILL_NAME &&
        path.dirname(resolveLinks(world.fs, file)) !== ours,
    );
}
