import { CliError } from '../errors.ts';
import { type FoundInstallation, findInstallations } from '../hosts/find-installations.ts';
import type { HostWorld, Place } from '../hosts/place.ts';
import type { SkillSource } from '../scaffold/package-files.ts';

/**
 * Each of the places must have an installation: the user named it. To whom the others are as
 * good as done, one is enough.
 */
export function findNamed(
  world: HostWorld,
  source: SkillSource,
  places: readonly Place[],
  needed: 'each' | 'one',
  withLeftovers = false,
): FoundInstallation[] {
  const found = findInstallations(world, source, places, withLeftovers);
  const missing = places.filter((place) => !found.some((it) => it.folder === place.folder));
  if (missing.length === 0 || (needed === 'one' && found.length > 0)) return found;
  const folders = missing.map((place) => place.folder);
  throw new CliError('nothing-installed', { places: folders });
}
