import type { ServerResponse } from 'node:http';

export function writeStreamHead(outgoing: ServerResponse): void {
  outgoing.writeHead(200, {
    'Content-Type': 'text/event-stream; charset=utf-8',
    'Cache-Control': 'no-store',
    Connection: 'close',
    'X-Content-Type-Options': 'nosniff',
    // nginx would hold the events back.
    'X-Accel-Buffering': 'no',
  });
}
