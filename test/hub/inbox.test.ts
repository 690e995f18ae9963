import { EventEmitter, once } from 'node:events';
import http from 'node:http';
import { createParser } from 'eventsource-parser';
import { describe, expect, it, vi } from 'vitest';
import { createInbox } from '../../hub/routes/inbox.ts';
import { Inboxes } from '../../hub/service/inboxes.ts';
import { MemoryStore } from '../../hub/store/memory-store.ts';
import { makeFolder } from '../run-binary.ts';
import { call, openInbox, register, send } from './hub-api.ts';
import { startHub } from './start-hub.ts';

const texts = (messages: readonly { text: string }[]) => messages.map(({ text }) => text);

describe('an inbox', () => {
  it('says that it is open, then what was never delivered, each once, then what comes', async () => {
    const { url } = await startHub({ args: ['--data', await makeFolder()] });
    const alice = await register(url, 'alice');
    for (let index = 0; index < 150; index++) await send(url, alice, 'alice', `${index}`);
    const first = await openInbox(url, alice.key);
    expect(first.events[0]).toMatchObject({
      event: 'connected',
      data: JSON.stringify({ agent_id: alice.id }),
    });
    await first.messages(150);
    await send(url, alice, 'alice', 'live');
    expect(texts(await first.messages(151)).at(-1)).toBe('live');
    first.close();
    const second = await openInbox(url, alice.key);
    await send(url, alice, 'alice', 'only this');
    expect(texts(await second.messages(1))).toEqual(['only this']);
    second.close();
  });

  it('goes on after the Last-Event-ID, which are the ids of the history', async () => {
    const { url } = await startHub();
    const alice = await register(url, 'alice');
    for (const text of ['one', 'two', 'three']) await send(url, alice, 'alice', text);
    const inbox = await openInbox(url, alice.key);
    const messages = await inbox.messages(3);
    inbox.close();
    const { json } = await call(url, 'GET', '/agent/messages', { key: alice.key });
    expect(messages.map(({ id }) => id)).toEqual(json.data.map((it: { id: number }) => it.id));
    const headers = { 'Last-Event-ID': String(messages[0]?.id) };
    const again = await openInbox(url, alice.key, { headers });
    expect(texts(await again.messages(2))).toEqual(['two', 'three']);
    again.close();
  });

  it('leaves out what the agent has read from the history', async () => {
    const { url } = await startHub();
    const alice = await register(url, 'alice');
    for (const text of ['one', 'two']) await send(url, alice, 'alice', text);
    const { json } = await call(url, 'GET', '/agent/messages?since=0', { key: alice.key });
    // Asking for what comes after the first says that the first is handled.
    await call(url, 'GET', `/agent/messages?since=${json.data[0].id}`, { key: alice.key });
    const inbox = await openInbox(url, alice.key);
    expect(texts(await inbox.messages(1))).toEqual(['two']);
    inbox.close();
  });

  it('is one of several that all receive, up to a number; then the oldest goes', async () => {
    const { url, log } = await startHub({ args: ['--max-inboxes', '2'] });
    const alice = await register(url, 'alice');
    const oldest = await openInbox(url, alice.key);
    const others = [await openInbox(url, alice.key), await openInbox(url, alice.key)];
    await oldest.ended;
    await send(url, alice, 'alice', 'to both');
    for (const inbox of others) expect(texts(await inbox.messages(1))).toEqual(['to both']);
    expect(log.some((line) => line.includes('"inbox-dropped"'))).toBe(true);
    for (const inbox of others) inbox.close();
  });

  it('keeps the order while many send at once', async () => {
    const { url } = await startHub({ args: ['--data', await makeFolder()] });
    const alice = await register(url, 'alice');
    const inbox = await openInbox(url, alice.key);
    await Promise.all(
      Array.from({ length: 300 }, (_, index) => send(url, alice, 'alice', `${index}`)),
    );
    const ids = (await inbox.messages(300)).map(({ id }) => id);
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
    expect(ids).toHaveLength(300);
    inbox.close();
  });

  it('opens with a token, once', async () => {
    const { url } = await startHub();
    const alice = await register(url, 'alice');
    expect((await call(url, 'POST', '/agent/session')).status).toBe(401);
    const { json } = await call(url, 'POST', '/agent/session', { key: alice.key });
    const path = `/agent/inbox?session=${json.data.session_token}`;
    const inbox = await openInbox(url, undefined, { path });
    expect(inbox.events[0]?.event).toBe('connected');
    inbox.close();
    await expect(openInbox(url, undefined, { path })).rejects.toThrow('401');
    await expect(openInbox(url, undefined)).rejects.toThrow('401');
  });

  it('does not open with a token of a key that was replaced', async () => {
    const { url } = await startHub();
    const alice = await register(url, 'alice');
    const { json } = await call(url, 'POST', '/agent/session', { key: alice.key });
    await call(url, 'POST', '/register', { key: alice.key, body: { agent_id: 'alice' } });
    const path = `/agent/inbox?session=${json.data.session_token}`;
    await expect(openInbox(url, undefined, { path })).rejects.toThrow('401');
  });
});

