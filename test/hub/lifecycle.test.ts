import path from 'node:path';
import fs from 'fs-extra';
import { describe, expect, it } from 'vitest';
import { loadSqlite, type SqliteDatabase } from '../../cli/io/sqlite.ts';
import { makeFolder, root, runBinary } from '../run-binary.ts';
import { call, openInbox, register, send } from './hub-api.ts';
import { startHub } from './start-hub.ts';

const KEYS = { alice: 'ca_alice-of-format-1', bob: 'ca_bob-of-format-1' };

function openDatabase(file: string): SqliteDatabase {
  const open = loadSqlite(root);
  if (open === undefined) throw new Error('no SQLite here');
  return open(file);
}

describe('ending', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)(
    'by %s with 1,000 open inboxes takes under 3 seconds and exits 0',
    async (signal) => {
      const hub = await startHub({ args: ['--max-inboxes', '2000', '--data', await makeFolder()] });
      const alice = await register(hub.url, 'alice');
      const inboxes = [];
      for (let index = 0; index < 1000; index += 100) {
        const opening = Array.from({ length: 100 }, () => openInbox(hub.url, alice.key));
        inboxes.push(...(await Promise.all(opening)));
      }
      await send(hub.url, alice, 'alice', 'last');
      const started = performance.now();
      const exitCode = await hub.stop(signal);
      expect(performance.now() - started).toBeLessThan(3000);
      expect(exitCode).toBe(0);
      for (const inbox of inboxes) {
        await inbox.ended;
        expect(await inbox.messages(1)).toHaveLength(1);
      }
    },
  );

  it('does not wait for a client that never finishes its request', async () => {
    const hub = await startHub();
    const { hostname, port } = new URL(hub.url);
    const net = await import('node:net');
    const socket = net.connect(Number(port), hostname);
    socket.on('error', () => {});
    await new Promise((resolve) => socket.once('connect', resolve));
    socket.write('POST /register HTTP/1.1\r\nHost: h\r\nContent-Length: 100\r\n\r\n{');
    await call(hub.url, 'GET', '/health');
    const started = performance.now();
    expect(await hub.stop()).toBe(0);
    expect(performance.now() - started).toBeLessThan(3000);
  });
});

describe('a hub with --memory', () => {
  it('tells an agent that it has forgotten how it comes back', async () => {
    const cwd = await makeFolder();
    const run = (url: string, ...args: string[]) =>
      runBinary(['register', 'lin', '--hub', url, '--culture', 'zh-CN', '--yes', ...args], { cwd });
    const first = await startHub();
    expect(await run(first.url)).toMatchObject({ exitCode: 0 });
    await first.stop();
    const { url } = await startHub({ args: ['--port', new URL(first.url).port] });
    const { stdout } = await runBinary(['send', 'lin', 'hello', '--json'], { cwd });
    expect(stdout).toContain('a hub with --memory forgets its agents when it ends');
    expect(await run(url, '--new-identity')).toMatchObject({ exitCode: 0 });
    expect(await runBinary(['send', 'lin', 'hello'], { cwd })).toMatchObject({ exitCode: 0 });
  });
});

