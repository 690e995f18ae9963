import { ENDPOINTS } from '../../cli/protocol/constants.ts';
import type { HubLog } from '../hub-log.ts';
import type { HubLimits } from '../limits.ts';
import { Refusal } from '../refusal.ts';
import type { AgentCard, AgentRecord, HubStore } from '../store/hub-store.ts';
import { completeAddress, isLocalAddress } from './addresses.ts';
import { type Caller, refuseCaller } from './caller.ts';
import { createKey, hashKey } from './keys.ts';

/** A register request that has been checked. */
export interface Registration {
  agentId: string;
  card: AgentCard | null;
  endpoint: string | null;
}

export interface Registered {
  agent: AgentRecord;
  /** Only when it is new: it is stored nowhere and shown once. */
  key?: string;
  isNew: boolean;
}

interface AgentsOptions {
  store: HubStore;
  host: string;
  limits: HubLimits;
  /** Whether only the operator lets new agents in. */
  isClosed: boolean;
  log: HubLog;
  now: () => number;
  /** Refuses a webhook to where the hub must not send. */
  checkEndpoint: (endpoint: string) => void;
  /** After a key has been replaced or an agent has gone, whatever it had open ends. */
  onKeyDead: (agent: AgentRecord) => void;
}

const FULL_RETRY_SECONDS = 3600;

export class Agents {
  readonly #options: AgentsOptions;

  constructor(options: AgentsOptions) {
    this.#options = options;
  }

  /** For the agent itself: always with a new key. */
  async register(registration: Registration, caller: Caller): Promise<Registered> {
    const { id, known } = await this.#look(registration);
    if (known !== undefined && !owns(caller, known)) {
      throw new Refusal(
        'ERR_AGENT_ID_TAKEN',
        `${known.id} is registered already. Choose another name; to replace its key, send the current one.`,
      );
    }
    if (known === undefined && this.#options.isClosed && caller.kind !== 'operator') {
      throw new Refusal(
        'ERR_REGISTRY_FULL',
        'Here only the operator registers new agents. Tell your user.',
      );
    }
    const key = createKey();
    const agent = await this.#put(registration, id, known, hashKey(key));
    if (known !== undefined) this.#options.onKeyDead(known);
    this.#options.log({ event: known ? 'key-replaced' : 'registered', agent: agent.id });
    return { agent, key, isNew: known === undefined };
  }

  /** For the operator: who is there already keeps the key. */
  async registerByOperator(registration: Registration, caller: Caller): Promise<Registered> {
    if (caller.kind === 'agent') {
      throw new Refusal('ERR_UNAUTHORIZED', 'Only for the operator; agents use POST /register.');
    }
    if (caller.kind !== 'operator') throw refuseCaller(caller);
    const { id, known } = await this.#look(registration);
    if (known === undefined) return this.register(registration, caller);
    const agent = await this.#put(registration, id, known, known.keyHash);
    this.#options.log({ event: 'updated', agent: agent.id });
    return { agent, isNew: false };
  }

  /** Whether there was one. */
  async unregister(given: string, caller: Caller): Promise<boolean> {
    const agent = await this.find(given);
    // Nothing to protect; and a repeat of the request comes with a key that is dead by then.
    if (agent === undefined) return false;
    if (!owns(caller, agent)) {
      if (caller.kind !== 'agent') throw refuseCaller(caller);
      throw new Refusal(
        'ERR_UNAUTHORIZED',
        `Only the key of ${agent.id} or the operator's may remove it.`,
      );
    }
    const removed = await this.#options.store.removeAgent(agent.serial);
    this.#options.onKeyDead(agent);
    if (removed) this.#options.log({ event: 'unregistered', agent: agent.id });
    return removed;
  }

  async find(given: string): Promise<AgentRecord | undefined> {
    const id = completeAddress(given, this.#options.host);
    return id === undefined ? undefined : this.#options.store.findAgent(id);
  }

  async require(given: string): Promise<AgentRecord> {
    const agent = await this.find(given);
    if (agent !== undefined) return agent;
    const { host } = this.#options;
    throw new Refusal(
      'ERR_AGENT_NOT_FOUND',
      given.includes('@') && !isLocalAddress(given, host)
        ? `That agent is on another hub: addresses of this one end in @${host}.`
        : `There is no such agent here. Check the address in the directory: ${ENDPOINTS.discover.method} ${ENDPOINTS.discover.path}.`,
    );
  }

  async #look({ agentId, endpoint }: Registration) {
    const { host, store, checkEndpoint } = this.#options;
    const id = completeAddress(agentId, host);
    if (id === undefined || !isLocalAddress(id, host)) {
      throw new Refusal(
        'ERR_VALIDATION',
        `agent_id must be name@${host}: addresses of this hub end in @${host}.`,
      );
    }
    if (endpoint !== null) checkEndpoint(endpoint);
    return { id, known: await store.findAgent(id) };
  }

  async #put(
    { card, endpoint }: Registration,
    id: string,
    known: AgentRecord | undefined,
    keyHash: string,
  ): Promise<AgentRecord> {
    const { store, limits, now } = this.#options;
    if (known === undefined && (await store.countAgents()) >= limits.agents) {
      throw new Refusal('ERR_REGISTRY_FULL', 'This hub takes no new agents. Tell its operator.', {
        retryAfterSeconds: FULL_RETRY_SECONDS,
      });
    }
    const agent = await store.putAgent(
      {
        id: known?.id ?? id,
        card,
        endpoint,
        keyHash,
        registeredAt: known?.registeredAt ?? now(),
      },
      known?.keyHash,
    );
    if (agent !== 'changed') return agent;
    throw new Refusal('ERR_AGENT_ID_TAKEN', `${id} was registered by somebody else just now.`);
  }
}

function owns(caller: Caller, agent: AgentRecord): boolean {
  return (
    caller.kind === 'operator' ||
    // Not only the same agent: the key may have been replaced a moment ago.
    (caller.kind === 'agent' && caller.agent.keyHash === agent.keyHash)
  );
}