/** A stream whose reader takes only as much as it is told to. */
function createSlowStream(room: number) {
  const written: string[] = [];
  const stream = {
    write: (text: string) => written.push(text) <= room,
    end: vi.fn(),
    destroy: vi.fn(),
  };
  return { written, stream };
}

async function openInProcess(
  options: { heartbeatMs: number; patienceMs: number },
  store = new MemoryStore(),
) {
  const agent = await store.putAgent(
    { id: 'a@h', card: null, endpoint: null, keyHash: 'k', registeredAt: 0 },
    undefined,
  );
  if (agent === 'changed') throw new Error('changed');
  const inboxes = new Inboxes({ store, perAgent: 4, log: () => {}, ...options });
  const receive = (text: string) =>
    store.append({
      traceId: text,
      sender: agent.serial,
      senderId: agent.id,
      receiver: agent.serial,
      receiverId: agent.id,
      envelope: '{}',
      time: 0,
      maxWaiting: 1000,
    });
  return { store, agent, inboxes, receive };
}

const QUIET = { heartbeatMs: 1e6, patienceMs: 1e6 };

describe('while an inbox opens', () => {
  it('what comes meanwhile is not written before what was there', async () => {
    let isRead = () => {};
    /** Reads at once, and takes its time to say what. */
    class SlowStore extends MemoryStore {
      override async since(page: Parameters<MemoryStore['since']>[0]) {
        const messages = await super.since(page);
        await new Promise<void>((resolve) => {
          isRead = resolve;
        });
        return messages;
      }
    }
    const { agent, inboxes, receive } = await openInProcess(QUIET, new SlowStore());
    await receive('one');
    const { written, stream } = createSlowStream(99);
    const inbox = await inboxes.open(agent, undefined, stream);
    const catchingUp = inbox.catchUp();
    await Promise.resolve();
    await receive('two');
    isRead();
    await vi.waitFor(() => {
      isRead();
      expect(written.join('').match(/^id: \d+$/gm)).toEqual(['id: 1', 'id: 2']);
    });
    isRead();
    await catchingUp;
    inboxes.closeAll();
  });

  it('its agent may go, and then it closes', async () => {
    const { store, agent, inboxes } = await openInProcess(QUIET);
    const outgoing = Object.assign(new EventEmitter(), {
      destroyed: false,
      writeHead: () => {},
      write: () => true,
      end: () => {},
      destroy: vi.fn(),
    });
    const open = createInbox({
      store,
      inboxes,
      // The key was good when it was looked at.
      findCaller: async () => {
        queueMicrotask(() => void store.removeAgent(agent.serial));
        return { kind: 'agent', agent };
      },
    } as never);
    await open({
      incoming: { method: 'GET', headers: {} },
      outgoing,
      query: new URLSearchParams(),
    } as never);
    expect(outgoing.destroy).toHaveBeenCalled();
    expect(inboxes.isOnline(agent.serial)).toBe(false);
    inboxes.closeAll();
  });
});

