import fs from 'node:fs';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { loadSqlite } from '../../cli/io/sqlite.ts';
import type { HubStore, NewMessage, StoredMessage } from '../../hub/store/hub-store.ts';
import { MemoryStore } from '../../hub/store/memory-store.ts';
import { SqliteStore } from '../../hub/store/sqlite/sqlite-store.ts';
import { makeFolder, root } from '../run-binary.ts';

const STORES: Record<string, () => Promise<HubStore>> = {
  memory: async () => new MemoryStore(),
  sqlite: async () => {
    const open = loadSqlite(root);
    if (open === undefined) throw new Error('no SQLite here');
    return new SqliteStore(fs, await makeFolder(), open);
  },
};

/** A disk that can be full: nothing is committed then. */
async function createOnFullDisk() {
  const open = loadSqlite(root);
  if (open === undefined) throw new Error('no SQLite here');
  const disk = { isFull: false };
  const openOnDisk = (file: string) => {
    const database = open(file);
    const exec = (sql: string) => {
      if (disk.isFull && sql === 'COMMIT') throw new Error('database or disk is full');
      database.exec(sql);
    };
    const prepare = (sql: string) => database.prepare(sql);
    return { exec, prepare, close: () => database.close() };
  };
  return { disk, store: new SqliteStore(fs, await makeFolder(), openOnDisk) };
}

const agent = (id: string, more: object = {}) => ({
  id,
  card: null,
  endpoint: null,
  keyHash: `hash of ${id}`,
  registeredAt: 1,
  ...more,
});
let traces = 0;
const message = (sender: number, receiver: number, more: Partial<NewMessage> = {}): NewMessage => ({
  traceId: `trace-${++traces}`,
  sender,
  senderId: `${sender}@h`,
  receiver,
  receiverId: `${receiver}@h`,
  envelope: '{}',
  time: 1000,
  maxWaiting: 1000,
  ...more,
});

