import { Refusal } from '../refusal.ts';
import type { AgentRecord, HubStore } from '../store/hub-store.ts';
import { hashKey, isSameHash, readBearer } from './keys.ts';

/** Whose key came with a request. */
export type Caller =
  | { readonly kind: 'none' }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'operator' }
  | { readonly kind: 'agent'; readonly agent: AgentRecord };

export type FindCaller = (authorization: string | undefined) => Promise<Caller>;

export function createFindCaller(
  store: Pick<HubStore, 'findAgentByKeyHash'>,
  operatorKey: string | undefined,
): FindCaller {
  const operatorHash = operatorKey === undefined ? undefined : hashKey(operatorKey);
  return async (authorization) => {
    if (authorization === undefined) return { kind: 'none' };
    const key = readBearer(authorization);
    if (key === undefined) return { kind: 'unknown' };
    const hash = hashKey(key);
    if (operatorHash !== undefined && isSameHash(hash, operatorHash)) return { kind: 'operator' };
    const agent = await store.findAgentByKeyHash(hash);
    return agent !== undefined && isSameHash(hash, agent.keyHash)
      ? { kind: 'agent', agent }
      : { kind: 'unknown' };
  };
}

export function refuseCaller(caller: Caller): Refusal {
  const headers = { 'WWW-Authenticate': 'Bearer' };
  return caller.kind === 'none'
    ? new Refusal(
        'ERR_UNAUTHORIZED',
        'A key is needed: send it as "Authorization: Bearer <key>".',
        { headers },
      )
    : new Refusal(
        'ERR_UNAUTHORIZED',
        'This key is not accepted here. Use the key of your credentials; do not register again unless your user says so: a hub with --memory forgets its agents when it ends.',
        { headers },
      );
}

export function requireAgent(caller: Caller): AgentRecord {
  if (caller.kind === 'agent') return caller.agent;
  throw refuseCaller(caller);
}
