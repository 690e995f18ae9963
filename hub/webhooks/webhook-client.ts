import http from 'node:http';
import https from 'node:https';
import { StringDecoder } from 'node:string_decoder';
import { errnoOf } from '../../cli/io/files.ts';
import type { EndpointRules } from './endpoint-rules.ts';
import { createResponseReader, type ReceiverResponse } from './read-response.ts';

/** `failure`: a code that says why there was no answer. */
export type PostResult = { response: ReceiverResponse } | { failure: string };

interface PostRequest {
  endpoint: string;
  /** As JSON text. */
  envelope: string;
  onChunk?: ((text: string) => void) | undefined;
}

const TIMEOUT_MS = 10_000;
const MAX_ANSWER = 65_536;
/** `timeout`: a connection that is idle for so long makes room for one to elsewhere. */
const POOL = { keepAlive: true, maxTotalSockets: 256, timeout: 1_000 };

/** Posts envelopes to webhooks: to checked addresses only, following nothing, within a time. */
export class WebhookClient {
  readonly #rules: EndpointRules;
  readonly #agents = { 'http:': new http.Agent(POOL), 'https:': new https.Agent(POOL) };

  readonly #timeoutMs: number;

  constructor(rules: EndpointRules, timeoutMs = TIMEOUT_MS) {
    this.#rules = rules;
    this.#timeoutMs = timeoutMs;
  }

  post({ endpoint, envelope, onChunk }: PostRequest): Promise<PostResult> {
    const url = new URL(endpoint);
    if (!this.#rules.isAllowed(url)) return Promise.resolve({ failure: 'ENOTPUBLIC' });
    const body = `{"envelope":${envelope}}`;
    return new Promise((resolve) => {
      const request = (url.protocol === 'https:' ? https : http).request(url, {
        method: 'POST',
        agent: this.#agents[url.protocol as 'http:' | 'https:'],
        lookup: this.#rules.lookup,
        headers: {
          'Content-Type': 'application/json',
          'Content-Length': Buffer.byteLength(body),
          Accept: onChunk ? 'text/event-stream, application/json' : 'application/json',
          'User-Agent': 'chorus-hub',
        },
      });
      const end = (result: PostResult) => {
        clearTimeout(timer);
        resolve(result);
      };
      const fail = (error: unknown) => {
        request.destroy();
        end({ failure: errnoOf(error) ?? 'failed' });
      };
      // No signal: a request that still waits for a connection would not tell that it ended.
      const timer = setTimeout(fail, this.#timeoutMs, { code: 'ETIMEDOUT' });
      request.on('error', fail);
      request.on('response', (response) => readAnswer(response, onChunk).then(end, fail));
      request.end(body);
    });
  }

  close(): void {
    for (const agent of Object.values(this.#agents)) agent.destroy();
  }
}

async function readAnswer(
  answer: http.IncomingMessage,
  onChunk: PostRequest['onChunk'],
): Promise<PostResult> {
  const { statusCode: status = 0, headers } = answer;
  if (status < 200 || status > 299) {
    answer.destroy();
    return { failure: `HTTP ${status}` };
  }
  const reader = createResponseReader(headers['content-type'] ?? '', onChunk);
  const decoder = new StringDecoder('utf8');
  let length = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > MAX_ANSWER) throw Object.assign(new Error('too long'), { code: 'EMSGSIZE' });
    reader.feed(decoder.write(chunk));
  }
  return { response: reader.end() };
}
