import type {
  AgentRecord,
  Appended,
  HubStore,
  NewAgent,
  NewMessage,
  OnceKey,
  StoredMessage,
  Wake,
} from './hub-store.ts';
import { Watchers } from './watchers.ts';

interface Mailbox {
  all: StoredMessage[];
  received: StoredMessage[];
  delivered: number;
  once: Map<string, OnceKey & { time: number }>;
}

/** A throw-away hub's store: everything is gone when the process ends. */
export class MemoryStore implements HubStore {
  readonly #agents = new Map<string, AgentRecord>();
  readonly #byKeyHash = new Map<string, AgentRecord>();
  readonly #mailboxes = new Map<number, Mailbox>();
  readonly #watchers = new Watchers();
  #order: string[] | undefined;
  #lastSerial = 0;
  #lastId = 0;

  async close(): Promise<void> {}

  async readName(): Promise<undefined> {}
  async writeName(): Promise<void> {}

  async putAgent(agent: NewAgent, replacing: string | undefined): Promise<AgentRecord | 'changed'> {
    const folded = agent.id.toLowerCase();
    const known = this.#agents.get(folded);
    if (known?.keyHash !== replacing) return 'changed';
    const record = { ...agent, serial: known?.serial ?? ++this.#lastSerial };
    if (known) this.#byKeyHash.delete(known.keyHash);
    else this.#order = undefined;
    this.#agents.set(folded, record);
    this.#byKeyHash.set(record.keyHash, record);
    return record;
  }

  async findAgent(id: string): Promise<AgentRecord | undefined> {
    return this.#agents.get(id.toLowerCase());
  }

  async findAgentByKeyHash(hash: string): Promise<AgentRecord | undefined> {
    return this.#byKeyHash.get(hash);
  }

  async listAgents({ after, limit }: { after?: string | undefined; limit: number }) {
    this.#order ??= [...this.#agents.keys()].sort();
    const first =
      after === undefined ? 0 : indexAfter(this.#order, after.toLowerCase(), (it) => it);
    return this.#order
      .slice(first, first + limit)
      .flatMap((folded) => this.#agents.get(folded) ?? []);
  }

  async countAgents(): Promise<number> {
    return this.#agents.size;
  }

  async removeAgent(serial: number): Promise<boolean> {
    for (const [folded, record] of this.#agents) {
      if (record.serial !== serial) continue;
      this.#agents.delete(folded);
      this.#byKeyHash.delete(record.keyHash);
      this.#mailboxes.delete(serial);
      this.#order = undefined;
      return true;
    }
    return false;
  }

  async append(message: NewMessage): Promise<Appended> {
    const { sender, receiver, once, maxWaiting, ...rest } = message;
    const [from, to] = [this.#mailbox(sender), this.#mailbox(receiver)];
    const earlier = once && from.once.get(once.key);
    if (earlier) {
      if (earlier.hash !== once.hash) return { result: 'conflict' };
      return { result: 'repeated', answer: earlier.answer };
    }
    if (countWaiting(to) >= maxWaiting) return { result: 'full' };
    if (once) from.once.set(once.key, { ...once, time: rest.time });
    const stored: StoredMessage = { ...rest, id: ++this.#lastId };
    for (const mailbox of new Set([from, to])) mailbox.all.push(stored);
    to.received.push(stored);
    this.#watchers.wake(receiver, [stored]);
    return { result: 'stored', id: stored.id };
  }

  async saveAnswer(sender: number, key: string, answer: string): Promise<void> {
    const { once } = this.#mailbox(sender);
    const known = once.get(key);
    if (known) once.set(key, { ...known, answer });
  }

  async since(page: { agent: number; after: number; limit: number; received?: boolean }) {
    const { all, received } = this.#mailbox(page.agent);
    const list = page.received ? received : all;
    const first = indexAfter(list, page.after, (message) => message.id);
    return list.slice(first, first + page.limit);
  }

  async lastId(): Promise<number> {
    return this.#lastId;
  }

  async delivered(agent: number): Promise<number> {
    return this.#mailbox(agent).delivered;
  }

  markDelivered(agent: number, id: number): void {
    const mailbox = this.#mailbox(agent);
    if (id <= this.#lastId) mailbox.delivered = Math.max(mailbox.delivered, id);
  }

  watch(agent: number, wake: Wake): () => void {
    return this.#watchers.add(agent, wake);
  }

  async prune(before: { messages: number; answers: number }): Promise<number> {
    const gone = new Set<number>();
    const isKept = (message: StoredMessage) => {
      if (message.time >= before.messages) return true;
      gone.add(message.id);
      return false;
    };
    for (const mailbox of this.#mailboxes.values()) {
      mailbox.all = mailbox.all.filter(isKept);
      mailbox.received = mailbox.received.filter(isKept);
      for (const [key, { time }] of mailbox.once) {
        if (time < before.answers) mailbox.once.delete(key);
      }
    }
    return gone.size;
  }

  #mailbox(agent: number): Mailbox {
    const known = this.#mailboxes.get(agent);
    if (known) return known;
    const created: Mailbox = { all: [], received: [], delivered: 0, once: new Map() };
    this.#mailboxes.set(agent, created);
    return created;
  }
}

function countWaiting({ received, delivered }: Mailbox): number {
  return received.length - indexAfter(received, delivered, (message) => message.id);
}

/** Where in an ordered list those begin whose key is greater. */
function indexAfter<Item, Key extends string | number>(
  list: readonly Item[],
  key: Key,
  keyOf: (item: Item) => Key,
): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (keyOf(list[middle] as Item) <= key) low = middle + 1;
    else high = middle;
  }
  return low;
}
