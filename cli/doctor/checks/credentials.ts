import { type Check, fail, pass, warn } from '../check.ts';

export const credentials: Check = {
  id: 'credentials',
  group: 'local',
  run({ found, identity }) {
    const { file, isInterrupted } = found();
    // Missing and damaged ones are thrown as what they are.
    const { agent_id: agent } = identity();
    if (isInterrupted) return fail('credentials-interrupted', { file });
    return identity().user_culture === undefined
      ? warn('credentials-no-culture', { file, agent })
      : pass('credentials-ok', { file, agent });
  },
};
