import { type Check, fail, pass } from '../check.ts';

export const hubHealth: Check = {
  id: 'hub-health',
  group: 'hub',
  needs: ['hub-tls'],
  isOnline: true,
  async run({ chosenHub, health }) {
    const { host } = chosenHub().url;
    const answer = await health();
    if (answer.ok) return pass('health-ok', { host });
    const { status, code } = answer;
    return fail('health-bad', { host, status, code });
  },
};
