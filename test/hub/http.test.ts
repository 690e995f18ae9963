import net from 'node:net';
import path from 'node:path';
import { execa } from 'execa';
import fs from 'fs-extra';
import { describe, expect, it, onTestFinished } from 'vitest';
import { binary, makeFolder, runBinary } from '../run-binary.ts';
import { call, envelope, register } from './hub-api.ts';
import { startHub } from './start-hub.ts';

/** Whatever a server says to some bytes until it closes the connection. */
function talk(url: string, bytes: string): Promise<string> {
  const { port, hostname } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = net.connect(Number(port), hostname, () => socket.write(bytes));
    let text = '';
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => {
      text += chunk;
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(text));
  });
}

const parseBody = (answer: string) => JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4));

describe('every answer has the one shape', () => {
  it.each([
    ['GET', '/nowhere', 404, 'ERR_NOT_FOUND'],
    ['GET', '/agents/../../etc/passwd', 404, 'ERR_NOT_FOUND'],
    ['GET', '/agents/%2e%2e%2fetc', 404, 'ERR_AGENT_NOT_FOUND'],
    ['GET', '/agents/%ff', 404, 'ERR_AGENT_NOT_FOUND'],
    ['GET', '/agents/__proto__', 404, 'ERR_AGENT_NOT_FOUND'],
    ['GET', '/invite/nobody', 404, 'ERR_AGENT_NOT_FOUND'],
    ['GET', '/messages', 405, 'ERR_METHOD_NOT_ALLOWED'],
    ['PUT', '/agents/alice', 405, 'ERR_METHOD_NOT_ALLOWED'],
    ['PATCH', '/health', 405, 'ERR_METHOD_NOT_ALLOWED'],
    ['POST', '/register', 400, 'ERR_VALIDATION'],
    ['GET', '/agent/messages', 401, 'ERR_UNAUTHORIZED'],
  ])('%s %s', async (method, path, status, code) => {
    const { url } = await startHub();
    const answer = await call(url, method, path);
    expect({ status: answer.status, code: answer.json?.error.code }).toEqual({ status, code });
    expect(answer.json).toEqual({
      success: false,
      error: { code, message: expect.stringMatching(/\w/) },
      metadata: { timestamp: expect.stringMatching(/^\d{4}-.*Z$/) },
    });
  });

  it('405 says what is allowed', async () => {
    const { url } = await startHub();
    const allow = async (path: string) =>
      (await call(url, 'PATCH', path)).headers.allow?.split(', ').sort();
    expect(await allow('/messages')).toEqual(['POST']);
    expect(await allow('/agents')).toEqual(['GET', 'HEAD', 'POST']);
    expect(await allow('/agents/x')).toEqual(['DELETE', 'GET', 'HEAD']);
  });

  it('HEAD answers without a body, and does not open an inbox', async () => {
    const { url } = await startHub();
    const { key } = await register(url, 'alice');
    const health = await call(url, 'HEAD', '/health');
    expect({ status: health.status, text: health.text }).toEqual({ status: 200, text: '' });
    expect((await call(url, 'HEAD', '/agent/inbox', { key })).status).toBe(405);
  });

  it('413 for a body that is too long, said or not', async () => {
    const { url } = await startHub();
    const { key } = await register(url, 'alice');
    const body = JSON.stringify({ padding: 'x'.repeat(70_000) });
    const long = await call(url, 'POST', '/messages', { key, body });
    expect({ status: long.status, code: long.json.error.code }).toEqual({
      status: 413,
      code: 'ERR_TOO_LARGE',
    });
    const chunk = `${(65_000).toString(16)}\r\n${'x'.repeat(65_000)}\r\n`;
    const head = `POST /messages HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer ${key}\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const answer = await talk(url, `${head}${chunk}${chunk}`);
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(parseBody(answer).error.code).toBe('ERR_TOO_LARGE');
  });

  it('429 with Retry-After, for each key and each address', async () => {
    const { url } = await startHub({ lifted: false, args: ['--rate-messages', '2'] });
    const [alice, bob] = [await register(url, 'alice'), await register(url, 'bob')];
    const post = (agent: { id: string; key: string }) =>
      call(url, 'POST', '/messages', {
        key: agent.key,
        body: { receiver_id: 'bob', envelope: envelope(agent.id, 'hi') },
      });
    const statuses = [await post(alice), await post(alice)].map(({ status }) => status);
    expect(statuses).toEqual([202, 202]);
    const limited = await post(alice);
    expect(limited.status).toBe(429);
    expect(limited.json.error.code).toBe('ERR_RATE_LIMITED');
    expect(Number(limited.headers['retry-after'])).toBeGreaterThanOrEqual(29);
    expect((await post(bob)).status).toBe(202);

    const few = await startHub({ lifted: false, args: ['--rate-requests', '3'] });
    for (const _ of [1, 2, 3]) expect((await call(few.url, 'GET', '/health')).status).toBe(200);
    expect((await call(few.url, 'GET', '/nowhere')).status).toBe(429);
    const registrations = await startHub({
      lifted: false,
      env: { CHORUS_HUB_RATE_REGISTRATIONS: '1' },
    });
    await register(registrations.url, 'alice');
    const body = { agent_id: 'bob' };
    expect((await call(registrations.url, 'POST', '/register', { body })).status).toBe(429);
  });

  it('believes X-Forwarded-For only from a proxy it was told of', async () => {
    const from = (url: string, address: string) =>
      call(url, 'GET', '/health', { headers: { 'X-Forwarded-For': `6.6.6.6, ${address}` } });
    const limited = ['--rate-requests', '1'];
    const direct = await startHub({ lifted: false, args: limited });
    expect((await from(direct.url, '1.1.1.1')).status).toBe(200);
    expect((await from(direct.url, '2.2.2.2')).status).toBe(429);
    const proxied = await startHub({
      lifted: false,
      args: [...limited, '--trust-proxy', '127.0.0.1'],
    });
    expect((await from(proxied.url, '1.1.1.1')).status).toBe(200);
    expect((await from(proxied.url, '2.2.2.2')).status).toBe(200);
    expect((await from(proxied.url, '2.2.2.2')).status).toBe(429);
  });

  it.each([
    ['what is not HTTP', 'hello\r\n\r\n', 400],
    ['huge headers', `GET /health HTTP/1.1\r\nHost: h\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
    ['a host that is none', 'GET /health HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n', 400],
    [
      'two lengths',
      'POST /register HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
      400,
    ],
    [
      'length and chunks together',
      'POST /register HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
    ],
    [
      'a header folded over lines',
      'GET /health HTTP/1.1\r\nHost: h\r\nA: b\r\n c\r\nConnection: close\r\n\r\n',
      400,
    ],
    ['a bare line feed', 'GET /health HTTP/1.1\nHost: h\nConnection: close\n\n', 400],
    [
      'an unknown expectation',
      'GET /health HTTP/1.1\r\nHost: h\r\nExpect: magic\r\nConnection: close\r\n\r\n',
      417,
    ],
  ])('%s', async (_, bytes, status) => {
    const { url } = await startHub();
    const answer = await talk(url, bytes);
    expect(answer.slice(0, 12)).toBe(`HTTP/1.1 ${status}`);
    expect(parseBody(answer)).toMatchObject({ success: false, error: { code: 'ERR_VALIDATION' } });
  });

  it('without a host, as HTTP/1.0 allows', async () => {
    const { url } = await startHub();
    expect(await talk(url, 'GET /health HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 /);
  });
});

it('a form from a web page is not taken for JSON', async () => {
  const { url } = await startHub();
  const body = '{"agent_id":"alice"}';
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']) {
    const headers = { 'Content-Type': type };
    expect((await call(url, 'POST', '/register', { body, headers })).status).toBe(400);
  }
  const untyped = (header: string) =>
    talk(
      url,
      `POST /register HTTP/1.1\r\nHost: h\r\n${header}Connection: close\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
  expect(await untyped('Origin: https://page.example\r\n')).toMatch(/^HTTP\/1\.1 400 /);
  expect(await untyped('')).toMatch(/^HTTP\/1\.1 201 /);
});

it('the discovery document says what a client needs', async () => {
  const { url } = await startHub({
    args: ['--name', 'hub.example', '--title', 'Team', '--max-text', '99', '--max-body', '2000'],
  });
  const { json } = await call(url, 'GET', '/.well-known/chorus.json');
  expect(json).toMatchObject({
    chorus_version: '0.4',
    server_name: 'Team',
    host: 'hub.example',
    since: 'id',
    limits: { original_text: 99, body_bytes: 2000 },
    endpoints: { skill: '/skill', session: '/agent/session' },
  });
});

it('/skill is the skill in the asked language', async () => {
  const { url } = await startHub();
  const english = await call(url, 'GET', '/skill');
  expect(english.headers['content-type']).toBe('text/markdown; charset=utf-8');
  expect(english.text).toMatch(/^---\nname: chorus\n/);
  const chinese = await call(url, 'GET', '/skill', { headers: { 'Accept-Language': 'zh' } });
  expect(chinese.text).toMatch(/智能体/);
  expect((await call(url, 'GET', '/skill?lang=zh-CN')).text).toBe(chinese.text);
});

/** What a hub tells people when it is ready; then it ends. */
async function showStart(more: readonly string[]): Promise<string> {
  const args = [binary, 'hub', '--memory', '--port', '0', ...more];
  const hub = execa(process.execPath, args, { env: { LC_ALL: 'en_US.UTF-8' }, reject: false });
  onTestFinished(() => void hub.kill('SIGKILL'));
  let shown = '';
  for await (const line of hub) {
    shown += `${line}\n`;
    if (line === 'Ctrl+C ends it.') hub.kill('SIGTERM');
  }
  return shown;
}

describe('the command', () => {
  it.each([
    [['--port', 'many'], 2, '--port is "many"'],
    [['--port', '70000'], 2, '65535'],
    [['--max-text', '0'], 2, '--max-text'],
    [['--memory', '--data', 'x'], 2, '--memory'],
    [['--name', 'my hub'], 2, 'my hub'],
    [['--url', 'hub.example'], 2, 'hub.example'],
    [['--trust-proxy', '127.0.0.1, proxy.example'], 2, '--trust-proxy is "proxy.example"'],
    [['--trust-proxy', '10.0.0.0/8'], 2, 'IP addresses'],
    [['--closed'], 2, '--operator-key-file'],
    [['--operator-key-file', 'missing'], 2, 'missing'],
    [['--prot', '1'], 2, '--port'],
    [['--host', '203.0.113.1'], 1, '203.0.113.1'],
  ])('%j is refused', async (args, exitCode, message) => {
    const memory = args.includes('--memory') ? [] : ['--memory'];
    const result = await runBinary(['hub', ...memory, '--port', '0', ...args], { cwd: '/tmp' });
    expect(result.exitCode).toBe(exitCode);
    expect(result.stderr).toContain(message);
  });

  it('says where it listens when others reach it elsewhere', async () => {
    const url = 'https://hub.example';
    const { listens } = await startHub({ args: ['--url', url] });
    expect((await call(listens, 'GET', '/health')).status).toBe(200);

    const shown = await showStart(['--url', url]);
    expect(shown).toContain(`The hub is ready: ${url}\n`);
    expect(shown).toMatch(/^ {2}listens: {3}http:\/\/127\.0\.0\.1:\d+$/m);
    expect(shown).toContain(`register --hub ${url}\n`);
  });

  it('tells nobody to register where only the operator does that', async () => {
    const file = path.join(await makeFolder(), 'key');
    await fs.writeFile(file, 'x'.repeat(32), { mode: 0o600 });
    const shown = await showStart(['--closed', '--operator-key-file', file]);
    expect(shown).not.toContain('register');
  });

  it('refuses a port that is taken', async () => {
    const { url } = await startHub();
    const { port } = new URL(url);
    const args = ['hub', '--memory', '--port', port, '--json'];
    const { exitCode, stdout } = await runBinary(args, { cwd: '/tmp' });
    expect(exitCode).toBe(1);
    expect(JSON.parse(stdout).error).toMatchObject({ code: 'hub-port-taken' });
  });
});
