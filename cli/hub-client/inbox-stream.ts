import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { classifyAnswering } from './classify-failure.ts';
import type { HttpStream } from './http-client.ts';
import { NetworkError } from './network-error.ts';

export type InboxEvent =
  | { type: 'event'; event: string; id: string | undefined; data: string }
  /** A comment line: the stream lives. */
  | { type: 'heartbeat' }
  /** The hub says how long to wait before the next connection. */
  | { type: 'retry'; ms: number };

interface ReadOptions {
  /** When nothing comes for so long, not even a heartbeat, the stream counts as dead. */
  silenceMs: number;
  signal?: AbortSignal | undefined;
}

const MAX_EVENT_CHARACTERS = 4 << 20;

/**
 * The events of a stream. Ends when the hub ends it or the signal says so; a connection that
 * breaks is thrown as `hub-closed`, one that has gone quiet as `hub-silent`.
 */
export async function* readInboxStream(
  { body, host }: HttpStream,
  { silenceMs, signal }: ReadOptions,
): AsyncGenerator<InboxEvent, void, void> {
  const waiting: InboxEvent[] = [];
  let isTooLarge = false;
  const parser = createParser({
    maxBufferSize: MAX_EVENT_CHARACTERS,
    onEvent: (message) => waiting.push(toInboxEvent(message)),
    onComment: () => waiting.push({ type: 'heartbeat' }),
    onRetry: (ms) => waiting.push({ type: 'retry', ms }),
    onError: ({ type }) => {
      isTooLarge ||= type === 'max-buffer-size-exceeded';
    },
  });
  const seconds = Math.round(silenceMs / 100) / 10;
  const giveUp = () => body.destroy(new NetworkError('hub-silent', { host, seconds }));
  const stop = () => body.destroy();
  let timer = setTimeout(giveUp, silenceMs);
  signal?.addEventListener('abort', stop);
  if (signal?.aborted) stop();
  // Characters may be cut anywhere between two chunks.
  const decoder = new TextDecoder();
  try {
    for await (const chunk of body) {
      clearTimeout(timer);
      parser.feed(decoder.decode(chunk, { stream: true }));
      if (isTooLarge) {
        const limit = `${MAX_EVENT_CHARACTERS >> 20} MiB`;
        throw new NetworkError('hub-too-large', { host, limit });
      }
      yield* waiting.splice(0);
      timer = setTimeout(giveUp, silenceMs);
    }
  } catch (error) {
    if (!signal?.aborted) throw classifyAnswering(error, host);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
    body.destroy();
  }
}

function toInboxEvent({ event = 'message', id, data }: EventSourceMessage): InboxEvent {
  return { type: 'event', event, id, data };
}
