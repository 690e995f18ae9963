import { describe, expect, it } from 'vitest';
import { makeFolder } from '../run-binary.ts';
import { call, envelope, openInbox, register, send } from './hub-api.ts';
import { startHub } from './start-hub.ts';

const textOf = (it: { envelope: { original_text: string } }) => it.envelope.original_text;

describe.each(['memory', 'data'])('messages (%s)', (kind) => {
  const start = async (args: readonly string[] = []) =>
    startHub({ args: [...args, ...(kind === 'data' ? ['--data', await makeFolder()] : [])] });

  it('reach an open inbox at once, and a closed one when it opens', async () => {
    const { url } = await start();
    const alice = await register(url, 'alice');
    const bob = await register(url, 'bob@localhost');
    const first = await send(url, alice, 'bob', 'one');
    expect(first.status).toBe(202);
    expect(first.json.data).toMatchObject({ delivery: 'queued', trace_id: expect.any(String) });
    const inbox = await openInbox(url, bob.key);
    const second = await send(url, alice, bob.id, 'two');
    expect(second.status).toBe(200);
    expect(second.json.data.delivery).toBe('delivered_sse');
    const messages = await inbox.messages(2);
    expect(messages.map(({ text }) => text)).toEqual(['one', 'two']);
    expect(messages[0]?.data).toMatchObject({
      trace_id: first.json.data.trace_id,
      sender_id: alice.id,
      envelope: envelope(alice.id, 'one'),
    });
    inbox.close();
  });

  it('are in the history of both sides, after an id', async () => {
    const { url } = await start();
    const [alice, bob] = [await register(url, 'alice'), await register(url, 'bob')];
    await send(url, alice, 'bob', 'one');
    await send(url, bob, 'alice', 'two');
    for (const { key } of [alice, bob]) {
      const all = (await call(url, 'GET', '/agent/messages', { key })).json.data;
      expect(all.map(textOf)).toEqual(['one', 'two']);
      const path = `/agent/messages?since=${all[0].id}`;
      const later = (await call(url, 'GET', path, { key })).json.data;
      expect(later.map(textOf)).toEqual(['two']);
    }
  });

  it('come page by page, none twice and none missing', async () => {
    const { url } = await start();
    const [alice, bob] = [await register(url, 'alice'), await register(url, 'bob')];
    const texts = Array.from({ length: 250 }, (_, index) => `${index}`);
    for (const text of texts) await send(url, alice, 'bob', text);
    const seen: string[] = [];
    for (let since = 0; ; ) {
      const path = `/agent/messages?since=${since}`;
      const page = (await call(url, 'GET', path, { key: bob.key })).json.data;
      if (page.length === 0) break;
      seen.push(...page.map(textOf));
      since = page.at(-1).id;
    }
    expect(seen).toEqual(texts);
  });

  it('are kept as they came, with whatever else the envelope has', async () => {
    const { url } = await start();
    const [alice, bob] = [await register(url, 'alice'), await register(url, 'bob')];
    const sent = envelope(alice.id, '你好\u0000\u2028"\\\n𝄞\ud800', { extra: { deep: [1, null] } });
    const body = JSON.stringify({ receiver_id: 'bob', envelope: sent }).replace(
      '"extra"',
      '"__proto__":{"polluted":1},"extra"',
    );
    expect((await call(url, 'POST', '/messages', { key: alice.key, body })).status).toBe(202);
    const { text } = await call(url, 'GET', '/agent/messages', { key: bob.key });
    const [received] = JSON.parse(text).data;
    expect(received.envelope).toEqual(JSON.parse(body).envelope);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it('with a repeated Idempotency-Key are taken once for each sender, by content', async () => {
    const { url } = await start();
    const [alice, bob] = [await register(url, 'alice'), await register(url, 'bob')];
    const headers = { 'Idempotency-Key': 'same' };
    const [first, ...repeats] = await Promise.all(
      [1, 2, 3].map(() => send(url, alice, 'bob', 'hi', headers)),
    );
    for (const repeat of repeats) {
      expect(repeat.status).toBe(first?.status);
      expect(repeat.json.data).toEqual(first?.json.data);
    }
    const { original_text, ...rest } = envelope(alice.id, 'hi');
    const reordered = { envelope: { original_text, ...rest }, receiver_id: 'BOB@localhost' };
    const other = await call(url, 'POST', '/messages', {
      key: alice.key,
      body: reordered,
      headers,
    });
    expect(other.json.data).toEqual(first?.json.data);
    const conflict = await send(url, alice, 'bob', 'other', headers);
    expect(conflict.status).toBe(409);
    expect(conflict.json.error.code).toBe('ERR_IDEMPOTENCY_CONFLICT');
    expect((await send(url, bob, 'bob', 'hi', headers)).status).toBe(202);
    const { json } = await call(url, 'GET', '/agent/messages', { key: bob.key });
    expect(json.data.map(textOf)).toEqual(['hi', 'hi']);
    const long = await send(url, alice, 'bob', 'hi', { 'Idempotency-Key': 'x'.repeat(257) });
    expect(long.status).toBe(400);
  });

  it('are refused when too many wait, until the receiver has read', async () => {
    const { url } = await start(['--max-waiting', '2']);
    const [alice, bob] = [await register(url, 'alice'), await register(url, 'bob')];
    await send(url, alice, 'bob', '1');
    const once = { 'Idempotency-Key': 'k' };
    await send(url, alice, 'bob', '2', once);
    expect((await send(url, alice, 'bob', '2', once)).status).toBe(202);
    const full = await send(url, alice, 'bob', '3');
    expect(full.status).toBe(429);
    expect(full.json.error.code).toBe('ERR_MAILBOX_FULL');
    expect(full.headers['retry-after']).toBe('60');
    const inbox = await openInbox(url, bob.key);
    await inbox.messages(2);
    inbox.close();
    expect((await send(url, alice, 'bob', '3')).status).toBeLessThan(300);
  });
});

describe('a message is refused', () => {
  it.each([
    ['without a key', undefined, 'alice@localhost', 401, 'ERR_UNAUTHORIZED'],
    ['with a wrong key', 'ca_wrong', 'alice@localhost', 401, 'ERR_UNAUTHORIZED'],
    ['for another sender', 'alice', 'bob@localhost', 403, 'ERR_SENDER_MISMATCH'],
    ['for the sender in another case', 'alice', 'Alice@localhost', 403, 'ERR_SENDER_MISMATCH'],
  ])('%s', async (_, keyOf, sender, status, code) => {
    const { url } = await startHub();
    const alice = await register(url, 'alice');
    await register(url, 'bob');
    const key = keyOf === 'alice' ? alice.key : keyOf;
    const body = { receiver_id: 'bob', envelope: envelope(sender, 'hi') };
    const answer = await call(url, 'POST', '/messages', { key, body });
    expect({ status: answer.status, code: answer.json.error.code }).toEqual({ status, code });
  });

  it('to nobody, with too long a text, or with something wrong in it', async () => {
    const { url } = await startHub({ args: ['--max-text', '10'] });
    const alice = await register(url, 'alice');
    const nobody = await send(url, alice, 'nobody', 'hi');
    expect(nobody.status).toBe(404);
    expect(nobody.json.error.code).toBe('ERR_AGENT_NOT_FOUND');
    const elsewhere = await send(url, alice, 'bob@other.example', 'hi');
    expect(elsewhere.status).toBe(404);
    expect(elsewhere.json.error.message).toContain('addresses of this one end in @localhost');
    const long = await send(url, alice, 'alice', 'x'.repeat(11));
    expect(long.status).toBe(400);
    expect(long.json.error.message).toContain('takes 10');
    const body = {
      receiver_id: 'alice',
      envelope: { ...envelope(alice.id, 'hi'), chorus_version: '0.3' },
    };
    const old = await call(url, 'POST', '/messages', { key: alice.key, body });
    expect(old.json.error.message).toBe(
      '/envelope/chorus_version: chorus_version is "0.3"; it must be "0.4". Set it to "0.4" once the rest follows Chorus 0.4; other versions are refused.',
    );
  });
});

it('an envelope in an A2A message is unwrapped', async () => {
  const { url } = await startHub();
  const alice = await register(url, 'alice');
  const data = envelope(alice.id, 'wrapped');
  const part = { mediaType: 'application/vnd.chorus.envelope+json', data };
  const body = {
    receiver_id: 'alice',
    envelope: { messageId: 'b1', role: 'ROLE_USER', parts: [part] },
  };
  expect((await call(url, 'POST', '/messages', { key: alice.key, body })).status).toBe(202);
  const { json } = await call(url, 'GET', '/agent/messages', { key: alice.key });
  expect(json.data[0].envelope).toEqual(data);
});

it('nesting without end is refused', async () => {
  const { url } = await startHub();
  const alice = await register(url, 'alice');
  for (const [open, close] of [
    ['[', ']'],
    ['{"a":', '}'],
  ] as const) {
    const deep = `${open.repeat(9000)}1${close.repeat(9000)}`;
    const text = JSON.stringify(envelope(alice.id, 'hi')).replace('{', `{"extra":${deep},`);
    const { status, json } = await call(url, 'POST', '/messages', {
      key: alice.key,
      body: `{"receiver_id":"alice","envelope":${text}}`,
      headers: { 'Idempotency-Key': 'k' },
    });
    expect({ status, message: json.error.message }).toEqual({
      status: 400,
      message: 'The body is nested more than 200 levels deep.',
    });
  }
});

it('since takes an id and nothing else', async () => {
  const { url } = await startHub();
  const { key } = await register(url, 'alice');
  for (const since of [
    '2026-11-18T09:30:00Z',
    '-1',
    '1e3',
    '0x10',
    '99999999999999999999',
    'NaN',
  ]) {
    const { status, json } = await call(url, 'GET', `/agent/messages?since=${since}`, { key });
    expect({ since, status }).toEqual({ since, status: 400 });
    expect(json.error.message).toContain('ids, not times');
  }
  const far = await call(url, 'GET', '/agent/messages?since=999999999999999', { key });
  expect(far.json.data).toEqual([]);
  // An id from nowhere says nothing about what was delivered.
  const alice = { id: 'alice@localhost', key };
  await send(url, alice, 'alice', 'still new');
  const inbox = await openInbox(url, key, { headers: { 'Last-Event-ID': '999999999999999' } });
  expect((await inbox.messages(1))[0]?.text).toBe('still new');
  inbox.close();
});
