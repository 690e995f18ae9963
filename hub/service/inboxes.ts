import type { HubLog } from '../hub-log.ts';
import type { AgentRecord, HubStore } from '../store/hub-store.ts';
import { Inbox, type InboxStream } from './inbox.ts';

interface InboxesOptions {
  store: HubStore;
  perAgent: number;
  heartbeatMs: number;
  /** How long a reader may take nothing. */
  patienceMs: number;
  log: HubLog;
}

/** Not all inboxes at once: ten thousand heartbeats together would hold up everything else. */
const SLOTS = 20;

/** The open inboxes of all agents. */
export class Inboxes {
  readonly #options: InboxesOptions;
  readonly #ofAgent = new Map<number, Set<Inbox>>();
  readonly #slots: Set<Inbox>[] = Array.from({ length: SLOTS }, () => new Set());
  readonly #timer: NodeJS.Timeout;
  #slot = 0;
  #nextSlot = 0;

  constructor(options: InboxesOptions) {
    this.#options = options;
    this.#timer = setInterval(() => this.#beat(), options.heartbeatMs / SLOTS);
  }

  /** `after`: the message up to which the agent says it has everything. */
  async open(agent: AgentRecord, after: number | undefined, stream: InboxStream): Promise<Inbox> {
    const { store, perAgent, log } = this.#options;
    if (after !== undefined) store.markDelivered(agent.serial, after);
    const start = after ?? (await store.delivered(agent.serial));
    const inbox = new Inbox(agent, start, store, stream);
    const inboxes = this.#ofAgent.get(agent.serial) ?? new Set();
    this.#ofAgent.set(agent.serial, inboxes.add(inbox));
    this.#slots[this.#nextSlot]?.add(inbox);
    this.#nextSlot = (this.#nextSlot + 1) % SLOTS;
    const [oldest] = inboxes;
    if (inboxes.size > perAgent && oldest !== undefined) {
      log({ event: 'inbox-dropped', agent: agent.id, reason: 'replaced' });
      this.close(oldest);
    }
    return inbox;
  }

  close(inbox: Inbox, now = false): void {
    inbox.close(now);
    const inboxes = this.#ofAgent.get(inbox.agent.serial);
    inboxes?.delete(inbox);
    if (inboxes?.size === 0) this.#ofAgent.delete(inbox.agent.serial);
    for (const slot of this.#slots) slot.delete(inbox);
  }

  isOnline(agent: number): boolean {
    return this.#ofAgent.has(agent);
  }

  /** Whether what is stored now is written to an inbox at once. */
  isListening(agent: number): boolean {
    for (const { blockedSince } of this.#ofAgent.get(agent) ?? []) {
      if (blockedSince === undefined) return true;
    }
    return false;
  }

  closeAgent(agent: number): void {
    for (const inbox of this.#ofAgent.get(agent) ?? []) this.close(inbox);
  }

  closeAll(): void {
    clearInterval(this.#timer);
    for (const inboxes of this.#ofAgent.values()) for (const inbox of inboxes) inbox.close();
    this.#ofAgent.clear();
  }

  #beat(): void {
    const { patienceMs, log } = this.#options;
    const blockedBefore = Date.now() - patienceMs;
    for (const inbox of this.#slots[this.#slot] ?? []) {
      if ((inbox.blockedSince ?? Number.POSITIVE_INFINITY) < blockedBefore) {
        log({ event: 'inbox-dropped', agent: inbox.agent.id, reason: 'slow' });
        this.close(inbox, true);
      } else inbox.ping();
    }
    this.#slot = (this.#slot + 1) % SLOTS;
  }
}
