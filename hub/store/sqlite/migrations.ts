import type { SqliteDatabase } from '../../../cli/io/sqlite.ts';
import { inTransaction } from './in-transaction.ts';

/**
 * What makes each format out of the one before; the first out of an empty file. A released
 * one is never changed: stored databases are in it.
 */
const MIGRATIONS: readonly string[] = [
  `CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
   CREATE TABLE agents (
     serial INTEGER PRIMARY KEY AUTOINCREMENT,
     folded TEXT NOT NULL UNIQUE,
     id TEXT NOT NULL,
     card TEXT,
     endpoint TEXT,
     key_hash TEXT NOT NULL UNIQUE,
     registered_at INTEGER NOT NULL,
     delivered INTEGER NOT NULL DEFAULT 0
   );
   CREATE TABLE messages (
     id INTEGER PRIMARY KEY AUTOINCREMENT,
     sender INTEGER NOT NULL,
     receiver INTEGER NOT NULL,
     trace_id TEXT NOT NULL,
     sender_id TEXT NOT NULL,
     receiver_id TEXT NOT NULL,
     envelope TEXT NOT NULL,
     time INTEGER NOT NULL
   );
   CREATE INDEX messages_sender ON messages (sender);
   CREATE INDEX messages_receiver ON messages (receiver);`,
  `CREATE TABLE once (
     sender INTEGER NOT NULL,
     key TEXT NOT NULL,
     hash TEXT NOT NULL,
     answer TEXT NOT NULL,
     time INTEGER NOT NULL,
     PRIMARY KEY (sender, key)
   ) WITHOUT ROWID;
   CREATE INDEX once_time ON once (time);`,
];

export const FORMAT = MIGRATIONS.length;

export function readFormat(database: SqliteDatabase): number {
  const row = database.prepare('PRAGMA user_version').get() as { user_version: number };
  return row.user_version;
}

/** Brings an older database to the present format, all or nothing. */
export function migrate(database: SqliteDatabase): void {
  const found = readFormat(database);
  if (found >= FORMAT) return;
  inTransaction(database, () => {
    for (const sql of MIGRATIONS.slice(found)) database.exec(sql);
    database.exec(`PRAGMA user_version = ${FORMAT}`);
  });
}
