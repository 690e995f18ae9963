import type { TLSSocket } from 'node:tls';
import { type Check, pass, warn } from '../check.ts';

const SOON_DAYS = 14;
const DAY = 86_400_000;

export const hubTls: Check = {
  id: 'hub-tls',
  group: 'hub',
  needs: ['hub-connect'],
  isOnline: true,
  async run({ chosenHub, connect, now }) {
    const { url } = chosenHub();
    const { host } = url;
    if (url.protocol !== 'https:') return pass('tls-none', { host });
    const { socket } = await connect(url); // throws what is wrong with it
    const end = new Date((socket as TLSSocket).getPeerCertificate().valid_to);
    socket.destroy();
    const days = Math.floor((end.getTime() - now().getTime()) / DAY);
    const args = { host, days };
    return days < SOON_DAYS ? warn('tls-ends-soon', args) : pass('tls-ok', args);
  },
};
