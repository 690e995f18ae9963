import { once } from 'node:events';
import net from 'node:net';
import { expect, it } from 'vitest';
import { makeFolder } from '../run-binary.ts';
import { call, envelope, openInbox, register, send } from './hub-api.ts';
import { startHub } from './start-hub.ts';

it('of many who register an id at once, one gets it', async () => {
  const { url } = await startHub({ args: ['--data', await makeFolder()] });
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, index) =>
      call(url, 'POST', '/register', { body: { agent_id: index % 2 ? 'alice' : 'ALICE' } }),
    ),
  );
  const statuses = answers.map(({ status }) => status).sort();
  expect(statuses).toEqual([201, ...Array(29).fill(409)]);
});

it('of many who replace a key at once, one gets the new one, and it works', async () => {
  const { url } = await startHub({ args: ['--data', await makeFolder()] });
  const { key } = await register(url, 'alice');
  const body = { agent_id: 'alice' };
  const answers = await Promise.all(
    Array.from({ length: 30 }, () => call(url, 'POST', '/register', { key, body })),
  );
  const [renewed, ...others] = answers.filter(({ status }) => status === 200);
  expect(others).toEqual([]);
  const works = await call(url, 'GET', '/agent/messages', { key: renewed?.json.data.api_key });
  expect(works.status).toBe(200);
});

it('a key that is replaced while a message is on its way does not send it', async () => {
  const { url } = await startHub();
  const alice = await register(url, 'alice');
  const body = JSON.stringify({ receiver_id: 'alice', envelope: envelope(alice.id, 'late') });
  const { hostname, port } = new URL(url);
  const socket = net.connect(Number(port), hostname);
  socket.write(
    `POST /messages HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer ${alice.key}\r\nConnection: close\r\nExpect: 100-continue\r\nContent-Length: ${body.length}\r\n\r\n`,
  );
  // The hub has read the head, and the key in it, when it asks for the rest.
  const [go] = await once(socket, 'data');
  expect(String(go)).toMatch(/^HTTP\/1\.1 100 /);
  await call(url, 'POST', '/register', { key: alice.key, body: { agent_id: 'alice' } });
  socket.write(body);
  let answer = '';
  for await (const chunk of socket) answer += chunk;
  expect(answer).toMatch(/^HTTP\/1\.1 401 /);
});

it('messages to an agent that comes and goes are taken or refused, never an error of ours', async () => {
  const hub = await startHub({ args: ['--data', await makeFolder()] });
  const alice = await register(hub.url, 'alice');
  let isOver = false;
  const coming = (async () => {
    for (let round = 0; round < 30; round++) {
      const bob = await register(hub.url, 'bob');
      const inbox = await openInbox(hub.url, bob.key);
      await call(hub.url, 'DELETE', '/agents/bob', { key: bob.key });
      await inbox.ended;
    }
    isOver = true;
  })();
  while (!isOver) {
    const { status } = await send(hub.url, alice, 'bob', 'hi');
    expect([200, 202, 404]).toContain(status);
  }
  await coming;
  expect(hub.log.filter((line) => line.includes('internal-error'))).toEqual([]);
});
