import type { SqliteDatabase } from '../../../cli/io/sqlite.ts';
import { inTransaction } from './in-transaction.ts';

interface Waiting<Item, Result> {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

/** What is written together: the items that arrived in one turn of the event loop. */
export interface Batch<Item, Result> {
  /** Within the transaction. */
  write(item: Item): Result;
  /** Once it is on disk, before anybody is told. */
  committed(done: readonly { item: Item; result: Result }[]): void;
}

/** Writes that arrive together share one transaction, and so one wait for the disk. */
export class GroupCommit<Item, Result> {
  readonly #batch: Batch<Item, Result>;
  readonly #database: SqliteDatabase;
  #waiting: Waiting<Item, Result>[] = [];

  constructor(database: SqliteDatabase, batch: Batch<Item, Result>) {
    this.#batch = batch;
    this.#database = database;
  }

  /** Resolves once it is on disk. */
  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      // After the requests that the system has ready just now.
      if (this.#waiting.length === 0) setImmediate(() => this.flush());
      this.#waiting.push({ item, resolve, reject });
    });
  }

  flush(): void {
    const waiting = this.#waiting;
    if (waiting.length === 0) return;
    this.#waiting = [];
    let done: { item: Item; result: Result }[];
    try {
      done = inTransaction(this.#database, () =>
        waiting.map(({ item }) => ({ item, result: this.#batch.write(item) })),
      );
    } catch (error) {
      for (const { reject } of waiting) reject(error);
      return;
    }
    this.#batch.committed(done);
    for (const [index, { resolve }] of waiting.entries()) {
      resolve((done[index] as { result: Result }).result);
    }
  }
}
