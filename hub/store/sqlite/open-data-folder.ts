import path from 'node:path';
import { CliError } from '../../../cli/errors.ts';
import { errnoOf, type FileSystem, toFileError } from '../../../cli/io/files.ts';
import { isBusy, isDamaged, type OpenSqlite, type SqliteDatabase } from '../../../cli/io/sqlite.ts';
import { FORMAT, migrate, readFormat } from './migrations.ts';

const DATABASE_FILE = 'hub.db';
const LOCK_FILE = 'hub.lock';

export interface DataFolder {
  database: SqliteDatabase;
  close(): void;
}

/** Opens the database of a folder for this process alone, in the present format. */
export function openDataFolder(fs: FileSystem, folder: string, open: OpenSqlite): DataFolder {
  try {
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    // A folder that is there already is no failure.
    if (errnoOf(error) === 'EEXIST') throw new CliError('not-a-folder', { path: folder }, error);
    throw toFileError(error, folder);
  }
  const lock = takeLock(folder, open);
  const file = path.join(folder, DATABASE_FILE);
  let database: SqliteDatabase | undefined;
  try {
    database = open(file);
    assertKnown(database, file);
    // A message changes the ends of two agents' indexes: smaller pages, a third less to write.
    database.exec('PRAGMA page_size = 2048');
    database.exec('PRAGMA journal_mode = WAL');
    database.exec('PRAGMA synchronous = FULL');
    // A larger log is moved into the database less often: fewer long commits.
    database.exec('PRAGMA wal_autocheckpoint = 8000');
    migrate(database);
    for (const suffix of ['', '-wal', '-shm']) protect(fs, file + suffix);
    // Whoever may read it could lock it.
    protect(fs, path.join(folder, LOCK_FILE));
  } catch (error) {
    database?.close();
    lock.close();
    if (error instanceof CliError) throw error;
    throw toDataError(error, file);
  }
  const opened = database;
  return {
    database: opened,
    close: () => {
      opened.close();
      lock.close();
    },
  };
}

/**
 * A lock of its own, which the system takes back from a process that was killed. Not on the
 * database itself: that stays readable for backups.
 */
function takeLock(folder: string, open: OpenSqlite): SqliteDatabase {
  let lock: SqliteDatabase | undefined;
  try {
    lock = open(path.join(folder, LOCK_FILE));
    lock.exec('PRAGMA busy_timeout = 0');
    lock.exec('BEGIN EXCLUSIVE');
    return lock;
  } catch (error) {
    lock?.close();
    if (isBusy(error)) throw new CliError('hub-data-busy', { path: folder }, error);
    throw toDataError(error, path.join(folder, LOCK_FILE));
  }
}

function toDataError(error: unknown, file: string): CliError {
  const detail = error instanceof Error ? error.message : String(error);
  const code = isDamaged(error) ? 'hub-data-damaged' : 'hub-data-unusable';
  return new CliError(code, { path: file, detail }, error);
}

function assertKnown(database: SqliteDatabase, file: string): void {
  const found = readFormat(database);
  if (found > FORMAT) throw new CliError('hub-data-newer', { path: file, found, known: FORMAT });
}

/** Messages are for nobody else on the machine. */
function protect(fs: FileSystem, file: string): void {
  if (fs.statSync(file, { throwIfNoEntry: false })) fs.chmodSync(file, 0o600);
}
