import type { SqliteDatabase } from '../../../cli/io/sqlite.ts';
import type { Appended, NewMessage, StoredMessage } from '../hub-store.ts';

interface MessageRow {
  id: number;
  trace_id: string;
  sender_id: string;
  receiver_id: string;
  envelope: string;
  time: number;
}

const COLUMNS = 'id, trace_id, sender_id, receiver_id, envelope, time';
const PRUNE_STEP = 1000;

/** The messages, and what was answered to requests that may be repeated. */
export class MessageTable {
  readonly #database: SqliteDatabase;
  readonly #insert;
  readonly #findOnce;
  readonly #insertOnce;
  readonly #received;
  readonly #all;

  constructor(database: SqliteDatabase) {
    this.#database = database;
    this.#insert = database.prepare(
      'INSERT INTO messages (sender, receiver, trace_id, sender_id, receiver_id, envelope, time) VALUES (?, ?, ?, ?, ?, ?, ?)',
    );
    this.#findOnce = database.prepare('SELECT hash, answer FROM once WHERE sender = ? AND key = ?');
    this.#insertOnce = database.prepare(
      'INSERT INTO once (sender, key, hash, answer, time) VALUES (?, ?, ?, ?, ?)',
    );
    this.#received = database.prepare(
      `SELECT ${COLUMNS} FROM messages WHERE receiver = ? AND id > ? ORDER BY id LIMIT ?`,
    );
    // Each side by its own index, so that the time does not depend on how many there are.
    const ids = (side: string) =>
      `SELECT id FROM (SELECT id FROM messages WHERE ${side} = ? AND id > ? ORDER BY id LIMIT ?)`;
    this.#all = database.prepare(
      `SELECT ${COLUMNS} FROM messages WHERE id IN (${ids('receiver')} UNION ${ids('sender')}) ORDER BY id LIMIT ?`,
    );
  }

  /** Part of the transaction that is open. `hasRoom`: whether the receiver's mailbox takes more. */
  append(message: NewMessage, hasRoom: boolean): Appended {
    const { sender, receiver, traceId, senderId, receiverId, envelope, time, once } = message;
    const earlier =
      once &&
      (this.#findOnce.get(sender, once.key) as { hash: string; answer: string } | undefined);
    if (earlier !== undefined) {
      if (earlier.hash !== once?.hash) return { result: 'conflict' };
      return { result: 'repeated', answer: earlier.answer };
    }
    if (!hasRoom) return { result: 'full' };
    if (once) this.#insertOnce.run(sender, once.key, once.hash, once.answer, time);
    const { lastInsertRowid } = this.#insert.run(
      sender,
      receiver,
      traceId,
      senderId,
      receiverId,
      envelope,
      time,
    );
    return { result: 'stored', id: Number(lastInsertRowid) };
  }

  saveAnswer(sender: number, key: string, answer: string): void {
    this.#database
      .prepare('UPDATE once SET answer = ? WHERE sender = ? AND key = ?')
      .run(answer, sender, key);
  }

  received(agent: number, after: number, limit: number): StoredMessage[] {
    return this.#received.all(agent, after, limit).map(toMessage);
  }

  sentAndReceived(agent: number, after: number, limit: number): StoredMessage[] {
    return this.#all.all(agent, after, limit, agent, after, limit, limit).map(toMessage);
  }

  countReceived(agent: number, after: number): number {
    const row = this.#database
      .prepare('SELECT count(*) AS count FROM messages WHERE receiver = ? AND id > ?')
      .get(agent, after);
    return (row as { count: number }).count;
  }

  lastId(): number {
    const row = this.#database
      .prepare("SELECT seq FROM sqlite_sequence WHERE name = 'messages'")
      .get();
    return (row as { seq: number } | undefined)?.seq ?? 0;
  }

  forgetSender(agent: number): void {
    this.#database.prepare('DELETE FROM once WHERE sender = ?').run(agent);
  }

  /** A step of it, oldest first; fewer than were looked at means that it is done. */
  pruneStep(before: { messages: number; answers: number }): { deleted: number; isDone: boolean } {
    const { changes } = this.#database
      .prepare(
        `DELETE FROM messages WHERE id IN (SELECT id FROM (SELECT id, time FROM messages ORDER BY id LIMIT ${PRUNE_STEP}) WHERE time < ?)`,
      )
      .run(before.messages);
    const answers = this.#database
      .prepare(
        `DELETE FROM once WHERE (sender, key) IN (SELECT sender, key FROM once WHERE time < ? ORDER BY time LIMIT ${PRUNE_STEP})`,
      )
      .run(before.answers);
    const deleted = Number(changes);
    return { deleted, isDone: deleted < PRUNE_STEP && Number(answers.changes) < PRUNE_STEP };
  }
}

function toMessage(it: unknown): StoredMessage {
  const row = it as MessageRow;
  return {
    id: row.id,
    traceId: row.trace_id,
    senderId: row.sender_id,
    receiverId: row.receiver_id,
    envelope: row.envelope,
    time: row.time,
  };
}
