import { keyHeaders, readRedirect } from './call-hub.ts';
import { createDeadline } from './deadline.ts';
import type { HttpClient } from './http-client.ts';
import { type HubAnswer, parseAnswer } from './hub-answer.ts';
import { type InboxEvent, readInboxStream } from './inbox-stream.ts';
import { NetworkError } from './network-error.ts';

export interface InboxOptions {
  /** The last event that is handled, for hubs that number them. */
  lastEventId?: string;
  /** After so long without a sign the stream counts as dead. */
  silenceMs?: number;
  signal?: AbortSignal | undefined;
}

export interface Inbox {
  /** Whether the hub took the key itself or wanted a token for it. */
  via: 'key' | 'session';
  events: AsyncIterable<InboxEvent>;
  /** Whether something between the hub and us may hold events back. */
  headers: Readonly<Record<string, string | string[] | undefined>>;
}

interface InboxRequest extends InboxOptions {
  http: HttpClient;
  target: URL;
  /** One of the two. */
  key?: string | undefined;
  token?: string;
  timeoutMs?: number | undefined;
}

const SILENCE = 60_000;
const ANSWER_TIMEOUT = 30_000;

export async function openInbox(request: InboxRequest): Promise<HubAnswer<Inbox>> {
  const { http, key, token, lastEventId, signal, silenceMs = SILENCE } = request;
  const { timeoutMs = ANSWER_TIMEOUT } = request;
  const url = new URL(request.target);
  if (token !== undefined) url.searchParams.set('session', token);
  const startedAt = performance.now();
  const stream = await http.open({
    method: 'GET',
    url,
    headers: {
      Accept: 'text/event-stream',
      'Cache-Control': 'no-cache',
      ...keyHeaders(key),
      ...(lastEventId === undefined ? {} : { 'Last-Event-ID': lastEventId }),
    },
    timeoutMs,
    signal,
  });
  const elapsedMs = performance.now() - startedAt;
  const { status, headers } = stream;
  const contentType = headers['content-type'] ?? '';
  if (status === 200 && /^text\/event-stream\b/i.test(contentType)) {
    const events = readInboxStream(stream, { silenceMs, signal });
    const via = token === undefined ? 'key' : 'session';
    return { ok: true, status, data: { via, events, headers }, elapsedMs, date: undefined };
  }
  const deadline = createDeadline({ host: url.host, timeoutMs, signal, isSent: () => true });
  try {
    // A redirect is told for what it is; one that stays on the hub is not worth a second stream.
    readRedirect({ method: 'GET' }, url, stream);
    if (status === 200) {
      throw new NetworkError('hub-not-stream', { host: url.host, got: contentType });
    }
    const body = await http.readBody(stream, { signal: deadline.signal });
    return parseAnswer<Inbox>({ status, headers, body, elapsedMs }, url.host, () => undefined);
  } finally {
    deadline.end();
    stream.body.destroy();
  }
}
