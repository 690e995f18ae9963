import type { ServerResponse } from 'node:http';
import type { Refusal } from '../refusal.ts';
import type { Answer } from './exchange.ts';

export const JSON_TYPE = 'application/json; charset=utf-8';

/** `next`: where the following page of a list begins. */
export function succeed(data: unknown, status = 200, next?: string): Answer {
  return succeedWith(JSON.stringify(data), status, next);
}

/** The same for data that is JSON text already. */
export function succeedWith(data: string, status = 200, next?: string): Answer {
  const timestamp = new Date().toISOString();
  const more = next === undefined ? '' : `,"next":${JSON.stringify(next)}`;
  const metadata = `{"timestamp":"${timestamp}"${more}}`;
  return { status, body: `{"success":true,"data":${data},"metadata":${metadata}}` };
}

export function refuse({ code, message, status, headers }: Refusal): Answer {
  const metadata = { timestamp: new Date().toISOString() };
  const body = JSON.stringify({ success: false, error: { code, message }, metadata });
  return { status, headers, body };
}

export function writeAnswer(outgoing: ServerResponse, answer: Answer): void {
  if (outgoing.headersSent || outgoing.destroyed) {
    // A stream that has begun cannot become a refusal: that it breaks off says so.
    outgoing.destroy();
    return;
  }
  const { status, headers, body, type = JSON_TYPE } = answer;
  outgoing.writeHead(status, {
    'Content-Type': type,
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    ...headers,
  });
  outgoing.end(body);
}
