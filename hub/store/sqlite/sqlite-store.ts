import type { FileSystem } from '../../../cli/io/files.ts';
import type { OpenSqlite, SqliteDatabase } from '../../../cli/io/sqlite.ts';
import type {
  AgentRecord,
  Appended,
  HubStore,
  NewAgent,
  NewMessage,
  StoredMessage,
  Wake,
} from '../hub-store.ts';
import { Watchers } from '../watchers.ts';
import { AgentTable } from './agent-table.ts';
import { DeliveryMarks } from './delivery-marks.ts';
import { GroupCommit } from './group-commit.ts';
import { MessageTable } from './message-table.ts';
import { type DataFolder, openDataFolder } from './open-data-folder.ts';

/** One machine's durable store: what is acknowledged is on disk. */
export class SqliteStore implements HubStore {
  readonly #folder: DataFolder;
  readonly #database: SqliteDatabase;
  readonly #agents: AgentTable;
  readonly #messages: MessageTable;
  readonly #marks: DeliveryMarks;
  readonly #appends: GroupCommit<NewMessage, Appended>;
  readonly #watchers = new Watchers();
  #lastId: number;

  constructor(fs: FileSystem, folder: string, open: OpenSqlite) {
    this.#folder = openDataFolder(fs, folder, open);
    this.#database = this.#folder.database;
    this.#agents = new AgentTable(this.#database);
    this.#messages = new MessageTable(this.#database);
    this.#marks = new DeliveryMarks(this.#database, (agent, after) =>
      this.#messages.countReceived(agent, after),
    );
    this.#lastId = this.#messages.lastId();
    this.#appends = new GroupCommit(this.#database, {
      write: (message) => this.#write(message),
      committed: (done) => this.#committed(done),
    });
  }

  async close(): Promise<void> {
    this.#appends.flush();
    this.#marks.save();
    this.#folder.close();
  }

  async readName(): Promise<string | undefined> {
    const row = this.#database.prepare("SELECT value FROM meta WHERE name = 'name'").get();
    return (row as { value: string } | undefined)?.value;
  }

  async writeName(name: string): Promise<void> {
    this.#database
      .prepare("INSERT OR REPLACE INTO meta (name, value) VALUES ('name', ?)")
      .run(name);
  }

  async putAgent(agent: NewAgent, replacing: string | undefined): Promise<AgentRecord | 'changed'> {
    return this.#agents.put(agent, replacing);
  }

  async findAgent(id: string): Promise<AgentRecord | undefined> {
    return this.#agents.find(id);
  }

  async findAgentByKeyHash(hash: string): Promise<AgentRecord | undefined> {
    return this.#agents.findByKeyHash(hash);
  }

  async listAgents(page: { after?: string | undefined; limit: number }): Promise<AgentRecord[]> {
    return this.#agents.list(page.after, page.limit);
  }

  async countAgents(): Promise<number> {
    return this.#agents.count();
  }

  async removeAgent(serial: number): Promise<boolean> {
    this.#messages.forgetSender(serial);
    this.#marks.forget(serial);
    return this.#agents.remove(serial);
  }

  append(message: NewMessage): Promise<Appended> {
    return this.#appends.add(message);
  }

  async saveAnswer(sender: number, key: string, answer: string): Promise<void> {
    this.#messages.saveAnswer(sender, key, answer);
  }

  async since(page: {
    agent: number;
    after: number;
    limit: number;
    received?: boolean;
  }): Promise<StoredMessage[]> {
    const { agent, after, limit, received } = page;
    return received
      ? this.#messages.received(agent, after, limit)
      : this.#messages.sentAndReceived(agent, after, limit);
  }

  async lastId(): Promise<number> {
    return this.#lastId;
  }

  async delivered(agent: number): Promise<number> {
    return this.#marks.delivered(agent);
  }

  markDelivered(agent: number, id: number): void {
    if (id <= this.#lastId) this.#marks.move(agent, id);
  }

  watch(agent: number, wake: Wake): () => void {
    return this.#watchers.add(agent, wake);
  }

  async prune(before: { messages: number; answers: number }): Promise<number> {
    let pruned = 0;
    for (;;) {
      const { deleted, isDone } = this.#messages.pruneStep(before);
      pruned += deleted;
      if (isDone) return pruned;
      // Others get their turn between the steps.
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  #write(message: NewMessage): Appended {
    const { receiver, maxWaiting } = message;
    const appended = this.#messages.append(message, this.#marks.hasRoom(receiver, maxWaiting));
    if (appended.result === 'stored') this.#marks.added(receiver);
    return appended;
  }

  #committed(done: readonly { item: NewMessage; result: Appended }[]): void {
    const stored = new Map<number, StoredMessage[]>();
    for (const { item, result } of done) {
      if (result.result !== 'stored') continue;
      this.#lastId = result.id;
      const message = { ...item, id: result.id };
      const others = stored.get(item.receiver);
      if (others === undefined) stored.set(item.receiver, [message]);
      else others.push(message);
    }
    for (const [receiver, messages] of stored) this.#watchers.wake(receiver, messages);
  }
}