describe('a data folder', () => {
  it('keeps everything over a restart', async () => {
    const data = await makeFolder();
    const args = ['--data', data, '--name', 'hub.example'];
    const first = await startHub({ args });
    const alice = await register(first.url, 'alice');
    await send(first.url, alice, 'alice', 'kept', { 'Idempotency-Key': 'k' });
    expect(await first.stop()).toBe(0);
    // The name was settled by the first start.
    const second = await startHub({ args: ['--data', data] });
    expect(second.name).toBe('hub.example');
    const repeat = await send(second.url, alice, 'alice', 'kept', { 'Idempotency-Key': 'k' });
    expect(repeat.status).toBe(202);
    const inbox = await openInbox(second.url, alice.key);
    expect((await inbox.messages(1)).map(({ text }) => text)).toEqual(['kept']);
    inbox.close();
  });

  it('is for nobody else to read', async () => {
    const data = path.join(await makeFolder(), 'new/data');
    const { url } = await startHub({ args: ['--data', data] });
    await register(url, 'alice');
    const mode = async (file: string) => (await fs.stat(file)).mode & 0o077;
    expect(await mode(data)).toBe(0);
    expect(await mode(path.join(data, 'hub.db'))).toBe(0);
    expect(await mode(path.join(data, 'hub.db-wal'))).toBe(0);
    expect(await mode(path.join(data, 'hub.lock'))).toBe(0);
  });

  it('is for one hub at a time, and free again when that was killed', async () => {
    const data = await makeFolder();
    const hub = await startHub({ args: ['--data', data] });
    const args = ['hub', '--port', '0', '--json', '--data', data];
    const { exitCode, stdout } = await runBinary(args, { cwd: data });
    expect(exitCode).toBe(1);
    expect(JSON.parse(stdout).error).toMatchObject({ code: 'hub-data-busy' });
    await hub.kill();
    const { url } = await startHub({ args: ['--data', data] });
    expect((await call(url, 'GET', '/health')).status).toBe(200);
  });

  it('is not taken by a hub whose addresses end differently', async () => {
    const data = await makeFolder();
    const hub = await startHub({ args: ['--data', data] });
    await register(hub.url, 'alice');
    await hub.stop();
    const args = ['hub', '--port', '0', '--json', '--data', data, '--name', 'other.example'];
    const { exitCode, stdout } = await runBinary(args, { cwd: data });
    expect(exitCode).toBe(2);
    expect(JSON.parse(stdout).error).toMatchObject({ code: 'hub-name-changed' });
  });

  it('of a newer version is refused and left alone', async () => {
    const data = await makeFolder();
    const file = path.join(data, 'hub.db');
    const database = openDatabase(file);
    database.exec('CREATE TABLE future (x)');
    database.exec('PRAGMA user_version = 99');
    database.close();
    const before = await fs.readFile(file);
    const args = ['hub', '--port', '0', '--json', '--data', data];
    const { exitCode, stdout } = await runBinary(args, { cwd: data });
    expect(exitCode).toBe(1);
    expect(JSON.parse(stdout).error).toMatchObject({ code: 'hub-data-newer', args: { found: 99 } });
    expect(await fs.readFile(file)).toEqual(before);
  });

  it('whose database cannot be opened is refused, and not called damaged', async () => {
    const data = await makeFolder();
    await fs.mkdir(path.join(data, 'hub.db'));
    const args = ['hub', '--port', '0', '--json', '--data', data];
    const { exitCode, stdout } = await runBinary(args, { cwd: data });
    expect(exitCode).toBe(1);
    expect(JSON.parse(stdout).error).toMatchObject({ code: 'hub-data-unusable' });
  });

  it('with something else in it is refused', async () => {
    const data = await makeFolder();
    await fs.writeFile(path.join(data, 'hub.db'), 'this is no database, but long enough for one');
    const chinese = await runBinary(['hub', '--port', '0', '--data', data, '--ui-lang', 'zh-CN'], {
      cwd: data,
    });
    expect(chinese.stderr).toContain('hub.db 已损坏，或不是 hub 的数据库。');
    const args = ['hub', '--port', '0', '--json', '--data', data];
    const { exitCode, stdout } = await runBinary(args, { cwd: data });
    expect(exitCode).toBe(1);
    expect(JSON.parse(stdout).error).toMatchObject({ code: 'hub-data-damaged' });
  });

  it('of format 1 is brought up to date, with all that is in it', async () => {
    const data = await makeFolder();
    await fs.copy(path.join(root, 'test/fixtures/hub/format-1.db'), path.join(data, 'hub.db'));
    const { url, name } = await startHub({ args: ['--data', data] });
    expect(name).toBe('old.example');
    const alice = { id: 'Alice@old.example', key: KEYS.alice };
    const inbox = await openInbox(url, KEYS.bob);
    expect((await inbox.messages(1))[0]?.text).toBe('still waiting');
    inbox.close();
    const sent = await send(url, alice, 'bob', 'new', { 'Idempotency-Key': 'k' });
    expect(sent.status).toBeLessThan(300);
    const { json } = await call(url, 'GET', '/agent/messages', { key: KEYS.bob });
    expect(json.data.map((it: { id: number }) => it.id)).toEqual([1, 2, 3]);
  });
});
