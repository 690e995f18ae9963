import type { SqliteDatabase } from '../../../cli/io/sqlite.ts';
import type { AgentRecord, NewAgent } from '../hub-store.ts';

interface AgentRow {
  serial: number;
  id: string;
  card: string | null;
  endpoint: string | null;
  key_hash: string;
  registered_at: number;
}

const COLUMNS = 'serial, id, card, endpoint, key_hash, registered_at';
const MAX_CACHED = 20_000;

/** The agents. The hub is the only writer, so what was read once stays true until it writes. */
export class AgentTable {
  readonly #database: SqliteDatabase;
  readonly #byId;
  readonly #byKeyHash;
  readonly #cachedById = new Map<string, AgentRecord>();
  readonly #cachedByKeyHash = new Map<string, AgentRecord>();

  constructor(database: SqliteDatabase) {
    this.#database = database;
    this.#byId = database.prepare(`SELECT ${COLUMNS} FROM agents WHERE folded = ?`);
    this.#byKeyHash = database.prepare(`SELECT ${COLUMNS} FROM agents WHERE key_hash = ?`);
  }

  find(id: string): AgentRecord | undefined {
    const folded = id.toLowerCase();
    return this.#cachedById.get(folded) ?? this.#remember(this.#byId.get(folded));
  }

  findByKeyHash(hash: string): AgentRecord | undefined {
    return this.#cachedByKeyHash.get(hash) ?? this.#remember(this.#byKeyHash.get(hash));
  }

  put(agent: NewAgent, replacing: string | undefined): AgentRecord | 'changed' {
    const { id, endpoint, keyHash, registeredAt } = agent;
    const known = this.find(id);
    if (known?.keyHash !== replacing) return 'changed';
    const card = agent.card === null ? null : JSON.stringify(agent.card);
    if (known === undefined) {
      this.#database
        .prepare(
          'INSERT INTO agents (folded, id, card, endpoint, key_hash, registered_at) VALUES (?, ?, ?, ?, ?, ?)',
        )
        .run(id.toLowerCase(), id, card, endpoint, keyHash, registeredAt);
    } else {
      this.#database
        .prepare('UPDATE agents SET card = ?, endpoint = ?, key_hash = ? WHERE serial = ?')
        .run(card, endpoint, keyHash, known.serial);
      this.#forget(known);
    }
    const record = this.find(id);
    if (record === undefined) throw new Error('an agent was stored and is not there');
    return record;
  }

  list(after: string | undefined, limit: number): AgentRecord[] {
    return this.#database
      .prepare(`SELECT ${COLUMNS} FROM agents WHERE folded > ? ORDER BY folded LIMIT ?`)
      .all(after?.toLowerCase() ?? '', limit)
      .map((row) => toRecord(row as AgentRow));
  }

  count(): number {
    const row = this.#database.prepare('SELECT count(*) AS count FROM agents').get();
    return (row as { count: number }).count;
  }

  remove(serial: number): boolean {
    const row = this.#database
      .prepare(`SELECT ${COLUMNS} FROM agents WHERE serial = ?`)
      .get(serial);
    if (row === undefined) return false;
    this.#forget(toRecord(row as AgentRow));
    this.#database.prepare('DELETE FROM agents WHERE serial = ?').run(serial);
    return true;
  }

  #remember(row: unknown): AgentRecord | undefined {
    if (row === undefined) return undefined;
    if (this.#cachedById.size >= MAX_CACHED) {
      this.#cachedById.clear();
      this.#cachedByKeyHash.clear();
    }
    const record = toRecord(row as AgentRow);
    this.#cachedById.set(record.id.toLowerCase(), record);
    this.#cachedByKeyHash.set(record.keyHash, record);
    return record;
  }

  #forget({ id, keyHash }: AgentRecord): void {
    this.#cachedById.delete(id.toLowerCase());
    this.#cachedByKeyHash.delete(keyHash);
  }
}

function toRecord(row: AgentRow): AgentRecord {
  return {
    serial: row.serial,
    id: row.id,
    card: row.card === null ? null : JSON.parse(row.card),
    endpoint: row.endpoint,
    keyHash: row.key_hash,
    registeredAt: row.registered_at,
  };
}
