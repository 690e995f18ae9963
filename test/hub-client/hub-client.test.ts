import { describe, expect, it } from 'vitest';
import { createHttpClient } from '../../cli/hub-client/http-client.ts';
import { createHubClient, type HubClientSettings } from '../../cli/hub-client/hub-client.ts';
import type { InboxEvent } from '../../cli/hub-client/inbox-stream.ts';
import { NetworkError } from '../../cli/hub-client/network-error.ts';
import { type Answer, failure, sendJson, startServer, success } from './start-server.ts';

function clientFor(url: string, settings: Partial<HubClientSettings> = {}) {
  const http = createHttpClient({ env: {} });
  return createHubClient({ url: new URL(url), http, ...settings });
}

async function failureOf(work: Promise<unknown>): Promise<NetworkError> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(NetworkError);
  return error as NetworkError;
}

const body = {
  agent_id: 'haruka@hub.example',
  agent_card: { card_version: '0.3', user_culture: 'ja', supported_languages: ['ja'] },
};

/** A hub without a discovery document whose other answers the test gives. */
const hub = (answer: Answer) =>
  startServer((request, response, socket) =>
    request.path === '/.well-known/chorus.json'
      ? sendJson(response, 404, failure('ERR_NOT_FOUND'))
      : answer(request, response, socket),
  );

describe('paths', () => {
  it('come from the discovery document, which is asked for once', async () => {
    const server = await startServer(({ path }, response) =>
      path === '/.well-known/chorus.json'
        ? sendJson(response, 200, { endpoints: { health: '/up', agent: '/who/:id' } })
        : sendJson(response, 200, success({ agent_id: 'a@b', status: 'ok' })),
    );
    const client = clientFor(server.url);
    await client.health();
    await client.agent('a/../@b');
    expect(server.seen.map(({ path }) => path)).toEqual([
      '/.well-known/chorus.json',
      '/up',
      '/who/a%2F..%2F%40b',
    ]);
  });

  it('are those of the profile where there is no document', async () => {
    const server = await hub((_, response) => sendJson(response, 200, []));
    expect(await clientFor(server.url).discover()).toMatchObject({ ok: true, data: [] });
    expect(server.seen[1]?.path).toBe('/discover');
  });

  it('stay below the path of a hub that lives below one', async () => {
    const server = await startServer((_, response) => sendJson(response, 200, { endpoints: {} }));
    await clientFor(`${server.url}/chorus`).health();
    expect(server.seen.map(({ path }) => path)).toEqual([
      '/chorus/.well-known/chorus.json',
      '/chorus/health',
    ]);
  });

  it.each(['https://evil.example/x', '//evil.example/x'])(
    'on another origin (%s) get nothing',
    async (register) => {
      const server = await startServer((_, response) =>
        sendJson(response, 200, { endpoints: { register } }),
      );
      const error = await failureOf(clientFor(server.url).register(body));
      expect(error).toMatchObject({ code: 'hub-redirect', mayHaveArrived: false });
      expect(error.args.origin).toMatch(/\/\/evil\.example$/);
    },
  );
});

describe('a hub of another make', () => {
  it('gets the key on the directory when it asks for it, not before', async () => {
    const server = await hub(({ headers }, response) =>
      headers.authorization === 'Bearer ca_1'
        ? sendJson(response, 200, success([{ agent_id: 'a@b', culture: 'ja', languages: ['ja'] }]))
        : sendJson(response, 401, failure('ERR_UNAUTHORIZED')),
    );
    const answer = await clientFor(server.url, { key: 'ca_1' }).discover();
    expect(answer).toMatchObject({ ok: true, data: [{ agent_id: 'a@b', culture: 'ja' }] });
    expect(server.seen.map(({ headers }) => headers.authorization)).toEqual([
      undefined,
      undefined,
      'Bearer ca_1',
    ]);
  });

  it('may say no in plain text', async () => {
    const server = await hub((_, response) => {
      response.writeHead(413, { 'Content-Type': 'text/plain' });
      response.end('Payload Too Large\n');
    });
    expect(await clientFor(server.url).register(body)).toEqual({
      ok: false,
      status: 413,
      code: 'HTTP_413',
      message: 'Payload Too Large',
    });
  });

  it('may want a session on the inbox', async () => {
    const server = await startServer(({ path, headers }, response) => {
      if (path === '/.well-known/chorus.json') {
        return sendJson(response, 200, { endpoints: { session: '/agent/session' } });
      }
      if (path === '/agent/session' && headers.authorization === 'Bearer ca_1') {
        return sendJson(response, 200, success({ session_token: 't&1' }));
      }
      if (path !== '/agent/inbox?session=t%261' || headers.authorization) {
        return sendJson(response, 401, failure('ERR_UNAUTHORIZED'));
      }
      response.writeHead(200, { 'Content-Type': 'text/event-stream; charset=utf-8' });
      response.end('event: connected\ndata: {}\n\n');
    });
    const client = clientFor(server.url, { key: 'ca_1' });
    for (const expected of [3, 2]) {
      const before = server.seen.length;
      const inbox = await client.openInbox();
      if (!inbox.ok) throw new Error(inbox.code);
      expect(inbox.data.via).toBe('session');
      expect(await collect(inbox.data.events)).toMatchObject([{ event: 'connected' }]);
      // The second time it is known that the key alone is not enough.
      expect(server.seen.length - before).toBe(expected + (before === 0 ? 1 : 0));
    }
  });
});

