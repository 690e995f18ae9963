import { createRequire } from 'node:module';
import path from 'node:path';

/** What node:sqlite and libsql have in common, and all that we use of them. */
export interface SqliteDatabase {
  exec(sql: string): void;
  prepare(sql: string): SqliteStatement;
  close(): void;
}
interface SqliteStatement {
  run(...values: SqliteValue[]): { changes: number | bigint; lastInsertRowid: number | bigint };
  get(...values: SqliteValue[]): unknown;
  all(...values: SqliteValue[]): unknown[];
}
type SqliteValue = string | number | null;

export type OpenSqlite = (file: string) => SqliteDatabase;

/** Node's own SQLite, else libsql where it is installed; nothing where neither is there. */
export function loadSqlite(packageRoot: string): OpenSqlite | undefined {
  const require = createRequire(path.join(packageRoot, 'package.json'));
  const builtIn = quietly(() => tryTo(() => require('node:sqlite')));
  if (builtIn !== undefined) return (file) => new builtIn.DatabaseSync(file);
  const Libsql = tryTo(() => require('libsql'));
  return Libsql && ((file) => new Libsql(file));
}

export function nodeVersion(): string {
  return process.versions.node;
}

/** Whether another process holds the lock that was asked for. */
export function isBusy(error: unknown): boolean {
  return /database is locked/.test(String((error as Error | undefined)?.message));
}

/** Whether the file is no database, or is one no more. */
export function isDamaged(error: unknown): boolean {
  return /not a database|malformed/.test(String((error as Error | undefined)?.message));
}

// biome-ignore lint/suspicious/noExplicitAny: modules that may not be there have no types here
function tryTo(load: () => any): any {
  try {
    return load();
  } catch {
    return undefined;
  }
}

/** Node warns that its SQLite is experimental; whoever runs a hub can do nothing about it. */
function quietly<Result>(load: () => Result): Result {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return load();
  } finally {
    process.emitWarning = emitWarning;
  }
}
