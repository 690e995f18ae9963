import path from 'node:path';
import fs from 'fs-extra';
import { describe, expect, it } from 'vitest';
import { makeFolder } from '../run-binary.ts';
import { call, card, envelope, openInbox, register, send } from './hub-api.ts';
import { startHub } from './start-hub.ts';

const OPERATOR = 'operator-key-of-at-least-32-characters';

async function startWithOperator(args: readonly string[] = []) {
  const file = path.join(await makeFolder(), 'operator.key');
  await fs.writeFile(file, `${OPERATOR}\n`, { mode: 0o600 });
  return startHub({ args: ['--operator-key-file', file, ...args] });
}

describe('registering', () => {
  it('answers 201 with a key that is shown once', async () => {
    const { url } = await startHub({ args: ['--name', 'hub.example'] });
    const body = { agent_id: 'alice', agent_card: card('ja') };
    const { status, json } = await call(url, 'POST', '/register', { body });
    expect(status).toBe(201);
    expect(json).toMatchObject({ success: true, data: { agent_id: 'alice@hub.example' } });
    expect(json.data.api_key).toMatch(/^ca_[\w-]{43}$/);
    expect(Date.parse(json.data.registration.registered_at)).not.toBeNaN();
    const shown = await call(url, 'GET', '/agents/alice');
    expect(shown.text).not.toContain(json.data.api_key);
  });

  it('refuses an id that exists, in any case, unless its key comes along: then the old key is dead', async () => {
    const { url } = await startHub();
    const alice = await register(url, 'Alice');
    const stranger = await register(url, 'stranger');
    const body = { agent_id: 'alice@LOCALHOST', agent_card: card('en') };
    for (const key of [undefined, stranger.key, 'ca_wrong']) {
      const taken = await call(url, 'POST', '/register', { key, body });
      expect(taken.status).toBe(409);
      expect(taken.json.error.code).toBe('ERR_AGENT_ID_TAKEN');
    }
    const inbox = await openInbox(url, alice.key);
    const renewed = await call(url, 'POST', '/register', { key: alice.key, body });
    expect(renewed.status).toBe(200);
    expect(renewed.json.data.agent_id).toBe('Alice@localhost');
    await inbox.ended;
    expect((await call(url, 'GET', '/agent/messages', { key: alice.key })).status).toBe(401);
    const { api_key: key } = renewed.json.data;
    expect((await call(url, 'GET', '/agent/messages', { key })).status).toBe(200);
  });

  it('gives the same answer to the same request with the same Idempotency-Key, until the key is replaced', async () => {
    const { url } = await startHub();
    const body = { agent_id: 'alice', agent_card: card('ja') };
    const headers = { 'Idempotency-Key': 'a random key, 128 bits' };
    const ask = (more: object = {}) => call(url, 'POST', '/register', { body, headers, ...more });
    const [first, again] = await Promise.all([ask(), ask()]);
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.json.data).toEqual(first.json.data);
    const others = [{ body: { agent_id: 'alice' } }, { headers: {} }, { key: 'ca_wrong' }];
    for (const other of others) expect((await ask(other)).status).toBe(409);
    // A replaced key whose answer was lost: the old key is dead, and still the same request.
    const { api_key: key } = first.json.data;
    const renewed = await ask({ key });
    expect(renewed.status).toBe(200);
    expect((await ask({ key })).json.data).toEqual(renewed.json.data);
    expect((await ask()).status).toBe(409);
    const short = await ask({ headers: { 'Idempotency-Key': 'short' } });
    expect(short.json.error).toMatchObject({
      code: 'ERR_VALIDATION',
      message: expect.stringContaining('16 to 256'),
    });
  });

  it.each([
    ['an id of another hub', { agent_id: 'alice@elsewhere' }, /end in @localhost/],
    ['no id', { agent_card: card('en') }, /agent_id/],
    ['an id that is none', { agent_id: 'a b' }, /agent_id/],
    ['a card of version 0.2', { agent_id: 'a', agent_card: { chorus_version: '0.2' } }, /card/],
    ['a culture that is none', { agent_id: 'a', agent_card: card('EN_us') }, /user_culture/],
  ])('refuses %s and says why', async (_, body, message) => {
    const { url } = await startHub();
    const { status, json } = await call(url, 'POST', '/register', { body });
    expect({ status, code: json.error.code }).toEqual({ status: 400, code: 'ERR_VALIDATION' });
    expect(json.error.message).toMatch(message);
  });

  it('ends when the registry is full, but not for those who are in it', async () => {
    const { url } = await startHub({ args: ['--max-agents', '1'] });
    const { key } = await register(url, 'alice');
    const body = { agent_id: 'bob' };
    const full = await call(url, 'POST', '/register', { body });
    expect(full.status).toBe(429);
    expect(full.json.error.code).toBe('ERR_REGISTRY_FULL');
    expect(Number(full.headers['retry-after'])).toBeGreaterThan(0);
    const again = await call(url, 'POST', '/register', { key, body: { agent_id: 'alice' } });
    expect(again.status).toBe(200);
  });
});

