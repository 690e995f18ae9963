import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { makeFolder } from '../run-binary.ts';
import { call, openInbox, register, send } from './hub-api.ts';
import { startHub } from './start-hub.ts';
import { startWebhook } from './webhook-server.ts';

it('the log names what happens, and no key, hash, token, text or webhook', async () => {
  const args = ['--data', await makeFolder(), '--log-requests', '--allow-loopback-webhooks'];
  const hub = await startHub({ args });
  const { url } = hub;
  const webhook = await startWebhook((_, response) => response.writeHead(500).end());
  const [alice, bob] = [await register(url, 'alice'), await register(url, 'bob')];
  await register(url, 'carol', { endpoint: `${webhook.url}/secret-path` });
  const session = await call(url, 'POST', '/agent/session', { key: bob.key });
  const { session_token: token } = session.json.data;
  const inbox = await openInbox(url, undefined, { path: `/agent/inbox?session=${token}` });
  const text = 'a text that nobody else may read';
  await send(url, alice, 'bob', text, { 'Idempotency-Key': 'once-key-of-alice' });
  await send(url, alice, 'carol', text);
  await inbox.messages(1);
  await call(url, 'POST', '/messages', { key: alice.key, body: `{"original_text":"${text}` });
  await call(url, 'GET', '/agent/messages', { key: `${alice.key}x` });
  const renewed = await call(url, 'POST', '/register', { key: bob.key, body: { agent_id: 'bob' } });
  const newKey = renewed.json.data.api_key;
  await call(url, 'DELETE', '/agents/bob', { key: newKey });
  await hub.stop();

  const log = hub.log.join('\n');
  const events = new Set(hub.log.map((line) => JSON.parse(line).event));
  for (const event of [
    'registered',
    'key-replaced',
    'unregistered',
    'webhook-failed',
    'request',
    'stopping',
  ]) {
    expect(events).toContain(event);
  }
  const secrets = [alice.key, bob.key, newKey, token, text, 'once-key-of-alice', 'secret-path'];
  for (const key of [alice.key, bob.key, newKey]) {
    for (const form of ['base64', 'base64url', 'hex'] as const) {
      secrets.push(createHash('sha256').update(key).digest(form));
    }
  }
  for (const secret of secrets) expect(log).not.toContain(secret);
  expect(log).not.toMatch(/ca_\w/);
});
