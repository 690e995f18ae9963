import type { HubLog } from '../hub-log.ts';
import type { AgentRecord, HubStore } from '../store/hub-store.ts';
import type { ReceiverResponse } from './read-response.ts';
import type { WebhookClient } from './webhook-client.ts';

export type PushResult =
  | { outcome: 'answered'; response: ReceiverResponse }
  /** It stays in the mailbox, and is tried again or read from there. */
  | { outcome: 'waiting' };

interface Waiter {
  tell: (result: PushResult) => void;
  since: number;
  onChunk: ((text: string) => void) | undefined;
}

/** An agent's messages on their way to its webhook, one after the other. */
interface Lane {
  id: string;
  serial: number;
  attempt: number;
  waiters: Map<number, Waiter>;
  /** Set while it waits for the next attempt. */
  timer?: NodeJS.Timeout;
}

interface WebhooksOptions {
  store: HubStore;
  client: WebhookClient;
  isOnline: (agent: number) => boolean;
  log: HubLog;
}

const MAX_ATTEMPTS = 10;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 300_000;
/** How long a sender waits for the turn of its message behind others. */
const PATIENCE_MS = 5_000;
const BATCH = 500;

/**
 * Brings messages to webhooks in order. What was not answered stays in the mailbox: it is
 * tried again with growing pauses, then with the next message or when the hub starts anew.
 */
export class Webhooks {
  readonly #options: WebhooksOptions;
  readonly #lanes = new Map<number, Lane>();
  #isClosed = false;

  constructor(options: WebhooksOptions) {
    this.#options = options;
  }

  /** Takes up what was waiting when the hub ended. */
  async resume(): Promise<void> {
    let after: string | undefined;
    do {
      const agents = await this.#options.store.listAgents({ after, limit: BATCH });
      for (const agent of agents) if (agent.endpoint !== null) this.#openLane(agent);
      after = agents.length === BATCH ? agents.at(-1)?.id : undefined;
    } while (after !== undefined);
  }

  /** The outcome for a message that has just been stored; `waiting` where it takes too long. */
  push(agent: AgentRecord, id: number, onChunk?: (text: string) => void): Promise<PushResult> {
    const known = this.#lanes.get(agent.serial);
    // Behind one that failed: its turn comes later.
    if (this.#isClosed || known?.timer) return Promise.resolve({ outcome: 'waiting' });
    return new Promise((tell) => {
      const waiters = known?.waiters ?? this.#openLane(agent).waiters;
      waiters.set(id, { tell, since: Date.now(), onChunk });
    });
  }

  close(): void {
    this.#isClosed = true;
    for (const lane of this.#lanes.values()) this.#closeLane(lane);
    this.#options.client.close();
  }

  #openLane({ id, serial }: AgentRecord): Lane {
    const lane: Lane = { id, serial, attempt: 0, waiters: new Map() };
    this.#lanes.set(serial, lane);
    void this.#run(lane);
    return lane;
  }

  #closeLane(lane: Lane): void {
    clearTimeout(lane.timer);
    this.#release(lane);
    this.#lanes.delete(lane.serial);
  }

  /** Whoever has waited since before then waits no longer for an answer. */
  #release({ waiters }: Lane, before = Number.POSITIVE_INFINITY): void {
    for (const [id, { tell, since }] of waiters) {
      if (since >= before) continue;
      waiters.delete(id);
      tell({ outcome: 'waiting' });
    }
  }

  async #run(lane: Lane): Promise<void> {
    try {
      while (await this.#deliverNext(lane));
    } catch (error) {
      this.#options.log({
        event: 'internal-error',
        detail: error instanceof Error ? error.message : 'unknown',
      });
      this.#closeLane(lane);
    }
  }

  /** Whether to go on at once. */
  async #deliverNext(lane: Lane): Promise<boolean> {
    const { store, client, isOnline, log } = this.#options;
    const waitingBefore = lane.waiters.size;
    const agent = await store.findAgent(lane.id);
    const after = await store.delivered(lane.serial);
    const [message] = await store.since({ agent: lane.serial, after, limit: 1, received: true });
    // One may have been stored after we looked: whoever waits for it came in between.
    if (message === undefined && lane.waiters.size > waitingBefore) return true;
    const endpoint = agent?.serial === lane.serial ? agent.endpoint : null;
    if (this.#isClosed || endpoint === null || message === undefined || isOnline(lane.serial)) {
      this.#closeLane(lane);
      return false;
    }
    this.#release(lane, Date.now() - PATIENCE_MS);
    const { envelope } = message;
    const { onChunk } = lane.waiters.get(message.id) ?? {};
    const result = await client.post({ endpoint, envelope, onChunk });
    if ('response' in result) {
      store.markDelivered(lane.serial, message.id);
      lane.waiters.get(message.id)?.tell({ outcome: 'answered', response: result.response });
      lane.waiters.delete(message.id);
      if (lane.attempt > 0) log({ event: 'webhook-recovered', agent: lane.id });
      lane.attempt = 0;
      return true;
    }
    if (this.#isClosed) return false;
    lane.attempt += 1;
    log({
      event: 'webhook-failed',
      agent: lane.id,
      reason: result.failure,
      attempt: lane.attempt,
    });
    this.#release(lane);
    if (lane.attempt >= MAX_ATTEMPTS) this.#closeLane(lane);
    else this.#pause(lane);
    return false;
  }

  #pause(lane: Lane): void {
    const pause = Math.min(FIRST_PAUSE_MS * 2 ** (lane.attempt - 1), LONGEST_PAUSE_MS);
    // Not all at the same moment after a failure of the network.
    lane.timer = setTimeout(
      () => {
        delete lane.timer;
        void this.#run(lane);
      },
      pause * (0.75 + Math.random() / 2),
    );
  }
}