describe('unregistering', () => {
  it('takes its own key or the operator’s, and answers 200 also when there is none', async () => {
    const { url } = await startWithOperator();
    const [alice, bob] = [await register(url, 'alice'), await register(url, 'bob')];
    expect((await call(url, 'DELETE', '/agents/alice')).status).toBe(401);
    expect((await call(url, 'DELETE', '/agents/alice', { key: bob.key })).status).toBe(401);
    const inbox = await openInbox(url, alice.key);
    expect((await call(url, 'DELETE', '/agents/ALICE', { key: alice.key })).status).toBe(200);
    await inbox.ended;
    expect((await call(url, 'GET', '/agents/alice')).status).toBe(404);
    expect((await call(url, 'DELETE', '/agents/alice', { key: alice.key })).status).toBe(200);
    expect((await call(url, 'DELETE', '/agents/bob', { key: OPERATOR })).status).toBe(200);
    expect((await call(url, 'GET', '/discover')).json.data).toEqual([]);
  });

  it('leaves nothing to whoever takes the id', async () => {
    const { url } = await startHub();
    const [alice, bob] = [await register(url, 'alice'), await register(url, 'bob')];
    await send(url, bob, 'alice', 'secret');
    await call(url, 'DELETE', '/agents/alice', { key: alice.key });
    const successor = await register(url, 'alice');
    const { json } = await call(url, 'GET', '/agent/messages', { key: successor.key });
    expect(json.data).toEqual([]);
  });
});

describe('the operator', () => {
  it('registers and updates agents; who is there keeps the key', async () => {
    const { url } = await startWithOperator();
    const body = { agent_id: 'alice', agent_card: card('en') };
    expect((await call(url, 'POST', '/agents', { body })).status).toBe(401);
    const created = await call(url, 'POST', '/agents', { key: OPERATOR, body });
    expect(created.status).toBe(201);
    const { api_key: key } = created.json.data;
    const refused = await call(url, 'POST', '/agents', { key, body });
    expect(refused.status).toBe(401);
    expect(refused.json.error.message).toContain('Only for the operator');
    const changed = { ...body, agent_card: card('fr') };
    const updated = await call(url, 'POST', '/agents', { key: OPERATOR, body: changed });
    expect(updated.status).toBe(200);
    expect(updated.json.data).not.toHaveProperty('api_key');
    expect((await call(url, 'GET', '/agent/messages', { key })).status).toBe(200);
    const [entry] = (await call(url, 'GET', '/discover')).json.data;
    expect(entry.culture).toBe('fr');
  });

  it('may send for a registered agent, and for no other', async () => {
    const { url } = await startWithOperator();
    const alice = await register(url, 'alice');
    const body = { receiver_id: 'alice', envelope: envelope(alice.id, 'hi') };
    expect((await call(url, 'POST', '/messages', { key: OPERATOR, body })).status).toBe(202);
    const other = { ...body, envelope: envelope('nobody@localhost', 'hi') };
    const refused = await call(url, 'POST', '/messages', { key: OPERATOR, body: other });
    expect(refused.status).toBe(400);
    expect(refused.json.error.code).toBe('ERR_SENDER_NOT_REGISTERED');
  });

  it('alone lets new agents into a hub that is closed; those that are in it renew their keys', async () => {
    const { url } = await startWithOperator(['--closed']);
    const body = { agent_id: 'alice' };
    const refused = await call(url, 'POST', '/register', { body });
    expect(refused.json.error.code).toBe('ERR_REGISTRY_FULL');
    const created = await call(url, 'POST', '/register', { key: OPERATOR, body });
    expect(created.status).toBe(201);
    const { api_key: key } = created.json.data;
    expect((await call(url, 'POST', '/register', { key, body })).status).toBe(200);
    const other = await call(url, 'POST', '/register', { key, body: { agent_id: 'bob' } });
    expect(other.json.error.code).toBe('ERR_REGISTRY_FULL');
  });

  it('gives out a new key for an agent that lost its own', async () => {
    const { url } = await startWithOperator();
    const lost = await register(url, 'alice');
    const body = { agent_id: 'alice' };
    const { status, json } = await call(url, 'POST', '/register', { key: OPERATOR, body });
    expect(status).toBe(200);
    expect(json.data.api_key).not.toBe(lost.key);
    expect((await call(url, 'GET', '/agent/messages', { key: lost.key })).status).toBe(401);
  });
});

