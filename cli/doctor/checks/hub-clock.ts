import { type Check, pass, warn } from '../check.ts';

const TOLERATED_SECONDS = 60;

export const hubClock: Check = {
  id: 'hub-clock',
  group: 'hub',
  needs: ['hub-health'],
  isOnline: true,
  async run({ health, now }) {
    const answer = await health();
    if (!answer.ok || answer.date === undefined) return pass('hub-clock-untold');
    // The header counts whole seconds, and half of the time was the way back.
    const difference = now().getTime() - answer.elapsedMs / 2 - answer.date.getTime() - 500;
    const seconds = Math.round(Math.abs(difference) / 1000);
    if (seconds <= TOLERATED_SECONDS) return pass('hub-clock-ok', { seconds });
    return warn(difference > 0 ? 'hub-clock-behind' : 'hub-clock-ahead', { seconds });
  },
};
