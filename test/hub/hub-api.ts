import http from 'node:http';
import { createParser, type EventSourceMessage } from 'eventsource-parser';

// biome-ignore lint/suspicious/noExplicitAny: tests look into whatever comes
type Json = any;

export interface Reply {
  status: number;
  headers: http.IncomingHttpHeaders;
  text: string;
  json: Json;
}

interface CallOptions {
  key?: string | undefined;
  body?: unknown;
  headers?: Record<string, string>;
}

/** One request, as plainly as it can be made. */
export function call(
  url: string,
  method: string,
  path: string,
  { key, body, headers = {} }: CallOptions = {},
): Promise<Reply> {
  const content = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const request = http.request(
      `${url}${path}`,
      {
        method,
        headers: {
          ...(content === undefined ? {} : { 'Content-Type': 'application/json' }),
          ...(key === undefined ? {} : { Authorization: `Bearer ${key}` }),
          ...headers,
        },
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => {
          text += chunk;
        });
        response.on('error', reject);
        response.on('end', () => {
          const isJson = /json/.test(response.headers['content-type'] ?? '');
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text,
            json: isJson && text !== '' ? JSON.parse(text) : undefined,
          });
        });
      },
    );
    request.on('error', reject);
    request.end(content);
  });
}

export interface TestAgent {
  id: string;
  key: string;
}

export const card = (culture: string) => ({
  card_version: '0.3',
  user_culture: culture,
  supported_languages: [culture],
});

export async function register(
  url: string,
  name: string,
  more: { culture?: string; endpoint?: string } = {},
): Promise<TestAgent> {
  const { culture = 'en', ...rest } = more;
  const body = { agent_id: name, agent_card: card(culture), ...rest };
  const { status, json } = await call(url, 'POST', '/register', { body });
  if (status !== 201) throw new Error(`not registered: ${JSON.stringify(json)}`);
  return { id: json.data.agent_id, key: json.data.api_key };
}

export const envelope = (sender: string, text: string, more: object = {}) => ({
  chorus_version: '0.4',
  sender_id: sender,
  original_text: text,
  sender_culture: 'en',
  ...more,
});

export function send(
  url: string,
  sender: TestAgent,
  receiver: string,
  text: string,
  headers: Record<string, string> = {},
): Promise<Reply> {
  const body = { receiver_id: receiver, envelope: envelope(sender.id, text) };
  return call(url, 'POST', '/messages', { key: sender.key, body, headers });
}

export interface OpenInbox {
  events: EventSourceMessage[];
  comments: string[];
  /** Resolves when so many messages have come. */
  messages(count: number): Promise<{ id: number; text: string; data: Json }[]>;
  /** Resolves when the stream has ended, whoever ended it. */
  ended: Promise<void>;
  close(): void;
}

/** Opens an inbox; resolves when `connected` has come. */
export function openInbox(
  url: string,
  key: string | undefined,
  { headers = {}, path = '/agent/inbox' }: { headers?: Record<string, string>; path?: string } = {},
): Promise<OpenInbox> {
  return new Promise((resolve, reject) => {
    const authorization = key === undefined ? {} : { Authorization: `Bearer ${key}` };
    const request = http.request(
      `${url}${path}`,
      { headers: { ...authorization, ...headers }, agent: false },
      (response) => {
        if (response.statusCode !== 200) {
          response.resume();
          reject(new Error(`inbox answered ${response.statusCode}`));
          return;
        }
        const inbox = follow(response, () => request.destroy());
        void inbox.connected.then(() => resolve(inbox));
      },
    );
    request.on('error', reject);
    request.end();
  });
}

function follow(response: http.IncomingMessage, close: () => void) {
  const events: EventSourceMessage[] = [];
  const comments: string[] = [];
  const waiting = new Set<() => void>();
  const received = () =>
    events
      .filter(({ event }) => event === 'message')
      .map(({ id, data }) => {
        const value = JSON.parse(data);
        return { id: Number(id), text: value.envelope.original_text as string, data: value };
      });
  const until = (isTrue: () => boolean) =>
    new Promise<void>((resolve) => {
      const check = () => {
        if (!isTrue()) return;
        waiting.delete(check);
        resolve();
      };
      waiting.add(check);
      check();
    });
  const parser = createParser({
    onEvent: (event) => {
      events.push(event);
      for (const check of [...waiting]) check();
    },
    onComment: (comment) => comments.push(comment),
  });
  response.setEncoding('utf8');
  response.on('data', (chunk: string) => parser.feed(chunk));
  const ended = new Promise<void>((resolve) => {
    response.on('close', resolve);
    response.on('error', () => resolve());
  });
  return {
    events,
    comments,
    ended,
    close,
    connected: until(() => events.some(({ event }) => event === 'connected')),
    messages: async (count: number) => {
      await until(() => received().length >= count);
      return received();
    },
  };
}
