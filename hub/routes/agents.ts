import { succeed } from '../http/answers.ts';
import type { Exchange, Route } from '../http/exchange.ts';
import { Refusal } from '../refusal.ts';
import { type DirectoryFilter, parseLimit } from '../service/directory.ts';
import type { AgentRecord } from '../store/hub-store.ts';
import type { HubParts } from './hub-parts.ts';

export function createDiscover({ directory }: HubParts): Route {
  return async ({ query }) => {
    const { items, next } = await directory.list(parseFilter(query));
    return succeed(
      items.map(({ entry }) => entry),
      200,
      next,
    );
  };
}

export function createAgents({ directory }: HubParts): Route {
  return async ({ query }) => {
    const { items, next } = await directory.list(parseFilter(query));
    return succeed(
      items.map(({ agent, entry }) => describe(agent, entry.online)),
      200,
      next,
    );
  };
}

export function createAgent({ agents, inboxes }: HubParts): Route {
  return async ({ id }) => {
    const agent = await agents.require(id);
    return succeed(describe(agent, inboxes.isOnline(agent.serial)));
  };
}

export function createUnregister({ agents, findCaller, host }: HubParts): Route {
  return async ({ id, incoming }: Exchange) => {
    await agents.unregister(id, await findCaller(incoming.headers.authorization));
    return succeed({ agent_id: id.includes('@') ? id : `${id}@${host}` });
  };
}

/** Without the endpoint: where an agent's webhook is, is between the agent and the hub. */
function describe({ id, card, registeredAt }: AgentRecord, online: boolean) {
  return {
    agent_id: id,
    agent_card: card,
    online,
    registration: { registered_at: new Date(registeredAt).toISOString() },
  };
}

function parseFilter(query: URLSearchParams): DirectoryFilter {
  const online = query.get('online');
  if (online !== null && online !== 'true' && online !== 'false') {
    throw new Refusal('ERR_VALIDATION', 'online must be true or false.');
  }
  return {
    culture: query.get('culture') ?? undefined,
    language: query.get('language') ?? undefined,
    online: online === null ? undefined : online === 'true',
    after: query.get('after') ?? undefined,
    limit: parseLimit(query.get('limit')),
  };
}
