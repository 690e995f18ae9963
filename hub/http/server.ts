import { createServer, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { Refusal } from '../refusal.ts';
import { JSON_TYPE, refuse, writeAnswer } from './answers.ts';

export interface HubServer {
  /** Resolves with the port. */
  listen(port: number, host: string): Promise<number>;
  /** Takes no more requests, waits a moment for those under way, then closes all connections. */
  close(graceMs: number): Promise<void>;
}

export function createHubServer(listener: RequestListener): HubServer {
  const server = createServer(
    {
      headersTimeout: 15_000,
      requestTimeout: 30_000,
      connectionsCheckingInterval: 5_000,
      keepAliveTimeout: 75_000,
      maxHeaderSize: 16_384,
      // Answered by us, in our form.
      requireHostHeader: false,
    },
    listener,
  );
  server.on('clientError', answerUnreadable);
  server.on('checkExpectation', (_, outgoing) => {
    const message = 'This hub meets no such expectation.';
    writeAnswer(outgoing, refuse(new Refusal('ERR_VALIDATION', message, { status: 417 })));
  });
  return {
    listen: (port, host) => listen(server, port, host),
    close: (graceMs) => close(server, graceMs),
  };
}

function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host, backlog: 4096 }, () => {
      server.off('error', reject);
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}

async function close(server: Server, graceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const force = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearTimeout(force);
}

const UNREADABLE: Readonly<Record<string, { status: number; message: string }>> = {
  HPE_HEADER_OVERFLOW: { status: 431, message: 'The headers are too large.' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: 'The request took too long to arrive.' },
};

/** What is not even HTTP still gets an answer of our form. */
function answerUnreadable(error: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const { status, message } = UNREADABLE[error.code ?? ''] ?? {
    status: 400,
    message: 'This is not a valid HTTP request.',
  };
  const { body } = refuse(new Refusal('ERR_VALIDATION', message, { status }));
  socket.end(
    `HTTP/1.1 ${status} Refused\r\nContent-Type: ${JSON_TYPE}\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}
