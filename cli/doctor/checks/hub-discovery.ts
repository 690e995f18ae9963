import { PROTOCOL_VERSION } from '../../protocol/constants.ts';
import { type Check, fail, pass, warn } from '../check.ts';

export const hubDiscovery: Check = {
  id: 'hub-discovery',
  group: 'hub',
  needs: ['hub-tls'],
  isOnline: true,
  async run({ chosenHub, client }) {
    const { host } = chosenHub().url;
    const answer = await client().discovery();
    if (!answer.ok) return warn('discovery-none', { host, status: answer.status });
    const { chorus_version: version, server_name: name = host } = answer.data;
    if (version === undefined) return warn('discovery-no-version', { host });
    const args = { host, name, version, ours: PROTOCOL_VERSION };
    return version === PROTOCOL_VERSION ? pass('discovery-ok', args) : fail('hub-version', args);
  },
};
