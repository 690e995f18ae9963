import path from 'node:path';
import type { FoundInstallation } from '../hosts/find-installations.ts';
import { LOCAL, nameHost, OPENCLAW } from '../hosts/host-table.ts';
import type { Visibility } from '../hosts/openclaw/ask-openclaw.ts';
import { type Check, type Finding, fail, pass, warn } from './check.ts';
import type { DoctorWorld } from './doctor-world.ts';

/** The checks, with one more for each host that has the skill here, after those of this machine. */
export function addHostChecks(checks: readonly Check[], world: DoctorWorld): Check[] {
  const after = checks.findLastIndex((check) => check.group === 'local') + 1;
  return [...checks.slice(0, after), ...createHostChecks(world), ...checks.slice(after)];
}

function createHostChecks(world: DoctorWorld): Check[] {
  const places = world.installations().filter(({ hosts }) => !hosts.includes(LOCAL));
  return places.map((place, index) => ({
    id: nameCheck(places, index),
    group: 'hosts',
    title: nameReader(place),
    run: async ({ installations, askHost }) => {
      // Perhaps it has been repaired meanwhile.
      const now = installations().find(({ folder }) => folder === place.folder) ?? place;
      const answers = place.hosts.includes(OPENCLAW) ? await askHost(place) : [];
      const findings = [...answers.map((it) => judgeAnswer(now, it)), judgeState(now)];
      return findings.find(isProblem) ?? (findings[0] as Finding);
    },
  }));
}

function nameCheck(places: readonly FoundInstallation[], index: number): string {
  const name = ({ hosts, scope, agent, profile }: FoundInstallation) =>
    ['host', hosts[0], scope, agent, profile].filter((part) => part !== undefined).join('-');
  const own = name(places[index] as FoundInstallation);
  const same = places.slice(0, index).filter((place) => name(place) === own).length;
  return same === 0 ? own : `${own}-${same + 1}`;
}

function nameReader({ hosts, folder }: FoundInstallation): string {
  // A folder that many read is known by its own name.
  if (hosts.length > 1) return path.basename(path.dirname(path.dirname(folder)));
  return nameHost(hosts[0] ?? '');
}

/** Of the files; what is wrong with them is told by the checks of this machine, and fails there. */
function judgeState(place: FoundInstallation): Finding {
  const { folder, version = '?', language = '?', state } = place;
  const hosts = place.hosts.map(nameHost);
  if (state === 'current' || state === 'changed') {
    return pass('host-ok', { folder, version, language, hosts });
  }
  if (state === 'outdated') return warn('host-outdated', { folder, version });
  if (state === 'shadowed') return warn('host-shadowed', { by: place.shadowedBy ?? folder });
  return warn('host-damaged', { folder });
}

/** Of what OpenClaw says. */
function judgeAnswer({ folder }: FoundInstallation, answer: Visibility): Finding {
  const { agent } = answer;
  switch (answer.status) {
    case 'visible':
      return pass('host-visible', { agent, folder });
    case 'hidden':
      return fail('host-hidden', { agent, list: answer.list, command: answer.command });
    case 'disabled':
      return fail('host-disabled', { agent, command: answer.command });
    case 'shadowed':
      return fail('host-shadowed', { by: answer.by });
    case 'unseen':
      return fail('host-unseen', { agent, folder, detail: answer.detail });
    case 'unknown':
      return answer.detail === 'not-on-path'
        ? pass('host-not-asked', { agent, folder })
        : warn('host-unknown', { agent, detail: answer.detail });
  }
}

function isProblem({ outcome }: Finding): boolean {
  return outcome !== 'pass';
}
