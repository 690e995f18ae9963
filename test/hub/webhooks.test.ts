import http from 'node:http';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadSqlite } from '../../cli/io/sqlite.ts';
import { EndpointRules } from '../../hub/webhooks/endpoint-rules.ts';
import { WebhookClient } from '../../hub/webhooks/webhook-client.ts';
import { makeFolder, root } from '../run-binary.ts';
import { call, envelope, openInbox, register, send } from './hub-api.ts';
import { startHub } from './start-hub.ts';
import { answerOk, startWebhook } from './webhook-server.ts';

const ALLOWED = ['--allow-loopback-webhooks'];

describe('a webhook', () => {
  it('gets the message, and its answer goes to the sender', async () => {
    const { url } = await startHub({ args: ALLOWED });
    const webhook = await startWebhook();
    const alice = await register(url, 'alice');
    await register(url, 'bob', { endpoint: webhook.url });
    const { status, json } = await send(url, alice, 'bob', 'hi');
    expect(status).toBe(200);
    expect(json.data).toMatchObject({
      delivery: 'delivered',
      trace_id: expect.any(String),
      receiver_response: { status: 'ok' },
    });
    expect(webhook.received).toEqual(['hi']);
  });

  it('that refuses the envelope makes the delivery fail, once and for all', async () => {
    const { url } = await startHub({ args: ALLOWED });
    const webhook = await startWebhook((_, response) => {
      response.end('{"status":"error","error_code":"ADAPTATION_FAILED","detail":"why","x":1}');
    });
    const alice = await register(url, 'alice');
    await register(url, 'bob', { endpoint: webhook.url });
    const { status, json } = await send(url, alice, 'bob', 'hi');
    expect(status).toBe(200);
    expect(json.data).toEqual({
      delivery: 'failed',
      trace_id: expect.any(String),
      receiver_response: { status: 'error', error_code: 'ADAPTATION_FAILED', detail: 'why' },
      error_code: 'ADAPTATION_FAILED',
      detail: 'why',
    });
    webhook.answer = answerOk;
    await send(url, alice, 'bob', 'next');
    expect(webhook.received).toEqual(['hi', 'next']);
  });

  it.each<[string, http.RequestListener]>([
    ['answers with an error', (_, response) => response.writeHead(500).end()],
    ['redirects', (_, response) => response.writeHead(307, { Location: '/elsewhere' }).end()],
    ['hangs up', (request) => request.socket.destroy()],
  ])('that %s is tried again in the background, and the order is kept', async (_, answer) => {
    const { url, log } = await startHub({ args: ALLOWED });
    const webhook = await startWebhook(answer);
    const alice = await register(url, 'alice');
    await register(url, 'bob', { endpoint: webhook.url });
    const first = await send(url, alice, 'bob', 'one');
    expect(first.status).toBe(202);
    expect(first.json.data.delivery).toBe('queued');
    expect((await send(url, alice, 'bob', 'two')).status).toBe(202);
    expect(webhook.received).toEqual(['one']);
    webhook.answer = answerOk;
    await webhook.until(3);
    expect(webhook.received).toEqual(['one', 'one', 'two']);
    expect(log.some((line) => line.includes('"webhook-failed"'))).toBe(true);
  });

  it('that is down leaves the message in the mailbox, also over a restart', async () => {
    const data = await makeFolder();
    const hub = await startHub({ args: [...ALLOWED, '--data', data] });
    const webhook = await startWebhook((_, response) => response.writeHead(503).end());
    const alice = await register(hub.url, 'alice');
    const bob = await register(hub.url, 'bob', { endpoint: webhook.url });
    const carol = await register(hub.url, 'carol', { endpoint: webhook.url });
    await send(hub.url, alice, 'bob', 'to bob');
    const inbox = await openInbox(hub.url, bob.key);
    expect((await inbox.messages(1))[0]?.text).toBe('to bob');
    inbox.close();
    await send(hub.url, alice, 'carol', 'to carol');
    await hub.stop();
    webhook.answer = answerOk;
    const seen = webhook.received.length;
    const again = await startHub({ args: [...ALLOWED, '--data', data] });
    await webhook.until(seen + 1);
    expect(webhook.received.slice(seen)).toEqual(['to carol']);
    const { json } = await call(again.url, 'GET', '/agent/messages', { key: carol.key });
    expect(json.data).toHaveLength(1);
  });

  it('that is slow does not keep the senders of later messages waiting', async () => {
    const { url, log } = await startHub({ args: ALLOWED });
    const webhook = await startWebhook();
    const alice = await register(url, 'alice');
    await register(url, 'bob', { endpoint: webhook.url });
    webhook.answer = (...exchange) => void setTimeout(answerOk, 6_000, ...exchange);
    const first = send(url, alice, 'bob', 'one');
    await webhook.until(1);
    const second = send(url, alice, 'bob', 'two');
    webhook.answer = (...exchange) => void second.then(() => answerOk(...exchange));
    expect((await first).json.data.delivery).toBe('delivered');
    expect((await second).json.data.delivery).toBe('queued');
    await webhook.until(2);
    expect((await send(url, alice, 'bob', 'three')).json.data.delivery).toBe('delivered');
    expect(webhook.received).toEqual(['one', 'two', 'three']);
    expect(log.filter((line) => line.includes('webhook-failed'))).toEqual([]);
  });

  it('of an agent that goes meanwhile does no harm', async () => {
    const { url } = await startHub({ args: ALLOWED });
    const webhook = await startWebhook();
    const alice = await register(url, 'alice');
    const bob = await register(url, 'bob', { endpoint: webhook.url });
    webhook.answer = async (_, response) => {
      await call(url, 'DELETE', '/agents/bob', { key: bob.key });
      response.end('{"status":"ok"}');
    };
    const sent = await Promise.all([1, 2, 3].map((it) => send(url, alice, 'bob', `${it}`)));
    for (const { status } of sent) expect(status).toBeLessThan(300);
    expect((await call(url, 'GET', '/health')).status).toBe(200);
  });

  it('is not used while an inbox is open', async () => {
    const { url } = await startHub({ args: ALLOWED });
    const webhook = await startWebhook();
    const alice = await register(url, 'alice');
    const bob = await register(url, 'bob', { endpoint: webhook.url });
    const inbox = await openInbox(url, bob.key);
    expect((await send(url, alice, 'bob', 'hi')).json.data.delivery).toBe('delivered_sse');
    await inbox.messages(1);
    expect(webhook.received).toEqual([]);
    inbox.close();
  });
});