describe.each(Object.entries(STORES))('the %s store', (_, create) => {
  const open = async () => {
    const store = await create();
    onTestFinished(() => store.close());
    return store;
  };
  const put = async (store: HubStore, id: string) => {
    const record = await store.putAgent(agent(id), undefined);
    if (record === 'changed') throw new Error('changed');
    return record.serial;
  };
  const append = async (store: HubStore, it: NewMessage) => {
    const result = await store.append(it);
    return result.result === 'stored' ? result.id : result;
  };

  it('knows an agent by id in any case and by key, and replaces only what it is told to', async () => {
    const store = await open();
    const serial = await put(store, 'Alice@h');
    expect(await store.findAgent('aLICE@H')).toMatchObject({ serial, id: 'Alice@h' });
    expect(await store.putAgent(agent('ALICE@h'), undefined)).toBe('changed');
    expect(await store.putAgent(agent('alice@h'), 'another hash')).toBe('changed');
    const renewed = agent('Alice@h', { keyHash: 'new', card: { user_culture: 'ja' } });
    expect(await store.putAgent(renewed, 'hash of Alice@h')).toMatchObject({ serial });
    expect(await store.findAgentByKeyHash('hash of Alice@h')).toBeUndefined();
    expect(await store.findAgentByKeyHash('new')).toMatchObject({ card: { user_culture: 'ja' } });
    expect(await store.countAgents()).toBe(1);
  });

  it('lists agents page by page, in order', async () => {
    const store = await open();
    for (const id of ['c@h', 'A@h', 'b@h']) await put(store, id);
    const first = await store.listAgents({ limit: 2 });
    expect(first.map(({ id }) => id)).toEqual(['A@h', 'b@h']);
    const rest = await store.listAgents({ after: 'B@h', limit: 2 });
    expect(rest.map(({ id }) => id)).toEqual(['c@h']);
  });

  it('gives a freed id a new mailbox', async () => {
    const store = await open();
    const [alice, bob] = [await put(store, 'alice@h'), await put(store, 'bob@h')];
    await store.append(message(alice, bob));
    expect(await store.removeAgent(bob)).toBe(true);
    expect(await store.removeAgent(bob)).toBe(false);
    const successor = await put(store, 'bob@h');
    expect(successor).not.toBe(bob);
    expect(await store.since({ agent: successor, after: 0, limit: 10 })).toEqual([]);
    expect(await store.since({ agent: alice, after: 0, limit: 10 })).toHaveLength(1);
  });

  it('reads what was sent and received after an id, in order, also what one sent oneself', async () => {
    const store = await open();
    const [alice, bob] = [await put(store, 'alice@h'), await put(store, 'bob@h')];
    const pairs = [
      [alice, bob],
      [bob, alice],
      [alice, alice],
      [bob, bob],
    ] as const;
    const ids = await Promise.all(pairs.map(([from, to]) => append(store, message(from, to))));
    const read = async (after: number, limit: number, received = false) =>
      (await store.since({ agent: alice, after, limit, received })).map(({ id }) => id);
    expect(await read(0, 10)).toEqual([ids[0], ids[1], ids[2]]);
    expect(await read(0, 2)).toEqual([ids[0], ids[1]]);
    expect(await read(ids[0] as number, 10)).toEqual([ids[1], ids[2]]);
    expect(await read(0, 10, true)).toEqual([ids[1], ids[2]]);
    expect(await store.lastId()).toBe(ids[3]);
  });

  it('answers a repeated key once more, and refuses it for other content', async () => {
    const store = await open();
    const [alice, bob] = [await put(store, 'alice@h'), await put(store, 'bob@h')];
    const once = { key: 'k', hash: 'h', answer: 'first' };
    const all = await Promise.all([
      store.append(message(alice, bob, { once })),
      store.append(message(alice, bob, { once })),
      store.append(message(bob, alice, { once })),
      store.append(message(alice, bob, { once: { ...once, hash: 'other' } })),
    ]);
    expect(all.map(({ result }) => result)).toEqual(['stored', 'repeated', 'stored', 'conflict']);
    await store.saveAnswer(alice, 'k', 'second');
    expect(await store.append(message(alice, bob, { once }))).toEqual({
      result: 'repeated',
      answer: 'second',
    });
    expect(await store.since({ agent: bob, after: 0, limit: 9, received: true })).toHaveLength(1);
  });

  it('wakes with what was stored, in order, until told otherwise', async () => {
    const store = await open();
    const [alice, bob] = [await put(store, 'alice@h'), await put(store, 'bob@h')];
    const seen: StoredMessage[] = [];
    const stop = store.watch(bob, (messages) => seen.push(...messages));
    const ids = await Promise.all([1, 2, 3].map(() => append(store, message(alice, bob))));
    expect(seen.map(({ id }) => id)).toEqual(ids);
    stop();
    await store.append(message(alice, bob));
    expect(seen).toHaveLength(3);
  });

  it('moves the mark of what was delivered forwards only, and not past what exists', async () => {
    const store = await open();
    const [alice, bob] = [await put(store, 'alice@h'), await put(store, 'bob@h')];
    const first = (await append(store, message(alice, bob))) as number;
    const second = (await append(store, message(alice, bob))) as number;
    expect(await append(store, message(alice, bob, { maxWaiting: 2 }))).toEqual({ result: 'full' });
    store.markDelivered(bob, second + 1);
    expect(await store.delivered(bob)).toBe(0);
    store.markDelivered(bob, second);
    store.markDelivered(bob, first);
    expect(await store.delivered(bob)).toBe(second);
    expect(await append(store, message(alice, bob, { maxWaiting: 1 }))).toBe(second + 1);
  });

  it('forgets what is too old, and never gives an id twice', async () => {
    const store = await open();
    const [alice, bob] = [await put(store, 'alice@h'), await put(store, 'bob@h')];
    const once = { key: 'k', hash: 'h', answer: 'a' };
    await store.append(message(alice, bob, { time: 10, once }));
    const last = (await append(store, message(alice, bob, { time: 20 }))) as number;
    expect(await store.prune({ messages: 15, answers: 5 })).toBe(1);
    expect(await store.since({ agent: bob, after: 0, limit: 9 })).toHaveLength(1);
    expect(await store.prune({ messages: 99, answers: 99 })).toBe(1);
    const again = await append(store, message(alice, bob, { once }));
    expect(again).toBe(last + 1);
  });

  it('stores what is under way when it is closed', async () => {
    const store = await create();
    const [alice, bob] = [await put(store, 'alice@h'), await put(store, 'bob@h')];
    const appended = store.append(message(alice, bob));
    await store.close();
    expect(await appended).toMatchObject({ result: 'stored' });
  });
});

it('a full disk refuses messages, and takes them again when there is room', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { disk, store } = await createOnFullDisk();
  const alice = await store.putAgent(agent('alice@h'), undefined);
  if (alice === 'changed') throw new Error('changed');
  const { serial } = alice;
  const first = await store.append(message(serial, serial));
  disk.isFull = true;
  store.markDelivered(serial, 1);
  const refused = await Promise.allSettled([1, 2].map(() => store.append(message(serial, serial))));
  expect(refused.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  // The mark would be saved now.
  vi.advanceTimersByTime(1000);
  disk.isFull = false;
  const second = await store.append(message(serial, serial));
  expect([first, second]).toEqual([
    { result: 'stored', id: 1 },
    { result: 'stored', id: 2 },
  ]);
  expect(await store.since({ agent: serial, after: 0, limit: 9 })).toHaveLength(2);
  await store.close();
});
