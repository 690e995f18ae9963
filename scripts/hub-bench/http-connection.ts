import net from 'node:net';

/** One kept-alive connection that sends prepared requests one after the other. */
export class HttpConnection {
  readonly #socket: net.Socket;
  #received = '';
  #answer: ((status: number) => void) | undefined;

  constructor(port: number) {
    this.#socket = net.connect({ port, host: '127.0.0.1', noDelay: true });
    this.#socket.setEncoding('latin1');
    this.#socket.on('data', (chunk: string) => this.#take(chunk));
    this.#socket.on('error', (error) => {
      throw error;
    });
  }

  /** Resolves with the status when the whole answer is there. */
  send(request: string): Promise<number> {
    return new Promise((resolve) => {
      this.#answer = resolve;
      this.#socket.write(request);
    });
  }

  close(): void {
    this.#socket.destroy();
  }

  // As little as possible: the load must not take the processor from what it measures.
  #take(chunk: string): void {
    this.#received += chunk;
    const end = this.#received.indexOf('\r\n\r\n');
    if (end === -1) return;
    const at = this.#received.search(/content-length: /i);
    const length = Number.parseInt(this.#received.slice(at + 16, at + 24), 10);
    if (this.#received.length < end + 4 + length) return;
    const status = Number(this.#received.slice(9, 12));
    this.#received = '';
    this.#answer?.(status);
  }
}

export function formatRequest(method: string, path: string, key: string, body?: object): string {
  const text = body === undefined ? '' : JSON.stringify(body);
  return `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
}
