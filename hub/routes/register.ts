import { succeed } from '../http/answers.ts';
import type { Answer, Exchange, Route } from '../http/exchange.ts';
import { readBody } from '../http/read-body.ts';
import { readOnceKey } from '../http/read-once-key.ts';
import type { Registered, Registration } from '../service/agents.ts';
import { checkRequest } from '../service/check-request.ts';
import type { AgentCard } from '../store/hub-store.ts';
import type { HubParts } from './hub-parts.ts';

export function createRegister({
  agents,
  findCaller,
  limits,
  limitRegistrations,
  recent,
}: HubParts): Route {
  return async ({ incoming, address }) => {
    const { authorization } = incoming.headers;
    const caller = await findCaller(authorization);
    if (caller.kind !== 'operator') limitRegistrations(address);
    const registration = await readRegistration(incoming, limits.bodyBytes);
    const request = { registration, authorization, onceKey: readOnceKey(incoming) };
    return describe(await recent.once(request, () => agents.register(registration, caller)));
  };
}

export function createRegisterByOperator({ agents, findCaller, limits }: HubParts): Route {
  return async ({ incoming }) => {
    const caller = await findCaller(incoming.headers.authorization);
    const registration = await readRegistration(incoming, limits.bodyBytes);
    return describe(await agents.registerByOperator(registration, caller));
  };
}

async function readRegistration(
  incoming: Exchange['incoming'],
  limit: number,
): Promise<Registration> {
  const { value } = checkRequest(await readBody(incoming, limit), 'register-request');
  return {
    agentId: String(value.agent_id),
    card: (value.agent_card as AgentCard | undefined) ?? null,
    endpoint: (value.endpoint as string | undefined) ?? null,
  };
}

function describe({ agent, key, isNew }: Registered): Answer {
  const data = {
    agent_id: agent.id,
    ...(key === undefined ? {} : { api_key: key }),
    registration: { registered_at: new Date(agent.registeredAt).toISOString() },
  };
  return succeed(data, isNew ? 201 : 200);
}
