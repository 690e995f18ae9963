import { type Check, fail, pass, warn } from '../check.ts';

export const directory: Check = {
  id: 'directory',
  group: 'identity',
  needs: ['key'],
  isOnline: true,
  async run({ client, identity }) {
    const { agent_id: agent, user_culture: registered } = identity();
    const answer = await client().discover();
    const listed = answer.ok ? answer.data.find((entry) => entry.agent_id === agent) : undefined;
    // A long directory may have pages; the record itself is asked for then.
    const single = listed ? undefined : await client().agent(agent);
    const entry = listed ?? (single?.ok ? single.data : undefined);
    if (entry === undefined) {
      if (single?.status === 404) return fail('directory-missing', { agent });
      const status = answer.ok ? (single?.status ?? 0) : answer.status;
      return warn('directory-closed', { status });
    }
    const { culture } = entry;
    if (culture === undefined) return warn('directory-no-culture', { agent });
    const args = { agent, culture, registered: registered ?? culture };
    return culture === args.registered
      ? pass('directory-ok', args)
      : fail('directory-other-culture', args);
  },
};
