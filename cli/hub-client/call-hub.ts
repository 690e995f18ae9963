import type { HttpAnswer, HttpClient, HttpRequest } from './http-client.ts';
import { type HubAnswer, parseAnswer } from './hub-answer.ts';
import { NetworkError } from './network-error.ts';
import { type Patience, withPatience } from './patience.ts';

export interface HubCall<Data> {
  method: HttpRequest['method'];
  target: URL;
  parse: (data: unknown) => Data | undefined;
  key?: string | undefined;
  body?: unknown;
  headers?: Readonly<Record<string, string>>;
  /** Whether it does no harm when it happens twice. */
  isRepeatable: boolean;
  maxBytes?: number;
}

export interface CallSettings {
  http: HttpClient;
  patience: Patience;
  signal?: AbortSignal | undefined;
  timeoutMs?: number | undefined;
}

const MAX_REDIRECTS = 3;

/** One request to the hub, with what the hub says about repeating it. */
export function callHub<Data>(
  call: HubCall<Data>,
  { http, patience, signal, timeoutMs }: CallSettings,
): Promise<HubAnswer<Data>> {
  const { method, target, key, body, maxBytes } = call;
  const request: HttpRequest = {
    method,
    url: target,
    headers: { Accept: 'application/json', ...keyHeaders(key), ...call.headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(maxBytes === undefined ? {} : { maxBytes }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    signal,
  };
  return withPatience(patience, call.isRepeatable, async () =>
    parseAnswer(await followRedirects(http, request), target.host, call.parse),
  );
}

export function keyHeaders(key: string | undefined): Record<string, string> {
  return key === undefined ? {} : { Authorization: `Bearer ${key}` };
}

async function followRedirects(http: HttpClient, request: HttpRequest): Promise<HttpAnswer> {
  let { url } = request;
  for (let count = 0; ; count++) {
    const answer = await http.request({ ...request, url });
    const next = readRedirect(request, url, answer);
    if (next === undefined) return answer;
    if (count >= MAX_REDIRECTS) {
      throw new NetworkError('hub-redirect', { host: url.host, origin: next.href });
    }
    url = next;
  }
}

/**
 * Where the hub sends us, if that is still the hub. The request and the key in it go to no
 * other origin, and a POST is not turned into a GET.
 */
export function readRedirect(
  { method }: Pick<HttpRequest, 'method'>,
  url: URL,
  { status, headers: { location } }: Pick<HttpAnswer, 'status' | 'headers'>,
): URL | undefined {
  if (![301, 302, 303, 307, 308].includes(status) || location === undefined) return undefined;
  const next = URL.canParse(location, url.href) ? new URL(location, url) : undefined;
  const keepsMethod = status === 307 || status === 308;
  if (next?.origin === url.origin && (method === 'GET' || keepsMethod)) return next;
  throw new NetworkError(
    'hub-redirect',
    {
      host: url.host,
      origin: next === undefined || next.origin === url.origin ? location : next.origin,
    },
    { mayHaveArrived: method !== 'GET' && !keepsMethod },
  );
}
