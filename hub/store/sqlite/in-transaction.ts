import type { SqliteDatabase } from '../../../cli/io/sqlite.ts';

/** All of it or nothing; on disk when it returns. */
export function inTransaction<Result>(database: SqliteDatabase, write: () => Result): Result {
  database.exec('BEGIN IMMEDIATE');
  try {
    const result = write();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    try {
      database.exec('ROLLBACK');
    } catch {
      // After some failures SQLite has done it already; what counts is the failure.
    }
    throw error;
  }
}
