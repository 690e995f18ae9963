import { createParser } from 'eventsource-parser';
import { isObject, type JsonObject } from '../../cli/envelope/kinds.ts';
import { RESPONSE_FIELDS } from '../../cli/protocol/constants.ts';

/** The receiver's protocol response, as far as it is one. */
export type ReceiverResponse = Readonly<Partial<Record<(typeof RESPONSE_FIELDS)[number], string>>>;

export interface ResponseReader {
  feed(text: string): void;
  end(): ReceiverResponse;
}

/** Reads a webhook's answer piece by piece: JSON, or events that end with `done` or `error`. */
export function createResponseReader(
  contentType: string,
  onChunk: ((text: string) => void) | undefined,
): ResponseReader {
  return /^text\/event-stream\b/i.test(contentType) ? readEvents(onChunk) : readJson(onChunk);
}

function readJson(onChunk: ((text: string) => void) | undefined): ResponseReader {
  let whole = '';
  return {
    feed: (text) => {
      whole += text;
      onChunk?.(text);
    },
    end: () => pick(parseObject(whole)),
  };
}

function readEvents(onChunk: ((text: string) => void) | undefined): ResponseReader {
  let response: ReceiverResponse = {};
  const parser = createParser({
    onEvent: ({ event, data }) => {
      const value = parseObject(data);
      if (event === 'chunk') onChunk?.(typeof value.text === 'string' ? value.text : data);
      else if (event === 'done') response = { status: 'ok', ...pick(value) };
      else if (event === 'error') response = { ...pick(value), status: 'error' };
    },
  });
  return { feed: (text) => parser.feed(text), end: () => response };
}

function parseObject(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

/** What the protocol knows of it; nothing else goes to the sender. */
function pick(value: JsonObject): ReceiverResponse {
  return Object.fromEntries(
    RESPONSE_FIELDS.flatMap((field) =>
      typeof value[field] === 'string' ? [[field, value[field]]] : [],
    ),
  );
}