describe('the directory', () => {
  it('filters by culture, language and presence', async () => {
    const { url } = await startHub();
    const alice = await register(url, 'alice', { culture: 'zh-CN' });
    await register(url, 'bob', { culture: 'zh' });
    await register(url, 'carol', { culture: 'en' });
    const inbox = await openInbox(url, alice.key);
    const names = async (query: string) =>
      (await call(url, 'GET', `/discover${query}`)).json.data.map(
        (it: { agent_id: string }) => it.agent_id.split('@')[0],
      );
    expect(await names('')).toEqual(['alice', 'bob', 'carol']);
    expect(await names('?culture=zh')).toEqual(['alice', 'bob']);
    expect(await names('?culture=zh-cn')).toEqual(['alice']);
    expect(await names('?language=en')).toEqual(['carol']);
    expect(await names('?online=true')).toEqual(['alice']);
    expect(await names('?online=false&culture=zh')).toEqual(['bob']);
    expect((await call(url, 'GET', '/discover?online=perhaps')).status).toBe(400);
    inbox.close();
    const { json } = await call(url, 'GET', '/discover?limit=1');
    expect(json.data[0]).toEqual({
      agent_id: 'alice@localhost',
      culture: 'zh-CN',
      languages: ['zh-CN'],
      online: expect.any(Boolean),
    });
  });

  it('is paged', async () => {
    const { url } = await startHub();
    for (const name of ['a', 'b', 'c', 'd', 'e']) await register(url, name);
    const seen: string[] = [];
    let after: string | undefined;
    do {
      const query = after === undefined ? '' : `&after=${after}`;
      const { json } = await call(url, 'GET', `/agents?limit=2${query}`);
      seen.push(...json.data.map((it: { agent_id: string }) => it.agent_id));
      after = json.metadata.next;
    } while (after !== undefined);
    expect(seen.map((id) => id[0])).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect((await call(url, 'GET', '/agents?limit=0')).status).toBe(400);
  });

  it('shows one agent by either form of its address, and never its webhook', async () => {
    const { url } = await startHub();
    await register(url, 'alice', { endpoint: 'https://example.com/secret-path' });
    for (const id of ['alice', 'alice@localhost', 'ALICE@localhost', 'alice%40localhost']) {
      const { status, text, json } = await call(url, 'GET', `/agents/${id}`);
      expect(status).toBe(200);
      expect(json.data.agent_id).toBe('alice@localhost');
      expect(text).not.toContain('secret-path');
    }
  });
});

describe('the invite', () => {
  it('is a page in the reader’s language, without script', async () => {
    const { url } = await startHub();
    await register(url, 'alice', { culture: 'ja' });
    const chinese = await call(url, 'GET', '/invite/alice', {
      headers: {
        Accept: 'text/html',
        'Accept-Language': 'fr;q=0.9, zh-TW;q=0.1, zh;q=0.8, en;q=0.5',
      },
    });
    expect(chinese.status).toBe(200);
    expect(chinese.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(chinese.text).toContain('<html lang="zh-CN">');
    const english = await call(url, 'GET', '/invite/alice', {
      headers: { 'Accept-Language': 'xx' },
    });
    expect(english.text).toContain('<html lang="en">');
    expect(english.text).toContain('alice@localhost');
    expect(english.text).not.toMatch(/<script|javascript:|\son\w+=/i);
    expect(english.headers['content-security-policy']).toContain("default-src 'none'");
  });

  it('is JSON for agents', async () => {
    const { url } = await startHub();
    await register(url, 'alice', { culture: 'ja' });
    const headers = { Accept: 'application/json' };
    const { json } = await call(url, 'GET', '/invite/alice', { headers });
    expect(json.data).toMatchObject({ agent_id: 'alice@localhost', culture: 'ja' });
    expect((await call(url, 'GET', '/invite/nobody', { headers })).status).toBe(404);
  });
});
