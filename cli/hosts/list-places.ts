import path from 'node:path';
import { CliError } from '../errors.ts';
import { HOSTS, LOCAL } from './host-table.ts';
import { listProfiles } from './openclaw/find-workspace.ts';
import { readOpenclaw } from './openclaw/read-openclaw.ts';
import {
  findUserPlace,
  type HostWorld,
  mergePlaces,
  openclawUserPlace,
  type Place,
  projectPlace,
  SKILL_NAME,
  workspacePlace,
} from './place.ts';

/** The places that belong to a project's folder. */
export function listProjectPlaces(world: HostWorld, project: string): Place[] {
  const folder = path.join(project, SKILL_NAME);
  const local: Place = { hosts: [LOCAL], scope: 'project', folder, base: project };
  return mergePlaces(world.fs, [local, ...HOSTS.map((host) => projectPlace(project, host))]);
}

/** Told of what keeps us from knowing a place: no home folder, a config that cannot be read. */
export type ReportProblem = (problem: CliError) => void;

/** The places of the user, of OpenClaw's agents among them. */
export function listUserPlaces(world: HostWorld, report: ReportProblem): Place[] {
  const user = HOSTS.flatMap((host) => attempt(() => [findUserPlace(world, host)], report));
  return mergePlaces(world.fs, [...user, ...listOpenclawPlaces(world, report)]);
}

function listOpenclawPlaces(world: HostWorld, report: ReportProblem): Place[] {
  // A profile is named only where it is not the one that the environment already chooses.
  return [undefined, ...listProfiles(world)].flatMap((profile) =>
    attempt(() => {
      const { places, agents, remoteUrl } = readOpenclaw({ ...world, profile });
      if (remoteUrl !== undefined) {
        throw new CliError('openclaw-remote', { path: places.configFile, url: remoteUrl });
      }
      const workspaces = agents.flatMap((agent) =>
        attempt(() => [workspacePlace(agent.findWorkspace(), agent.id, profile)], report),
      );
      return [...workspaces, openclawUserPlace(places.userSkills, undefined, profile)];
    }, report),
  );
}

function attempt(find: () => Place[], report: ReportProblem): Place[] {
  try {
    return find();
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    report(error);
    return [];
  }
}
