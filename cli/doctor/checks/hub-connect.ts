import { type Check, pass } from '../check.ts';

export const hubConnect: Check = {
  id: 'hub-connect',
  group: 'hub',
  needs: ['hub-name'],
  isOnline: true,
  async run({ chosenHub, connect }) {
    const { url } = chosenHub();
    // Whether the certificate is right is for the next check to say.
    const { socket, proxy, timings } = await connect(url, { acceptAnyCertificate: true });
    socket.destroy();
    const args = { host: url.host, ms: Math.round(timings.connectMs) };
    return proxy
      ? pass('connect-proxied', { ...args, proxy: proxy.host })
      : pass('connect-ok', args);
  },
};
