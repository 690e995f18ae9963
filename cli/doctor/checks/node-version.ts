import { type Check, fail, pass } from '../check.ts';

const OLDEST = [20, 12] as const;

export const nodeVersion: Check = {
  id: 'node-version',
  group: 'local',
  run({ nodeVersion: version }) {
    const [major = 0, minor = 0] = version.split('.').map(Number);
    const isOld = major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1]);
    const args = { version, oldest: OLDEST.join('.') };
    return isOld ? fail('node-old', args) : pass('node-ok', args);
  },
};
