import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** In which ways the hubs of others differ. */
interface Manners {
  since?: 'id' | 'timestamp';
  /** Whether the stream wants a token in place of the key. */
  session?: boolean;
  /** How many messages a list has at most; such a hub counts ids. */
  page?: number;
}

interface Stored {
  id: number;
  trace_id: string;
  sender_id: string;
  receiver_id: string;
  envelope: unknown;
  timestamp: string;
}

export interface OtherHub {
  url: string;
  /** A message for the agent. `silently`: not on the stream, as if the stream had just broken. */
  push(
    text: string,
    options?: { silently?: boolean; envelope?: object; trace?: string; timestamp?: string },
  ): Stored;
  /** Ends the streams, as a hub does that is restarted. */
  cut(): void;
  /** Forgets everything and counts from the beginning again. */
  reset(): void;
  /** Called when a stream is asked for, before it is open. */
  beforeOpening(act: () => void): void;
  /** The next token is not accepted, as one that has expired. */
  spoilToken(): void;
  /** How many streams are open. */
  streams(): number;
  requests: string[];
  /** The `Last-Event-ID` of the last stream that was asked for. */
  lastEventId(): string | undefined;
}

const KEY = 'ca_key';
const OWNER = 'me@hub.example';

/** A hub of another make, for one agent. It replays nothing on its stream. */
export async function startOtherHub(manners: Manners = {}): Promise<OtherHub> {
  let messages: Stored[] = [];
  const open = new Set<http.ServerResponse>();
  const tokens = new Set<string>();
  const requests: string[] = [];
  let count = 0;
  let opening = () => {};
  let isSpoilt = false;
  let lastEventId: string | undefined;

  const server = http.createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://hub');
    requests.push(`${request.method} ${url.pathname}${url.search}`);
    const hasKey = request.headers.authorization === `Bearer ${KEY}`;
    const answer = (status: number, data: unknown) => {
      response.writeHead(status, { 'Content-Type': 'application/json' });
      response.end(
        JSON.stringify({ success: status < 300, data, error: { code: 'ERR', message: '' } }),
      );
    };
    switch (url.pathname) {
      case '/.well-known/chorus.json': {
        const endpoints = {
          inbox: '/in',
          history: '/list',
          ...(manners.session ? { session: '/token' } : {}),
        };
        response.writeHead(200, { 'Content-Type': 'application/json' });
        response.end(JSON.stringify({ chorus_version: '0.4', since: manners.since, endpoints }));
        return;
      }
      case '/list':
        return hasKey ? answer(200, list(url.searchParams.get('since'))) : answer(401, null);
      case '/token': {
        const token = `token-${++count}`;
        if (!isSpoilt) tokens.add(token);
        isSpoilt = false;
        return hasKey ? answer(200, { session_token: token }) : answer(401, null);
      }
      case '/in': {
        const isOpen = manners.session
          ? tokens.delete(url.searchParams.get('session') ?? '')
          : hasKey;
        if (!isOpen) return answer(401, null);
        lastEventId = request.headers['last-event-id'] as string | undefined;
        opening();
        response.writeHead(200, { 'Content-Type': 'text/event-stream' });
        response.write('event: connected\ndata: {}\n\n');
        open.add(response);
        request.on('close', () => open.delete(response));
        return;
      }
      default:
        return answer(404, null);
    }
  });

  const list = (since: string | null): Stored[] => {
    if (since === null) return messages;
    if (manners.since === 'id') {
      return messages.filter(({ id }) => id > Number(since)).slice(0, manners.page);
    }
    // To a time it is inclusive; to anything else the answer is empty.
    const from = Date.parse(since);
    return messages.filter(({ timestamp }) => Date.parse(timestamp) >= from);
  };

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    streams: () => open.size,
    lastEventId: () => lastEventId,
    beforeOpening(act) {
      opening = act;
    },
    spoilToken() {
      isSpoilt = true;
    },
    push(text, { silently = false, envelope = {}, trace = `trace-${++count}`, timestamp } = {}) {
      const message: Stored = {
        id: messages.length + 1,
        trace_id: trace,
        sender_id: 'you@hub.example',
        receiver_id: OWNER,
        envelope: {
          chorus_version: '0.4',
          sender_id: 'you@hub.example',
          original_text: text,
          sender_culture: 'ja',
          ...envelope,
        },
        timestamp: timestamp ?? new Date().toISOString(),
      };
      messages.push(message);
      const { id: _, receiver_id: __, ...event } = message;
      const numbered = manners.since === 'id' ? `id: ${message.id}\n` : '';
      for (const stream of silently ? [] : open) {
        stream.write(`${numbered}event: message\ndata: ${JSON.stringify(event)}\n\n`);
      }
      return message;
    },
    cut() {
      for (const stream of open) stream.destroy();
    },
    reset() {
      messages = [];
      for (const stream of open) stream.destroy();
    },
  };
}

export const OTHER_HUB_AGENT = { id: OWNER, key: KEY } as const;
