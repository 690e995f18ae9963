import { lookup } from 'node:dns/promises';
import type { FileSystem } from '../cli/io/files.ts';
import { createFindAddress } from './http/client-address.ts';
import { createListener } from './http/listener.ts';
import { createRouter } from './http/router.ts';
import { createHubServer } from './http/server.ts';
import type { HubLog } from './hub-log.ts';
import type { HubLimits } from './limits.ts';
import { createHubPages } from './pages/hub-pages.ts';
import { createRoutes } from './routes/routes.ts';
import { Agents } from './service/agents.ts';
import { createFindCaller } from './service/caller.ts';
import { Directory } from './service/directory.ts';
import { Inboxes } from './service/inboxes.ts';
import { Messages } from './service/messages.ts';
import { createRateLimit } from './service/rate-limit.ts';
import { RecentRegistrations } from './service/recent-registrations.ts';
import { startRetention } from './service/retention.ts';
import { SessionTokens } from './service/session-tokens.ts';
import type { HubStore } from './store/hub-store.ts';
import { EndpointRules } from './webhooks/endpoint-rules.ts';
import { WebhookClient } from './webhooks/webhook-client.ts';
import { Webhooks } from './webhooks/webhooks.ts';

export interface HubOptions {
  /** Opened by the caller, closed by the hub. */
  store: HubStore;
  port: number;
  bind: string;
  /** What addresses here end in. */
  host: string;
  title: string;
  /** Under which others reach it; without it, where it listens. */
  url: string | undefined;
  operatorKey: string | undefined;
  /** Whether only the operator lets new agents in. */
  isClosed: boolean;
  proxies: readonly string[];
  allowsLoopbackWebhooks: boolean;
  limits: HubLimits;
  log: HubLog;
  logsRequests: boolean;
  fs: FileSystem;
  packageRoot: string;
  now: () => number;
}

export interface RunningHub {
  url: string;
  /** Where it listens, which others need not know. */
  localUrl: string;
  close(): Promise<void>;
}

const MINUTE_MS = 60_000;
const HEARTBEAT_MS = 15_000;
const PATIENCE_MS = 30_000;
const GRACE_MS = 1_500;

/** Puts the hub together and serves; resolves when it is ready. */
export async function startHub(options: HubOptions): Promise<RunningHub> {
  const { store, limits, log, now, host } = options;
  let localUrl = '';
  const inboxes = new Inboxes({
    store,
    perAgent: limits.inboxesPerAgent,
    heartbeatMs: HEARTBEAT_MS,
    patienceMs: PATIENCE_MS,
    log,
  });
  const rules = new EndpointRules(options.allowsLoopbackWebhooks, (name) =>
    lookup(name, { all: true }),
  );
  const webhooks = new Webhooks({
    store,
    client: new WebhookClient(rules),
    isOnline: (agent) => inboxes.isOnline(agent),
    log,
  });
  const tokens = new SessionTokens(now);
  const agents = new Agents({
    store,
    host,
    limits,
    isClosed: options.isClosed,
    log,
    now,
    checkEndpoint: (endpoint) => rules.assert(endpoint),
    onKeyDead: (agent) => {
      tokens.revoke(agent);
      inboxes.closeAgent(agent.serial);
    },
  });
  const parts = {
    host,
    title: options.title,
    limits,
    store,
    agents,
    directory: new Directory(store, inboxes),
    messages: new Messages({ store, agents, inboxes, limits, webhooks, now }),
    inboxes,
    tokens,
    recent: new RecentRegistrations(store, now),
    pages: createHubPages(options.fs, options.packageRoot, () => options.url ?? localUrl),
    findCaller: createFindCaller(store, options.operatorKey),
    limitMessages: createRateLimit(limits.messagesPerMinute, MINUTE_MS, now),
    limitRegistrations: createRateLimit(limits.registrationsPerHour, 60 * MINUTE_MS, now),
  };
  const server = createHubServer(
    createListener({
      findTarget: createRouter(createRoutes(parts)),
      findAddress: createFindAddress(options.proxies),
      limitAddress: createRateLimit(limits.requestsPerMinute, MINUTE_MS, now),
      log,
      logsRequests: options.logsRequests,
    }),
  );
  const stopParts = () => {
    inboxes.closeAll();
    webhooks.close();
  };
  try {
    const port = await server.listen(options.port, options.bind);
    localUrl = formatUrl(options.bind, port);
  } catch (error) {
    stopParts();
    throw error;
  }
  const retention = startRetention(store, limits.keepDays, log, now);
  await webhooks.resume();
  return {
    url: options.url ?? localUrl,
    localUrl,
    close: async () => {
      log({ event: 'stopping' });
      retention.stop();
      stopParts();
      await server.close(GRACE_MS);
      await store.close();
    },
  };
}

function formatUrl(bind: string, port: number): string {
  const any = bind === '0.0.0.0' || bind === '::';
  const name = any ? 'localhost' : bind.includes(':') ? `[${bind}]` : bind;
  return `http://${name}:${port}`;
}
