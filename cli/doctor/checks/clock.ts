import { type Check, fail, pass } from '../check.ts';

/** This program did not exist before, and its certificates end long before the other. */
const EARLIEST = Date.UTC(2026, 0, 1);
const LATEST = Date.UTC(2100, 0, 1);

/** Alone, a machine can only see that its clock is far off; `hub-clock` compares it. */
export const clock: Check = {
  id: 'clock',
  group: 'local',
  run({ now }) {
    const time = now();
    const args = { time: time.toISOString() };
    const isPlausible = time.getTime() > EARLIEST && time.getTime() < LATEST;
    return isPlausible ? pass('clock-ok', args) : fail('clock-wrong', args);
  },
};
