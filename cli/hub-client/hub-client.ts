import { IDEMPOTENCY_HEADER } from '../protocol/constants.ts';
import { type CallSettings, callHub, type HubCall } from './call-hub.ts';
import type { HttpClient } from './http-client.ts';
import type { HubAnswer } from './hub-answer.ts';
import {
  type DirectoryEntry,
  type DiscoveryDocument,
  type HistoryMessage,
  parseAgent,
  parseDirectory,
  parseDiscovery,
  parseHistory,
  parseRegistration,
  parseSendResult,
  parseSession,
  type Registration,
  type SendResult,
} from './hub-data.ts';
import { type Operation, resolveEndpoint } from './hub-paths.ts';
import { NetworkError } from './network-error.ts';
import { type Inbox, type InboxOptions, openInbox } from './open-inbox.ts';
import { DEFAULT_PATIENCE, type Patience } from './patience.ts';

export interface HubClient {
  readonly url: URL;
  /** Asked for once; all other requests take their paths from it. */
  discovery(): Promise<HubAnswer<DiscoveryDocument>>;
  health(): Promise<HubAnswer<unknown>>;
  /** `withKey`: the record of our id is updated, and the answer has a new key in the old one's place. */
  register(body: RegisterBody, options?: RegisterOptions): Promise<HubAnswer<Registration>>;
  /** With an idempotency key a try that failed is repeated; without one it never is. */
  send(body: SendBody, options?: { idempotencyKey?: string }): Promise<HubAnswer<SendResult>>;
  history(options?: { since?: string | number }): Promise<HubAnswer<HistoryMessage[]>>;
  /** One page, from the `next` of the page before. */
  discover(options?: { after?: string }): Promise<HubAnswer<DirectoryEntry[]>>;
  agent(id: string): Promise<HubAnswer<DirectoryEntry>>;
  invite(id: string): Promise<HubAnswer<DirectoryEntry>>;
  session(): Promise<HubAnswer<string>>;
  /** Gets a session token first where the hub does not take the key on the stream. */
  openInbox(options?: InboxOptions): Promise<HubAnswer<Inbox>>;
}

interface RegisterOptions {
  withKey?: boolean;
  /** A hub that remembers it gives its first answer again, key and all. */
  idempotencyKey?: string;
}

export interface RegisterBody {
  agent_id: string;
  agent_card: {
    card_version: string;
    user_culture: string;
    supported_languages: readonly string[];
  };
  endpoint?: string;
}

interface SendBody {
  receiver_id: string;
  envelope: unknown;
}

export interface HubClientSettings {
  url: URL;
  key?: string | undefined;
  http: HttpClient;
  patience?: Partial<Patience>;
  signal?: AbortSignal | undefined;
  /** For each answer. */
  timeoutMs?: number | undefined;
}

/** Lists may be long where a hub has no pages. */
const MAX_LIST_BYTES = 64 << 20;

export function createHubClient(settings: HubClientSettings): HubClient {
  const { url, key, http, signal, timeoutMs } = settings;
  // What does not fit into a header would fail deep inside, or become a second header.
  if (key !== undefined && !/^[\x21-\x7e]+$/.test(key)) throw new NetworkError('bad-key', {});
  const patience = { ...DEFAULT_PATIENCE, signal, ...settings.patience };
  const callSettings: CallSettings = { http, patience, signal, timeoutMs };
  let discovered: Promise<HubAnswer<DiscoveryDocument>> | undefined;
  let wantsSession = false;

  const discovery = () => {
    const target = resolveEndpoint(url, 'discovery', undefined);
    discovered ??= get({ target, parse: parseDiscovery });
    return discovered;
  };
  const locate = async (operation: Operation, parameters?: Readonly<Record<string, string>>) => {
    const answer = await discovery();
    return resolveEndpoint(url, operation, answer.ok ? answer.data : undefined, parameters);
  };
  const get = <Data>(call: Pick<HubCall<Data>, 'target' | 'parse' | 'key' | 'maxBytes'>) =>
    callHub({ ...call, method: 'GET', isRepeatable: true }, callSettings);
  /** What the profile calls public wants a key on some hubs: they get it when they ask. */
  const getPublic: typeof get = async (call) => {
    const answer = await get(call);
    return answer.status === 401 && key !== undefined ? get({ ...call, key }) : answer;
  };
  const post = <Data>(call: Omit<HubCall<Data>, 'method'>) =>
    callHub({ ...call, method: 'POST' }, callSettings);

  const session = async () =>
    post({ target: await locate('session'), parse: parseSession, key, isRepeatable: true });

  return {
    url,
    discovery,
    session,
    health: async () => getPublic({ target: await locate('health'), parse: (data) => data ?? {} }),
    register: async (body, { withKey = false, idempotencyKey } = {}) =>
      post({
        target: await locate('register'),
        parse: parseRegistration,
        body,
        key: withKey ? key : undefined,
        headers: idempotencyHeaders(idempotencyKey),
        isRepeatable: false,
      }),
    send: async (body, { idempotencyKey } = {}) =>
      post({
        target: await locate('send'),
        parse: parseSendResult,
        body,
        key,
        headers: idempotencyHeaders(idempotencyKey),
        isRepeatable: idempotencyKey !== undefined,
      }),
    history: async ({ since } = {}) => {
      const target = await locate('history');
      if (since !== undefined) target.searchParams.set('since', String(since));
      return get({ target, parse: parseHistory, key, maxBytes: MAX_LIST_BYTES });
    },
    discover: async ({ after } = {}) => {
      const target = await locate('discover');
      if (after !== undefined) target.searchParams.set('after', after);
      return getPublic({ target, parse: parseDirectory, maxBytes: MAX_LIST_BYTES });
    },
    agent: async (id) => getPublic({ target: await locate('agent', { id }), parse: parseAgent }),
    invite: async (id) =>
      getPublic({ target: await locate('invite', { agent_id: id }), parse: parseAgent }),
    openInbox: async (options = {}) => {
      const request = { ...options, http, target: await locate('inbox'), timeoutMs };
      const { signal: stop = signal } = options;
      if (!wantsSession) {
        const answer = await openInbox({ ...request, signal: stop, key });
        if (answer.ok || answer.status !== 401) return answer;
        const document = await discovery();
        if (!document.ok || document.data.endpoints.session === undefined) return answer;
      }
      const token = await session();
      if (!token.ok) return token;
      wantsSession = true;
      return openInbox({ ...request, signal: stop, token: token.data });
    },
  };
}

function idempotencyHeaders(key: string | undefined): Record<string, string> {
  return key === undefined ? {} : { [IDEMPOTENCY_HEADER]: key };
}