describe('the stream of the inbox', () => {
  const text =
    ': ping\n\nretry: 1500\n\nid: 41\nevent: message\ndata: {"a":\ndata: "金曜十時、承知🙂"}\n\n';
  const events = [
    { type: 'heartbeat' },
    { type: 'retry', ms: 1500 },
    { type: 'event', event: 'message', id: '41', data: '{"a":\n"金曜十時、承知🙂"}' },
  ];

  it('is read the same when it is cut at any byte', async () => {
    const bytes = Buffer.from(text.replaceAll('\n', '\r\n'));
    const server = await hub(async (_, response) => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' });
      for (const byte of bytes) {
        response.write(Buffer.from([byte]));
        await new Promise(setImmediate);
      }
      response.end();
    });
    const inbox = await clientFor(server.url, { key: 'ca_1' }).openInbox();
    expect(inbox.ok && (await collect(inbox.data.events))).toEqual(events);
  });

  it('that goes quiet is told as such', async () => {
    const server = await hub((_, response) => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' });
      response.write(text);
    });
    const inbox = await clientFor(server.url, { key: 'ca_1' }).openInbox({ silenceMs: 100 });
    if (!inbox.ok) throw new Error(inbox.code);
    const got: InboxEvent[] = [];
    const error = await failureOf(collect(inbox.data.events, got));
    expect(error).toMatchObject({ code: 'hub-silent' });
    expect(got).toEqual(events);
  });

  it('that breaks is told as such, one that we end just ends', async () => {
    const server = await hub((_, response, socket) => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' });
      response.write(text, () => server.seen.length === 2 && socket.destroy());
    });
    const client = clientFor(server.url, { key: 'ca_1' });
    const broken = await client.openInbox();
    if (!broken.ok) throw new Error(broken.code);
    expect(await failureOf(collect(broken.data.events))).toMatchObject({ code: 'hub-closed' });
    const stop = new AbortController();
    const ended = await client.openInbox({ signal: stop.signal });
    if (!ended.ok) throw new Error(ended.code);
    const got: InboxEvent[] = [];
    for await (const event of ended.data.events) {
      got.push(event);
      if (event.type === 'event') stop.abort();
    }
    expect(got).toEqual(events);
  });

  it('whose event never ends is not kept in memory without bound', async () => {
    const server = await hub((_, response) => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' });
      for (let count = 0; count < 6; count++) response.write('x'.repeat(1 << 20));
    });
    const inbox = await clientFor(server.url, { key: 'ca_1' }).openInbox();
    if (!inbox.ok) throw new Error(inbox.code);
    expect(await failureOf(collect(inbox.data.events))).toMatchObject({ code: 'hub-too-large' });
  });
});

async function collect(events: AsyncIterable<InboxEvent>, into: InboxEvent[] = []) {
  for await (const event of events) into.push(event);
  return into;
}

describe('patience', () => {
  it('waits as long as the hub says', async () => {
    const server = await hub((_, response) => {
      if (server.seen.length > 2) return sendJson(response, 201, success(issued));
      response.setHeader('Retry-After', '1');
      sendJson(response, 429, failure('ERR_RATE_LIMITED'));
    });
    const waits: number[] = [];
    const startedAt = performance.now();
    const patience = { onWait: ({ ms }: { ms: number }) => waits.push(ms) };
    expect(await clientFor(server.url, { patience }).register(body)).toMatchObject({ ok: true });
    expect(performance.now() - startedAt).toBeGreaterThan(990);
    expect(waits).toEqual([1000]);
  });

  it.each([
    ['ERR_RATE_LIMITED', '3600'],
    ['ERR_REGISTRY_FULL', '0'],
  ])('ends at once with %s and a wait of %s s', async (code, seconds) => {
    const server = await hub((_, response) => {
      response.setHeader('Retry-After', seconds);
      sendJson(response, 429, failure(code));
    });
    const answer = await clientFor(server.url).register(body);
    expect(answer).toMatchObject({ ok: false, code, retryAfterMs: Number(seconds) * 1000 });
    expect(server.seen).toHaveLength(2);
  });

  it('repeats after a failure of the hub only what is safe to repeat', async () => {
    const server = await hub((_, response) => sendJson(response, 503, failure('ERR_DOWN')));
    const patience = { attempts: 3 };
    const client = clientFor(server.url, { key: 'ca_1', patience });
    const count = async (work: Promise<unknown>) => {
      const before = server.seen.length;
      await work;
      return server.seen.length - before;
    };
    await client.discovery();
    const message = { receiver_id: 'a@b', envelope: {} };
    expect(await count(client.register(body))).toBe(1);
    expect(await count(client.send(message))).toBe(1);
    expect(await count(client.send(message, { idempotencyKey: '1' }))).toBe(3);
    expect(await count(client.history())).toBe(3);
  });
});

const issued = { agent_id: 'haruka@hub.example', api_key: 'ca_1', registration: {} };

it('a key that would become a second header is refused', () => {
  expect(() => clientFor('http://127.0.0.1:1', { key: 'ca_1\r\nX-Evil: 1' })).toThrow('bad-key');
});
