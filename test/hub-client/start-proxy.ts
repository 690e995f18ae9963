import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

interface Proxy {
  /** For HTTP_PROXY and HTTPS_PROXY. */
  url: string;
  /** What it was asked for: `CONNECT hub.test:443`, `GET http://hub.test/health`. */
  asked: string[];
}

interface ProxyOptions {
  /** The port on this machine that every name stands for. */
  to: number;
  /** `name:password`; others get 407. */
  account?: string;
  /** Whether an answer is collected before it is passed on, or before even its head is. */
  buffers?: 'body' | 'head' | undefined;
}

/** A proxy of the test's own. It knows names that nobody else does. */
export async function startProxy({ to, account, buffers }: ProxyOptions): Promise<Proxy> {
  const asked: string[] = [];
  const wanted = account && `Basic ${Buffer.from(account).toString('base64')}`;
  const server = http.createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    if (wanted && request.headers['proxy-authorization'] !== wanted) {
      response.writeHead(407).end();
      return;
    }
    const { pathname, search } = new URL(request.url ?? '', 'http://none.test');
    const options = { port: to, method: request.method, path: pathname + search };
    const onward = http.request({ ...options, headers: request.headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, { ...answer.headers, via: '1.1 test-proxy' });
      if (!buffers) return answer.pipe(response);
      if (buffers === 'body') response.flushHeaders();
      const chunks: Buffer[] = [];
      answer.on('data', (chunk) => chunks.push(chunk));
      answer.on('end', () => response.end(Buffer.concat(chunks)));
      return undefined;
    });
    onward.on('error', () => response.destroy());
    response.on('close', () => onward.destroy());
    request.pipe(onward);
  });
  const tunnels = new Set<net.Socket>();
  server.on('connect', (request: http.IncomingMessage, socket: net.Socket) => {
    asked.push(`CONNECT ${request.url}`);
    if (wanted && request.headers['proxy-authorization'] !== wanted) {
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
      return;
    }
    const onward = net.connect(to, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      socket.pipe(onward).pipe(socket);
    });
    for (const end of [socket, onward]) {
      tunnels.add(end);
      end.on('error', () => {});
      end.on('close', () => tunnels.delete(end));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    for (const tunnel of tunnels) tunnel.destroy();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const login = account ? `${account}@` : '';
  return { url: `http://${login}127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}
