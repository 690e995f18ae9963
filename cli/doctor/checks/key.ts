import { checkKey } from '../../hub-client/check-key.ts';
import { isKeyRefused, refusedKey } from '../../identity/refused-key.ts';
import { type Check, fail, pass } from '../check.ts';

export const key: Check = {
  id: 'key',
  group: 'identity',
  needs: ['credentials', 'hub-health'],
  isOnline: true,
  async run({ chosenHub, client, found, identity, now }) {
    const { host } = chosenHub().url;
    const { agent_id: agent } = identity();
    const check = await checkKey(client(), now());
    if (check.accepted) return pass('key-ok', { host, agent });
    const { status, code } = check.refusal;
    if (isKeyRefused(check.refusal)) throw refusedKey(identity(), found().file, check.refusal);
    return fail('key-unknown', { host, status, code });
  },
};
