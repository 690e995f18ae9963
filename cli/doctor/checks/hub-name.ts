import { isIP } from 'node:net';
import { classifyConnecting } from '../../hub-client/classify-failure.ts';
import { chooseProxy } from '../../hub-client/proxy.ts';
import { type Check, pass } from '../check.ts';

export const hubName: Check = {
  id: 'hub-name',
  group: 'hub',
  needs: ['hub-url'],
  isOnline: true,
  async run({ chosenHub, env, lookup }) {
    const { url } = chosenHub();
    const host = url.hostname.replace(/^\[|\]$/g, '');
    if (isIP(host) !== 0) return pass('name-address', { host });
    const proxy = chooseProxy(url, env);
    if (proxy) return pass('name-proxied', { host, proxy: proxy.host });
    try {
      return pass('name-ok', { host, addresses: await lookup(host) });
    } catch (error) {
      throw classifyConnecting(error, host, false);
    }
  },
};
