import { expect, it } from 'vitest';
import type { Registered } from '../../hub/service/agents.ts';
import { hashKey } from '../../hub/service/keys.ts';
import { RecentRegistrations } from '../../hub/service/recent-registrations.ts';

it('registers once when two repeats find the agent gone', async () => {
  let current: Registered | undefined;
  let count = 0;
  const store = {
    findAgent: async () =>
      current && ({ ...current.agent, keyHash: hashKey(current.key ?? '') } as Registered['agent']),
  };
  const recent = new RecentRegistrations(store, () => 0);
  const request = {
    registration: { agentId: 'a@hub', card: null, endpoint: null },
    authorization: undefined,
    onceKey: 'k'.repeat(64),
  };
  const register = async (): Promise<Registered> => {
    count += 1;
    const agent = { id: 'a@hub', registeredAt: 0 } as Registered['agent'];
    current = { agent, key: `key-${count}`, isNew: true };
    return current;
  };
  await recent.once(request, register);
  current = undefined;
  const [one, two] = await Promise.all([
    recent.once(request, register),
    recent.once(request, register),
  ]);
  expect(count).toBe(2);
  expect(one.key).toBe(two.key);
});
