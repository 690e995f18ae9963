import { LOCAL, nameHost, OPENCLAW } from '../hosts/host-table.ts';
import type { Visibility } from '../hosts/openclaw/ask-openclaw.ts';
import { concerns, type Place } from '../hosts/place.ts';
import type { hostsTexts } from '../wording/hosts/texts.ts';
import type { CommandTools } from './command.ts';

/** What the commands about hosts work with. */
export type HostTools = CommandTools<(typeof hostsTexts)['en']>;
type HostsWording = HostTools['wording'];

/** Who reads the place, in words. */
export function describePlace(
  place: Place,
  { context, wording: { say } }: Pick<HostTools, 'context' | 'wording'>,
): string {
  const { hosts, scope, agent, profile } = place;
  if (hosts[0] === LOCAL) return say('hosts.local');
  const describe = () => {
    if (hosts[0] !== OPENCLAW) {
      const names = hosts.map(nameHost);
      return concerns(place, context.cwd)
        ? say(`hosts.${scope}`, { hosts: names })
        : say('hosts.other-project', { hosts: names });
    }
    if (scope === 'user' || agent === undefined) return say('hosts.openclaw-user');
    return say('hosts.openclaw-agent', { agent });
  };
  return profile === undefined
    ? describe()
    : say('hosts.profile-note', { place: describe(), profile });
}

export function describeVisibility(visibility: Visibility, { say, sayData }: HostsWording): string {
  const { status, agent } = visibility;
  if (status === 'unknown' && visibility.detail === 'not-on-path') {
    return say('hosts.not-on-path', { agent });
  }
  return sayData(`hosts.${status}`, visibility);
}

/** A place as data, for `--json`. */
export function placeAsJson({ hosts, scope, folder, agent, profile }: Place) {
  return { hosts, scope, path: folder, agent, profile };
}
