import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface WebhookServer {
  url: string;
  server: http.Server;
  /** The texts it was posted, in order. */
  received: string[];
  /** Resolves when so many have come. */
  until(count: number): Promise<void>;
  /** How it answers from now on. */
  answer: http.RequestListener;
}

export const answerOk: http.RequestListener = (_, response) => {
  response.setHeader('Content-Type', 'application/json');
  response.end('{"status":"ok"}');
};

/** An agent's webhook on this machine. */
export async function startWebhook(
  answer: http.RequestListener = answerOk,
): Promise<WebhookServer> {
  const waiting = new Set<() => void>();
  const server = http.createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8');
    request.on('data', (chunk: string) => {
      text += chunk;
    });
    request.on('end', () => {
      webhook.received.push(JSON.parse(text).envelope.original_text);
      webhook.answer(request, response);
      for (const check of [...waiting]) check();
    });
  });
  const webhook: WebhookServer = {
    url: '',
    server,
    received: [],
    answer,
    until: (count) =>
      new Promise((resolve) => {
        const check = () => {
          if (webhook.received.length < count) return;
          waiting.delete(check);
          resolve();
        };
        waiting.add(check);
        check();
      }),
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  webhook.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  return webhook;
}