describe('"stream": true', () => {
  const stream = (url: string, alice: { id: string; key: string }, receiver: string) =>
    call(url, 'POST', '/messages', {
      key: alice.key,
      body: { receiver_id: receiver, envelope: envelope(alice.id, 'hi'), stream: true },
    });

  it('passes on the pieces of the receiver’s answer, then done', async () => {
    const { url } = await startHub({ args: ALLOWED });
    const webhook = await startWebhook((_, response) => {
      response.setHeader('Content-Type', 'text/event-stream');
      response.write('event: chunk\ndata: {"text":"Good "}\n\nevent: chu');
      response.end('nk\ndata: morning\n\nevent: done\ndata: {"status":"ok"}\n\n');
    });
    const alice = await register(url, 'alice');
    await register(url, 'bob', { endpoint: webhook.url });
    const { headers, text } = await stream(url, alice, 'bob');
    expect(headers['content-type']).toContain('text/event-stream');
    const events = text.trim().split('\n\n');
    expect(events.slice(0, 2)).toEqual([
      'event: chunk\ndata: {"text":"Good "}',
      'event: chunk\ndata: {"text":"morning"}',
    ]);
    expect(events[2]).toMatch(/^event: done\ndata: \{"delivery":"delivered",/);
  });

  it('ends with error when the receiver refuses, and with done when it is queued', async () => {
    const { url } = await startHub({ args: ALLOWED });
    const webhook = await startWebhook((_, response) => {
      response.end('{"status":"error","error_code":"INVALID_ENVELOPE"}');
    });
    const alice = await register(url, 'alice');
    await register(url, 'bob', { endpoint: webhook.url });
    expect((await stream(url, alice, 'bob')).text).toMatch(
      /event: error\ndata: \{"delivery":"failed"/,
    );
    const queued = (await stream(url, alice, 'alice')).text;
    expect(queued).toMatch(/^event: done\ndata: \{"delivery":"queued"/);
  });

  it('does no harm when the sender hangs up in the middle', async () => {
    const hub = await startHub({ args: ALLOWED });
    const webhook = await startWebhook();
    const alice = await register(hub.url, 'alice');
    await register(hub.url, 'bob', { endpoint: webhook.url });
    const body = { receiver_id: 'bob', envelope: envelope(alice.id, 'hi'), stream: true };
    const request = http.request(`${hub.url}/messages`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${alice.key}`, 'Content-Type': 'application/json' },
    });
    request.on('error', () => {});
    const answered = new Promise<void>((resolve) => {
      webhook.answer = (_, response) => {
        response.setHeader('Content-Type', 'text/event-stream');
        response.write('event: chunk\ndata: one\n\n');
        request.on('response', (stream) => {
          stream.once('data', () => {
            request.destroy();
            response.write('event: chunk\ndata: two\n\n');
            response.end('event: done\ndata: {"status":"ok"}\n\n', resolve);
          });
        });
      };
    });
    request.end(JSON.stringify(body));
    await answered;
    webhook.answer = answerOk;
    expect((await send(hub.url, alice, 'bob', 'next')).json.data.delivery).toBe('delivered');
    expect(webhook.received).toEqual(['hi', 'next']);
    expect(hub.log.filter((line) => line.includes('internal-error'))).toEqual([]);
  });

  it('breaks off when the hub fails in the middle', async () => {
    const data = await makeFolder();
    const { url } = await startHub({ args: [...ALLOWED, '--data', data] });
    const database = loadSqlite(root)?.(path.join(data, 'hub.db'));
    const webhook = await startWebhook((_, response) => {
      response.setHeader('Content-Type', 'text/event-stream');
      response.write('event: chunk\ndata: one\n\n');
      // The hub can write nothing from here on.
      database?.exec('BEGIN IMMEDIATE');
      response.end('event: done\ndata: {"status":"ok"}\n\n');
    });
    const alice = await register(url, 'alice');
    await register(url, 'bob', { endpoint: webhook.url });
    const broken = call(url, 'POST', '/messages', {
      key: alice.key,
      body: { receiver_id: 'bob', envelope: envelope(alice.id, 'hi'), stream: true },
      headers: { 'Idempotency-Key': 'once' },
    });
    await expect(broken).rejects.toThrow('aborted');
    database?.close();
  });

  it('is refused like any other request', async () => {
    const { url } = await startHub();
    const alice = await register(url, 'alice');
    const { status, json } = await stream(url, alice, 'nobody');
    expect({ status, code: json.error.code }).toEqual({ status: 404, code: 'ERR_AGENT_NOT_FOUND' });
  });
});

describe('a webhook may not be', () => {
  const refuses = new EndpointRules(false, async () => []);
  const local = new EndpointRules(true, async () => []);

  it.each([
    'http://example.com/',
    'https://127.0.0.1/',
    'https://127.1/',
    'https://2130706433/',
    'https://0x7f000001/',
    'https://0177.0.0.1/',
    'https://0/',
    'https://localhost/',
    'https://LOCALHOST./',
    'https://a.localhost/',
    'https://[::1]/',
    'https://[::]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:8.8.8.8]/',
    'https://[::ffff:7f00:1]/',
    'https://[0:0:0:0:0:ffff:a00:1]/',
    'https://[::127.0.0.1]/',
    'https://[64:ff9b::7f00:1]/',
    'https://[2002:7f00:1::]/',
    'https://[2001:db8::1]/',
    'https://[fe80::1]/',
    'https://[fc00::1]/',
    'https://[ff02::1]/',
    'https://10.1.2.3/',
    'https://100.64.0.1/',
    'https://100.127.255.255/',
    'https://169.254.169.254/latest/meta-data',
    'https://172.16.0.1/',
    'https://172.31.255.255/',
    'https://192.168.1.1/',
    'https://192.0.2.1/',
    'https://198.18.0.1/',
    'https://224.0.0.1/',
    'https://255.255.255.255/',
    'https://user:secret@example.com/',
  ])('%s', (endpoint) => {
    expect(refuses.isAllowed(new URL(endpoint))).toBe(false);
  });

  it.each([
    'https://example.com/',
    'https://8.8.8.8/',
    'https://[2606:4700::1111]/',
    'https://172.32.0.1/',
  ])('elsewhere, but %s is fine', (endpoint) => {
    expect(refuses.isAllowed(new URL(endpoint))).toBe(true);
  });

  it('on this machine unless that is allowed, and then only there', () => {
    for (const endpoint of ['http://127.0.0.1:1/', 'http://localhost:1/', 'https://[::1]/']) {
      expect(local.isAllowed(new URL(endpoint))).toBe(true);
    }
    for (const endpoint of ['http://10.0.0.1/', 'https://192.168.1.1/', 'http://example.com/']) {
      expect(local.isAllowed(new URL(endpoint))).toBe(false);
    }
  });

  it('is refused when it is registered', async () => {
    const { url } = await startHub();
    for (const endpoint of [
      'https://[::ffff:10.0.0.1]/',
      'http://127.0.0.1/',
      'ftp://example.com/',
    ]) {
      const body = { agent_id: 'alice', endpoint };
      const { status, json } = await call(url, 'POST', '/register', { body });
      expect({ status, code: json.error.code }).toEqual({ status: 400, code: 'ERR_VALIDATION' });
    }
  });

  it.each(['127.0.0.1', '10.0.0.1', '::1', '::ffff:127.0.0.1', '169.254.169.254'])(
    'behind a name that resolves to %s',
    async (address) => {
      const webhook = await startWebhook();
      const { port } = new URL(webhook.url);
      const family = address.includes(':') ? 6 : 4;
      // A public address among them makes it no better.
      const rules = new EndpointRules(false, async () => [
        { address: '8.8.8.8', family: 4 },
        { address, family },
      ]);
      const client = new WebhookClient(rules);
      const endpoint = `https://webhook.example:${port}/`;
      expect(await client.post({ endpoint, envelope: '{}' })).toEqual({ failure: 'ENOTPUBLIC' });
      expect(webhook.received).toEqual([]);
      client.close();
    },
  );

  it('reached by a redirect', async () => {
    const target = await startWebhook();
    const webhook = await startWebhook((_, response) =>
      response.writeHead(308, { Location: target.url }).end(),
    );
    const client = new WebhookClient(new EndpointRules(true, async () => []));
    const posted = { endpoint: webhook.url, envelope: '{"original_text":"x"}' };
    expect(await client.post(posted)).toEqual({ failure: 'HTTP 308' });
    expect(target.received).toEqual([]);
    client.close();
  });
});

describe('a webhook that takes its time', () => {
  const local = new EndpointRules(true, async () => []);
  const envelopeText = '{"original_text":"x"}';

  it.each<[string, http.RequestListener]>([
    ['says nothing', () => {}],
    ['does not finish', (_, response) => response.write('{"status":')],
  ])('and %s is given up', async (_, answer) => {
    const webhook = await startWebhook(answer);
    const client = new WebhookClient(local, 100);
    const posted = { endpoint: webhook.url, envelope: envelopeText };
    expect(await client.post(posted)).toEqual({ failure: 'ETIMEDOUT' });
    client.close();
  });

  it('with an answer without end is given up', async () => {
    const webhook = await startWebhook((_, response) => {
      const more = () => void (response.write('x'.repeat(10_000)) && setImmediate(more));
      response.on('drain', more);
      more();
    });
    const client = new WebhookClient(local);
    const posted = { endpoint: webhook.url, envelope: envelopeText };
    expect(await client.post(posted)).toEqual({ failure: 'EMSGSIZE' });
    client.close();
  });
});

it('a webhook gets its messages however many others keep their connections open', async () => {
  const webhook = await startWebhook();
  webhook.server.keepAliveTimeout = 0;
  const rules = new EndpointRules(true, async () => [{ address: '127.0.0.1', family: 4 }]);
  const client = new WebhookClient(rules);
  const { port } = new URL(webhook.url);
  for (let index = 0; index < 260; index++) {
    const endpoint = `http://h${index}.localhost:${port}/`;
    const envelope = `{"original_text":"${index}"}`;
    expect(await client.post({ endpoint, envelope })).toEqual({ response: { status: 'ok' } });
  }
  client.close();
});