describe('a slow reader', () => {
  it('fills no memory: what it does not take waits in the mailbox, and comes in order', async () => {
    const args = ['--data', await makeFolder(), '--max-text', '60000'];
    const { url } = await startHub({ args });
    const alice = await register(url, 'alice');
    const headers = { Authorization: `Bearer ${alice.key}` };
    const request = http.get(`${url}/agent/inbox`, { headers });
    const [response] = (await once(request, 'response')) as [http.IncomingMessage];
    // Nothing is read from here on; the system's own buffers take some megabytes.
    let sent = 0;
    for (let delivery = ''; delivery !== 'queued' && sent < 1000; sent++) {
      const { json } = await send(url, alice, 'alice', `${sent} ${'x'.repeat(50_000)}`);
      delivery = json.data.delivery;
    }
    expect(sent).toBeLessThan(1000);
    const texts: number[] = [];
    const parser = createParser({
      onEvent: ({ event, data }) => {
        if (event === 'message')
          texts.push(Number.parseInt(JSON.parse(data).envelope.original_text, 10));
      },
    });
    response.setEncoding('utf8');
    response.on('data', (chunk: string) => parser.feed(chunk));
    await vi.waitFor(() => expect(texts).toHaveLength(sent), 20_000);
    expect(texts).toEqual(Array.from({ length: sent }, (_, index) => index));
    request.destroy();
  });

  it('gets nothing more to hold until it has read, then all of it in order', async () => {
    const { store, agent, inboxes, receive } = await openInProcess(QUIET);
    const { written, stream } = createSlowStream(1);
    const inbox = await inboxes.open(agent, undefined, stream);
    await receive('one');
    await receive('two');
    await receive('three');
    expect(written).toHaveLength(2);
    expect(await store.delivered(agent.serial)).toBe(1);
    stream.write = (text) => written.push(text) > 0;
    inbox.drained();
    await inbox.catchUp();
    const ids = written.join('').match(/^id: \d+$/gm);
    expect(ids).toEqual(['id: 1', 'id: 2', 'id: 3']);
    expect(await store.delivered(agent.serial)).toBe(3);
    inboxes.closeAll();
  });

  it('is cut off when its inbox is closed for another reason', async () => {
    const { agent, inboxes, receive } = await openInProcess(QUIET);
    const { stream } = createSlowStream(0);
    await inboxes.open(agent, undefined, stream);
    await receive('one');
    inboxes.closeAgent(agent.serial);
    expect(stream.destroy).toHaveBeenCalled();
    inboxes.closeAll();
  });

  it('is dropped when it takes nothing for too long, and finds the rest when it comes back', async () => {
    const { agent, inboxes, receive } = await openInProcess({ heartbeatMs: 20, patienceMs: 30 });
    const { stream } = createSlowStream(0);
    await inboxes.open(agent, undefined, stream);
    await receive('one');
    await receive('two');
    await vi.waitFor(() => expect(stream.destroy).toHaveBeenCalled());
    expect(inboxes.isOnline(agent.serial)).toBe(false);
    const later = createSlowStream(9);
    const inbox = await inboxes.open(agent, undefined, later.stream);
    await inbox.catchUp();
    expect(later.written.join('').match(/^id: \d+$/gm)).toEqual(['id: 1', 'id: 2']);
    inboxes.closeAll();
  });
});

it('a quiet inbox gets heartbeats', async () => {
  const { agent, inboxes } = await openInProcess({ heartbeatMs: 20, patienceMs: 1e6 });
  const { written, stream } = createSlowStream(99);
  await inboxes.open(agent, undefined, stream);
  await vi.waitFor(() => expect(written).toContain(': ping\n\n'));
  inboxes.closeAll();
});
