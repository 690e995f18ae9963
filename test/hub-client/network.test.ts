import https from 'node:https';
import net, { type AddressInfo } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createHttpClient, type HttpRequest } from '../../cli/hub-client/http-client.ts';
import { createHubClient } from '../../cli/hub-client/hub-client.ts';
import { NetworkError } from '../../cli/hub-client/network-error.ts';
import { chooseProxy } from '../../cli/hub-client/proxy.ts';
import { makeCertificate } from './make-certificate.ts';
import { startProxy } from './start-proxy.ts';
import { type Answer, sendJson, startServer, success } from './start-server.ts';

async function fetchFailure(url: string, request: Partial<HttpRequest> = {}, env = {}) {
  const connectTimeoutMs = request.signal ? 60_000 : 300;
  const http = createHttpClient({ env, connectTimeoutMs });
  const error = await http
    .request({ method: 'POST', url: new URL(url), body: '{}', ...request })
    .then(
      ({ status }) => status,
      (thrown: unknown) => thrown,
    );
  expect(error).toBeInstanceOf(NetworkError);
  const { code, args, mayHaveArrived } = error as NetworkError;
  return { code, args, mayHaveArrived };
}

/** A server below HTTP: the test has the bare socket. */
async function startSocketServer(onSocket: (socket: net.Socket) => void): Promise<string> {
  const sockets = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    onSocket(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('a failure says what it is and whether the request may have arrived', () => {
  it('no such name', async () => {
    const failure = await fetchFailure('http://no-such-hub.invalid');
    expect(failure).toMatchObject({ code: 'hub-name-not-found', mayHaveArrived: false });
  });

  it('nobody listens', async () => {
    const failure = await fetchFailure('http://127.0.0.1:1');
    expect(failure).toMatchObject({ code: 'hub-refused', mayHaveArrived: false });
    expect(failure.args).toEqual({ host: '127.0.0.1:1', reason: 'ECONNREFUSED' });
  });

  it('no answer in time', async () => {
    const server = await startServer(() => {});
    const failure = await fetchFailure(server.url, { timeoutMs: 200 });
    expect(failure).toMatchObject({ code: 'hub-timeout', mayHaveArrived: true });
  });

  it('no handshake in time', async () => {
    const url = await startSocketServer(() => {});
    const failure = await fetchFailure(url.replace('http:', 'https:'));
    expect(failure).toMatchObject({ code: 'hub-timeout', mayHaveArrived: false });
  });

  it('half an answer', async () => {
    const server = await startServer((_, response, socket) => {
      response.writeHead(201, { 'Content-Length': '100' });
      response.write('{"success": tr', () => socket.destroy());
    });
    const failure = await fetchFailure(server.url);
    expect(failure).toMatchObject({ code: 'hub-closed', mayHaveArrived: true });
  });

  it('half an answer that then hangs', async () => {
    const server = await startServer((_, response) => {
      response.writeHead(201, { 'Content-Length': '100' });
      response.write('{"success": tr');
    });
    const failure = await fetchFailure(server.url, { timeoutMs: 200 });
    expect(failure).toMatchObject({ code: 'hub-timeout', mayHaveArrived: true });
  });

  it('a connection that is cut', async () => {
    const server = await startServer((_, __, socket) => socket.destroy());
    const failure = await fetchFailure(server.url);
    expect(failure).toMatchObject({ code: 'hub-closed', mayHaveArrived: true });
  });

  it('something that is not HTTP', async () => {
    const url = await startSocketServer((socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n'));
    expect(await fetchFailure(url)).toMatchObject({ code: 'hub-not-json' });
  });

  it('an answer that is too large, told before it is read whole', async () => {
    const server = await startServer((_, response) => {
      response.writeHead(200);
      const chunk = Buffer.alloc(1 << 16, 'x');
      const more = () => {
        while (!response.destroyed && response.write(chunk));
        if (!response.destroyed) response.once('drain', more);
      };
      more();
    });
    expect(await fetchFailure(server.url)).toMatchObject({ code: 'hub-too-large' });
  });

  it('cancelled while it connects leaves no connection behind', async () => {
    const stop = new AbortController();
    let close = () => {};
    const closed = new Promise<void>((resolve) => {
      close = resolve;
    });
    const url = await startSocketServer((socket) => {
      socket.on('close', close);
      stop.abort();
    });
    const request = { signal: stop.signal };
    const failure = await fetchFailure(url.replace('http:', 'https:'), request);
    expect(failure).toMatchObject({ code: 'cancelled', mayHaveArrived: false });
    await closed;
  });

  it('cancelled by the user, before and after it was sent', async () => {
    const stop = AbortSignal.abort();
    const early = await fetchFailure('http://127.0.0.1:1', { signal: stop });
    expect(early).toMatchObject({ code: 'cancelled', mayHaveArrived: false });
    const later = new AbortController();
    const server = await startServer(() => later.abort());
    const late = await fetchFailure(server.url, { signal: later.signal });
    expect(late).toMatchObject({ code: 'cancelled', mayHaveArrived: true });
  });
});

describe('TLS', () => {
  const start = (certificate: { cert: string; key: string }) =>
    startServer((_, response) => response.end('{}'), https.createServer(certificate));
  const authority = { ...makeCertificate({ name: 'nobody' }), name: 'nobody' };

  it.each([
    ['hub-tls-self-signed', () => makeCertificate()],
    ['hub-tls', () => makeCertificate({ signer: authority })],
  ])('%s', async (code, make) => {
    const server = await start(make());
    expect(await fetchFailure(server.url)).toMatchObject({ code, mayHaveArrived: false });
  });

  it('plain http where TLS is expected', async () => {
    const server = await startServer((_, response) => response.end('{}'));
    const url = server.url.replace('http:', 'https:');
    expect(await fetchFailure(url)).toMatchObject({ code: 'hub-tls', mayHaveArrived: false });
  });
});

describe('redirects', () => {
  const client = (url: string) =>
    createHubClient({ url: new URL(url), key: 'ca_1', http: createHttpClient({ env: {} }) });
  const redirect =
    (status: number, location: string): Answer =>
    ({ path }, response) => {
      if (path !== '/health') return sendJson(response, 200, success({}));
      response.writeHead(status, { Location: location });
      response.end();
    };

  it.each([301, 302, 307, 308])('%i to another origin is told and not followed', async (status) => {
    const other = await startServer((_, response) => sendJson(response, 200, {}));
    const server = await startServer(redirect(status, `${other.url}/health`));
    const error = await client(server.url)
      .health()
      .catch((thrown) => thrown);
    expect(error).toMatchObject({ code: 'hub-redirect', args: { origin: other.url } });
    expect(other.seen).toEqual([]);
  });

  it('on the same origin are followed, and not for ever', async () => {
    const server = await startServer(redirect(302, '/other'));
    expect(await client(server.url).health()).toMatchObject({ ok: true });
    const loop = await startServer(redirect(302, '/health'));
    const error = await client(loop.url)
      .health()
      .catch((thrown) => thrown);
    expect(error).toMatchObject({ code: 'hub-redirect' });
  });

  it('do not turn a POST into a GET', async () => {
    const server = await startServer(({ path }, response) => {
      if (path !== '/messages') return sendJson(response, 404, {});
      response.writeHead(303, { Location: '/done' });
      response.end();
    });
    const body = { receiver_id: 'a@b', envelope: {} };
    const error = await client(server.url)
      .send(body)
      .catch((thrown) => thrown);
    expect(error).toMatchObject({ code: 'hub-redirect', mayHaveArrived: true });
  });
});

it("a network's sign-in page is recognised", async () => {
  const server = await startServer((_, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html' });
    response.end('<!doctype html><title>Welcome to Hotel WiFi</title>');
  });
  const hub = createHubClient({ url: new URL(server.url), http: createHttpClient({ env: {} }) });
  const error = await hub.discovery().catch((thrown) => thrown);
  expect(error).toMatchObject({ code: 'hub-not-json', args: { got: 'HTML' } });
});

describe('a proxy', () => {
  it('gets the whole address for http, and its own account', async () => {
    const server = await startServer((_, response) => response.end('hello'));
    const proxy = await startProxy({ to: server.port, account: 'me:p%40ss' });
    const http = createHttpClient({ env: { http_proxy: proxy.url.replace('p%40ss', 'p%2540ss') } });
    const url = new URL('http://hub.test/health?a=1');
    expect((await http.request({ method: 'GET', url })).body.toString()).toBe('hello');
    expect(proxy.asked).toEqual(['GET http://hub.test/health?a=1']);
    expect(server.seen[0]?.headers.host).toBe('hub.test');
  });

  it('may have a bare percent sign in its password', async () => {
    const server = await startServer((_, response) => response.end('hello'));
    const proxy = await startProxy({ to: server.port, account: 'me:100%x' });
    const http = createHttpClient({ env: { HTTP_PROXY: proxy.url } });
    const answer = await http.request({ method: 'GET', url: new URL('http://hub.test') });
    expect(answer.body.toString()).toBe('hello');
  });

  it.each([
    ['http://hub.test', 'HTTP_PROXY'],
    ['https://hub.test', 'HTTPS_PROXY'],
  ])('that wants another account for %s says so', async (url, name) => {
    const proxy = await startProxy({ to: 1, account: 'me:secret' });
    const failure = await fetchFailure(url, {}, { [name]: proxy.url.replace('secret', 'wrong') });
    expect(failure).toMatchObject({ code: 'proxy-refused', args: { status: 407 } });
    expect(failure.mayHaveArrived).toBe(false);
    expect(JSON.stringify(failure)).not.toContain('wrong');
  });

  it('tunnels https, so that it sees nothing of the request', async () => {
    const server = await startServer(
      (_, response) => response.end(),
      https.createServer(makeCertificate()),
    );
    const proxy = await startProxy({ to: server.port });
    const failure = await fetchFailure('https://hub.test', {}, { HTTPS_PROXY: proxy.url });
    // The tunnel stands: what fails is the certificate at its end.
    expect(failure).toMatchObject({ code: 'hub-tls-self-signed' });
    expect(proxy.asked).toEqual(['CONNECT hub.test:443']);
  });

  it('that is not there is told apart from a hub that is not', async () => {
    const failure = await fetchFailure('http://hub.test', {}, { HTTP_PROXY: 'http://127.0.0.1:1' });
    expect(failure).toMatchObject({ code: 'proxy-unreachable', mayHaveArrived: false });
  });

  it.each(['socks5://a:1', 'nonsense://', 'http://'])('at %s is refused', async (HTTP_PROXY) => {
    expect(await fetchFailure('http://hub.test', {}, { HTTP_PROXY })).toMatchObject({
      code: 'proxy-unusable',
      args: { variable: 'HTTP_PROXY' },
    });
  });

  const choose = (url: string, NO_PROXY: string) =>
    chooseProxy(new URL(url), { HTTPS_PROXY: 'p:1', HTTP_PROXY: 'p:2', NO_PROXY })?.host;

  it.each([
    ['https://hub.example', 'hub.example'],
    ['https://a.hub.example', '.hub.example, other'],
    ['https://a.hub.example', '*.hub.example'],
    ['https://HUB.example:8443', 'hub.EXAMPLE:8443'],
    ['https://10.1.2.3', '10.0.0.0/8'],
    ['https://[fd00::1]', 'fd00::/16'],
    ['https://[fd00::1]', 'fd00:0::1'],
    ['https://[fd00::1]:8443', '[fd00::1]:8443'],
    ['https://[fe80::1]', 'fe80::1%eth0'],
    ['https://hub.example', '*'],
    ['http://localhost:1', ''],
    ['http://127.0.0.1:1', ''],
  ])('is not used for %s with NO_PROXY=%s', (url, list) => {
    expect(choose(url, list)).toBeUndefined();
  });

  it.each([
    ['https://nothub.example', 'hub.example', 'p:1'],
    ['https://hub.example', 'hub.example:444', 'p:1'],
    ['https://11.1.2.3', '10.0.0.0/8', 'p:1'],
    ['http://10.1.2.3', '10.0.0.0/99', 'p:2'],
  ])('is used for %s with NO_PROXY=%s', (url, list, proxy) => {
    expect(choose(url, list)).toBe(proxy);
  });

  it('is chosen without a failure whatever NO_PROXY holds', () => {
    fc.assert(fc.property(fc.string(), (list) => void choose('https://hub.example', list)));
  });
});
