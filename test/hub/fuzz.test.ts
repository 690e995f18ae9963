import net from 'node:net';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ENDPOINTS } from '../../cli/protocol/constants.ts';
import { call, envelope, register } from './hub-api.ts';
import { startHub } from './start-hub.ts';

const REQUESTS = 10_000;
const AT_ONCE = 20;

const paths = Object.values(ENDPOINTS).map(({ path }) => path);
const noise = fc.string({ unit: 'binary', maxLength: 40 });
const path = fc.oneof(
  fc.constantFrom(...paths),
  fc
    .tuple(fc.constantFrom(...paths), fc.webQueryParameters())
    .map(([it, query]) => `${it}?${query}`),
  fc
    .tuple(
      fc.constantFrom('/agents/', '/invite/', '/agent/messages?since=', '/agent/inbox?session='),
      noise,
    )
    .map(
      ([it, end]) =>
        it +
        Buffer.from(end)
          .toString('latin1')
          .replace(/[^\w.~-]/g, (it) => `%${it.charCodeAt(0).toString(16)}`),
    ),
  fc.string({ maxLength: 30 }).map((it) => `/${it.replace(/[\s\0]/g, '%')}`),
  fc.constantFrom('*', 'http://', 'http://[', '//', '/%', '/\\', '/agents/%c0%ae', '/?since=1e999'),
);
const good = { receiver_id: 'alice', envelope: envelope('alice@localhost', 'hi') };
const body = fc.oneof(
  fc.json(),
  fc.jsonValue().map((extra) => JSON.stringify({ ...good, envelope: { ...good.envelope, extra } })),
  fc
    .tuple(
      fc.constantFrom('receiver_id', 'envelope', 'stream', 'agent_id', 'agent_card', 'endpoint'),
      fc.jsonValue(),
    )
    .map(([field, value]) => JSON.stringify({ ...good, agent_id: 'bob', [field]: value })),
  fc.nat(JSON.stringify(good).length).map((cut) => JSON.stringify(good).slice(0, cut)),
  fc.constantFrom(
    '[',
    '['.repeat(30_000),
    `${'{"a":'.repeat(9000)}1${'}'.repeat(9000)}`,
    '{"__proto__":{}}',
    '\0',
    '"',
    '1e400',
  ),
  noise,
);
const header = fc
  .oneof(
    fc.tuple(
      fc.constantFrom(
        'Last-Event-ID',
        'Idempotency-Key',
        'Accept',
        'Accept-Language',
        'X-Forwarded-For',
        'Content-Type',
        'Host',
        'Transfer-Encoding',
        'Content-Length',
        'Expect',
        'Connection',
        'Upgrade',
      ),
      fc.oneof(
        noise,
        fc.constantFrom(
          'chunked',
          '-1',
          '1',
          '999999999999',
          '100-continue',
          'close',
          'websocket',
          '*/*;q=9',
          'zh;q=NaN',
        ),
      ),
    ),
    fc.tuple(noise, noise),
  )
  .map(([name, value]) => `${name}: ${value}\r\n`);
const method = fc.constantFrom(
  'GET',
  'POST',
  'DELETE',
  'PUT',
  'HEAD',
  'OPTIONS',
  'TRACE',
  'get',
  '',
);

const request = fc.record({
  method,
  path,
  headers: fc.array(header, { maxLength: 3 }),
  body,
  hasKey: fc.boolean(),
  hasLength: fc.boolean(),
});

/** Sends it all and reads for as long as there is something, but never long. */
function talk(url: string, bytes: Buffer): Promise<string> {
  const { port, hostname } = new URL(url);
  return new Promise((resolve) => {
    const socket = net.connect(Number(port), hostname, () => socket.end(bytes));
    let text = '';
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => {
      text += chunk;
      // An inbox that was opened would never end by itself.
      if (text.includes('event: connected')) socket.destroy();
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(text));
  });
}

it(`${REQUESTS.toLocaleString('en')} malformed requests do not hurt it`, async () => {
  const hub = await startHub({ args: ['--max-agents', '50'] });
  const { key } = await register(hub.url, 'alice');
  const requests = fc.sample(request, { numRuns: REQUESTS, seed: Date.now() });
  for (let index = 0; index < requests.length; index += AT_ONCE) {
    const batch = requests.slice(index, index + AT_ONCE).map((it) => {
      const length = it.hasLength ? `Content-Length: ${Buffer.byteLength(it.body)}\r\n` : '';
      const authorization = it.hasKey ? `Authorization: Bearer ${key}\r\n` : '';
      const head = `${it.method} ${it.path} HTTP/1.1\r\nHost: h\r\n${authorization}${length}${it.headers.join('')}\r\n`;
      return Buffer.from(head + it.body, 'utf8');
    });
    const answers = await Promise.all(batch.map((bytes) => talk(hub.url, bytes)));
    for (const [at, answer] of answers.entries()) {
      const shown = JSON.stringify(batch[at]?.toString('utf8'));
      for (const status of answer.match(/^HTTP\/1\.1 \d{3}/gm) ?? []) {
        expect(status, shown).toMatch(/ [1-4]\d\d$/);
      }
      expect(answer, shown).not.toMatch(/\n\s+at \S+ \(|node:internal|\.cjs/);
    }
  }
  expect((await call(hub.url, 'GET', '/health')).status).toBe(200);
  expect(hub.log.filter((line) => line.includes('internal-error'))).toEqual([]);
  expect(await hub.stop()).toBe(0);
});
