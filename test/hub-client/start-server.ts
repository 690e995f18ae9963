import http from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { onTestFinished } from 'vitest';

export interface SeenRequest {
  method: string;
  path: string;
  headers: http.IncomingHttpHeaders;
  body: string;
}

export interface TestServer {
  url: string;
  port: number;
  seen: SeenRequest[];
  /** Resolves when a request to this path has arrived whole. */
  sawRequest(path: string): Promise<SeenRequest>;
}

export type Answer = (
  request: SeenRequest,
  response: http.ServerResponse,
  socket: Socket,
) => unknown;

/** A server of the test's own; it does with each request what the test says. */
export async function startServer(
  answer: Answer,
  server: http.Server = http.createServer(),
): Promise<TestServer> {
  const seen: SeenRequest[] = [];
  const waiting: { path: string; resolve: (request: SeenRequest) => void }[] = [];
  server.on('request', async (message: http.IncomingMessage, response: http.ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of message) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString();
    const { method = '', url: path = '', headers } = message;
    const request = { method, path, headers, body };
    seen.push(request);
    await answer(request, response, message.socket);
    for (const waiter of waiting) if (waiter.path === path) waiter.resolve(request);
  });
  const url = await listen(server);
  const sawRequest = (path: string) =>
    new Promise<SeenRequest>((resolve) => {
      const earlier = seen.find((request) => request.path === path);
      if (earlier) resolve(earlier);
      else waiting.push({ path, resolve });
    });
  return { ...url, seen, sawRequest };
}

async function listen(server: http.Server): Promise<{ url: string; port: number }> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  const scheme = 'setSecureContext' in server ? 'https' : 'http';
  return { url: `${scheme}://127.0.0.1:${port}`, port };
}

export function sendJson(response: http.ServerResponse, status: number, document: unknown): void {
  response.writeHead(status, { 'Content-Type': 'application/json' });
  response.end(JSON.stringify(document));
}

/** The shape of every answer in the transport profile. */
export function success(data: unknown): object {
  return { success: true, data, metadata: { timestamp: '2026-11-18T09:30:00.000Z' } };
}

export function failure(code: string, message = ''): object {
  return { success: false, error: { code, message }, metadata: {} };
}
