import { createRequire } from 'node:module';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { loadSqlite } from '../../cli/io/sqlite.ts';

/**
 * The least that could be called a hub: a key looked up, a row inserted, a commit shared by those
 * who wait, on disk before the answer. What ours costs more, it does more.
 */
const file = process.argv[2] ?? '';
const root = createRequire(import.meta.url).resolve('../../package.json');
const database = loadSqlite(root.replace(/package\.json$/, ''))?.(file);
if (database === undefined) throw new Error('no SQLite');
database.exec('PRAGMA journal_mode = WAL');
database.exec('PRAGMA synchronous = FULL');
database.exec('CREATE TABLE messages (id INTEGER PRIMARY KEY, receiver TEXT, envelope TEXT)');
const insert = database.prepare('INSERT INTO messages (receiver, envelope) VALUES (?, ?)');
const begin = database.prepare('BEGIN');
const commit = database.prepare('COMMIT');
const keys = new Map((process.argv[3] ?? '').split(',').map((key) => [`Bearer ${key}`, key]));

let waiting: { body: { receiver_id: string; envelope: object }; resolve: () => void }[] = [];
function flush(): void {
  const batch = waiting;
  waiting = [];
  begin.run();
  for (const { body } of batch) insert.run(body.receiver_id, JSON.stringify(body.envelope));
  commit.run();
  for (const { resolve } of batch) resolve();
}

const app = new Hono();
app.post('/messages', async (context) => {
  if (!keys.has(context.req.header('Authorization') ?? '')) return context.text('', 401);
  const body = await context.req.json();
  await new Promise<void>((resolve) => {
    if (waiting.length === 0) setImmediate(flush);
    waiting.push({ body, resolve });
  });
  return context.json({ success: true, data: { delivery: 'queued' } });
});
serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => {
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${port}` })}\n`);
});
