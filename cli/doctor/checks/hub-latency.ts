import { type Check, pass, warn } from '../check.ts';

const SLOW_MS = 2000;

export const hubLatency: Check = {
  id: 'hub-latency',
  group: 'hub',
  needs: ['hub-health'],
  isOnline: true,
  async run({ health }) {
    const answer = await health();
    const ms = answer.ok ? Math.round(answer.elapsedMs) : 0;
    return ms > SLOW_MS ? warn('latency-high', { ms }) : pass('latency-ok', { ms });
  },
};
