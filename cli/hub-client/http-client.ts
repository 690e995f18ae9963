import http from 'node:http';
import type { Duplex } from 'node:stream';
import type { Environment } from '../io/terminal.ts';
import { classifyAnswering } from './classify-failure.ts';
import { connect } from './connect.ts';
import { createDeadline } from './deadline.ts';
import { NetworkError } from './network-error.ts';
import { chooseProxy, proxyHeaders } from './proxy.ts';

export interface HttpRequest {
  method: 'GET' | 'POST' | 'DELETE';
  url: URL;
  headers?: Readonly<Record<string, string>>;
  body?: string;
  /** For the whole answer; of a stream, for its beginning. */
  timeoutMs?: number;
  maxBytes?: number;
  signal?: AbortSignal | undefined;
}

export interface HttpAnswer {
  status: number;
  headers: http.IncomingHttpHeaders;
  body: Buffer;
  /** From the request to the last byte. */
  elapsedMs: number;
}

/** An answer whose body keeps coming. */
export interface HttpStream {
  status: number;
  headers: http.IncomingHttpHeaders;
  body: http.IncomingMessage;
  host: string;
}

/** The edge to the network. It follows no redirect and never repeats a request. */
export interface HttpClient {
  request(request: HttpRequest): Promise<HttpAnswer>;
  open(request: HttpRequest): Promise<HttpStream>;
  /** Reads what is left of a stream, as the body of an answer. */
  readBody(stream: HttpStream, limits: BodyLimits): Promise<Buffer>;
}

interface BodyLimits {
  maxBytes?: number | undefined;
  signal: AbortSignal;
}

export interface HttpSettings {
  env: Environment;
  connectTimeoutMs?: number;
  userAgent?: string;
}

const CONNECT_TIMEOUT = 10_000;
const ANSWER_TIMEOUT = 30_000;
const MAX_BYTES = 1 << 20;

export function createHttpClient(settings: HttpSettings): HttpClient {
  const agents = new Map<string, http.Agent>();
  const agentFor = (url: URL) => {
    const agent = agents.get(url.origin) ?? createAgent(url, settings);
    agents.set(url.origin, agent);
    return agent;
  };
  const send = async <Result>(
    request: HttpRequest,
    use: (stream: HttpStream, signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> => {
    const { url, timeoutMs = ANSWER_TIMEOUT, signal } = request;
    const progress = { isSent: false };
    const isSent = () => progress.isSent;
    const deadline = createDeadline({ host: url.host, timeoutMs, signal, isSent });
    try {
      const stream = sendRequest(request, settings, agentFor(url), deadline.signal, progress);
      return await use(await stream, deadline.signal);
    } finally {
      deadline.end();
    }
  };
  return {
    request(request) {
      const startedAt = performance.now();
      return send(request, async (stream, signal) => {
        const { status, headers } = stream;
        const body = await readBody(stream, { maxBytes: request.maxBytes, signal });
        return { status, headers, body, elapsedMs: performance.now() - startedAt };
      });
    },
    open: (request) => send(request, async (stream) => stream),
    readBody,
  };
}

/** What a request tells the agent beyond Node's own options, which keep the signal from it. */
interface AgentOptions extends http.ClientRequestArgs {
  stop?: AbortSignal;
}

/** Keeps the connection of the first request for the next ones. */
function createAgent(
  url: URL,
  { env, connectTimeoutMs = CONNECT_TIMEOUT }: HttpSettings,
): http.Agent {
  const agent = new http.Agent({ keepAlive: true });
  agent.createConnection = ({ stop: signal }: AgentOptions, done) => {
    connect(url, { env, timeoutMs: connectTimeoutMs, signal }).then(
      ({ socket }) => done?.(null, socket),
      (error) => done?.(error, undefined as unknown as Duplex),
    );
    return undefined;
  };
  return agent;
}

function sendRequest(
  request: HttpRequest,
  { env, userAgent = 'chorus-skill' }: HttpSettings,
  agent: http.Agent,
  signal: AbortSignal,
  progress: { isSent: boolean },
): Promise<HttpStream> {
  const { url, method, body } = request;
  const proxy = url.protocol === 'http:' ? chooseProxy(url, env) : undefined;
  return new Promise((resolve, reject) => {
    const options: AgentOptions = {
      method,
      agent,
      signal,
      stop: signal,
      // A proxy is told the whole address; inside a tunnel nobody needs it.
      path: proxy ? url.href : `${url.pathname}${url.search}`,
      headers: {
        Host: url.host,
        'User-Agent': userAgent,
        ...(proxy ? proxyHeaders(proxy) : {}),
        ...(body === undefined ? {} : bodyHeaders(body)),
        ...request.headers,
      },
    };
    const sent = http.request(options);
    // The agent hands over connections that stand, so from here on bytes go out.
    sent.once('socket', () => {
      progress.isSent = true;
    });
    sent.once('response', (message) => {
      const { statusCode = 0, headers } = message;
      if (statusCode !== 407) {
        return resolve({ status: statusCode, headers, body: message, host: url.host });
      }
      message.destroy();
      reject(new NetworkError('proxy-refused', { proxy: proxy?.host ?? url.host, status: 407 }));
    });
    sent.on('error', (error) => {
      reject(classifyAnswering(signal.aborted ? signal.reason : error, url.host));
    });
    sent.end(body);
  });
}

function bodyHeaders(body: string): Record<string, string> {
  return {
    'Content-Type': 'application/json',
    'Content-Length': String(Buffer.byteLength(body)),
  };
}

async function readBody(
  { body, host }: HttpStream,
  { maxBytes = MAX_BYTES, signal }: BodyLimits,
): Promise<Buffer> {
  const stop = () => body.destroy(signal.reason);
  signal.addEventListener('abort', stop);
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    if (signal.aborted) stop();
    for await (const chunk of body) {
      length += chunk.length;
      if (length > maxBytes) {
        const limit = `${Math.round(maxBytes / 1024)} KiB`;
        throw new NetworkError('hub-too-large', { host, limit }, { mayHaveArrived: true });
      }
      chunks.push(chunk);
    }
  } catch (error) {
    throw classifyAnswering(signal.aborted ? signal.reason : error, host);
  } finally {
    signal.removeEventListener('abort', stop);
  }
  return Buffer.concat(chunks);
}
