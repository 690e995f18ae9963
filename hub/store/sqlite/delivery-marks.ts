import type { SqliteDatabase } from '../../../cli/io/sqlite.ts';
import { inTransaction } from './in-transaction.ts';

const SAVE_AFTER_MS = 1000;

interface Mark {
  delivered: number;
  /** At most so many messages wait; exact only after a count. */
  waiting: number;
}

/** Up to where each agent has its messages. Saved now and then: after a crash some come twice. */
export class DeliveryMarks {
  readonly #database: SqliteDatabase;
  readonly #count: (agent: number, after: number) => number;
  readonly #marks = new Map<number, Mark>();
  readonly #unsaved = new Set<number>();
  #timer: NodeJS.Timeout | undefined;

  constructor(database: SqliteDatabase, count: (agent: number, after: number) => number) {
    this.#database = database;
    this.#count = count;
  }

  delivered(agent: number): number {
    return this.#mark(agent).delivered;
  }

  move(agent: number, id: number): void {
    const mark = this.#mark(agent);
    if (id <= mark.delivered) return;
    mark.delivered = id;
    this.#unsaved.add(agent);
    this.#timer ??= setTimeout(() => this.save(), SAVE_AFTER_MS);
  }

  added(agent: number): void {
    this.#mark(agent).waiting += 1;
  }

  hasRoom(agent: number, limit: number): boolean {
    const mark = this.#mark(agent);
    if (mark.waiting >= limit) mark.waiting = this.#count(agent, mark.delivered);
    return mark.waiting < limit;
  }

  forget(agent: number): void {
    this.#marks.delete(agent);
    this.#unsaved.delete(agent);
  }

  save(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#unsaved.size === 0) return;
    try {
      inTransaction(this.#database, () => {
        const update = this.#database.prepare('UPDATE agents SET delivered = ? WHERE serial = ?');
        for (const agent of this.#unsaved) update.run(this.delivered(agent), agent);
      });
      this.#unsaved.clear();
    } catch {
      // A full disk, say. They are saved with the next that move; at worst messages come twice.
    }
  }

  #mark(agent: number): Mark {
    const known = this.#marks.get(agent);
    if (known !== undefined) return known;
    const row = this.#database.prepare('SELECT delivered FROM agents WHERE serial = ?').get(agent);
    const delivered = (row as { delivered: number } | undefined)?.delivered ?? 0;
    const mark = { delivered, waiting: this.#count(agent, delivered) };
    this.#marks.set(agent, mark);
    return mark;
  }
}
