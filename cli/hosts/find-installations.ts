import { type Damage, type Inspection, inspectSkill } from '../scaffold/inspect.ts';
import { readLanguages } from '../scaffold/languages.ts';
import type { SkillSource } from '../scaffold/package-files.ts';
import { findShadow } from './find-shadow.ts';
import { listProjectPlaces, listUserPlaces, type ReportProblem } from './list-places.ts';
import { concerns, type HostWorld, mergePlaces, type Place } from './place.ts';
import { listRemembered } from './remembered-places.ts';

type InstallationState = 'current' | 'outdated' | 'changed' | 'damaged' | 'shadowed';

/** The skill in a place, and how it stands there. */
export interface FoundInstallation extends Place {
  version: string | undefined;
  language: string | undefined;
  state: InstallationState;
  changed: readonly string[];
  missing: readonly string[];
  damage: Damage | undefined;
  /** Installed by a later version than this one. */
  isNewer: boolean;
  /** The file that the host reads in place of ours. */
  shadowedBy: string | undefined;
}

/** Every place on this machine that the skill may be in: here, for the user, and remembered. */
export function listAllPlaces(world: HostWorld, report: ReportProblem = ignore): Place[] {
  return mergePlaces(world.fs, listUnmerged(world, report));
}

/** Those that concern who works here, also where they are links into another project. */
export function listPlacesHere(world: HostWorld): Place[] {
  const places = listUnmerged(world, ignore).filter((it) => concerns(it, world.cwd));
  return mergePlaces(world.fs, places);
}

function listUnmerged(world: HostWorld, report: ReportProblem): Place[] {
  return [
    ...listProjectPlaces(world, world.cwd),
    ...listUserPlaces(world, report),
    ...listRemembered(world),
  ];
}

/** The installations in some places. */
export function findInstallations(
  world: HostWorld,
  source: SkillSource,
  places: readonly Place[],
  withLeftovers = false,
): FoundInstallation[] {
  const languages = readLanguages(world.fs, source.packageRoot);
  return places.flatMap((place) => {
    const inspection = inspectSkill(world.fs, place.folder, source, languages);
    if (inspection === undefined || (inspection.isLeftover && !withLeftovers)) return [];
    const shadowedBy = findShadow(world, place);
    const { version, language, changed, missing, damage, isNewer } = inspection;
    const state = decideState(inspection, shadowedBy);
    return [{ ...place, version, language, state, changed, missing, damage, isNewer, shadowedBy }];
  });
}

function ignore(): void {}

/** What most needs doing something about. */
function decideState(
  { damage, isOutdated, changed }: Inspection,
  shadowedBy: string | undefined,
): InstallationState {
  if (damage !== undefined) return 'damaged';
  if (shadowedBy !== undefined) return 'shadowed';
  if (isOutdated) return 'outdated';
  return changed.length > 0 ? 'changed' : 'current';
}
