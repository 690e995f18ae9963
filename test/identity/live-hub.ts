import type http from 'node:http';
import {
  failure,
  type SeenRequest,
  sendJson,
  startServer,
  success,
  type TestServer,
} from '../hub-client/start-server.ts';

interface Agent {
  id: string;
  key: string;
  culture: string;
}

interface LiveHubOptions {
  /** Answers in the place of the hub where it returns true. */
  intercept?: (request: SeenRequest, response: http.ServerResponse, hub: LiveHub) => unknown;
  /** Called when an answer has left the hub. */
  onAnswered?: (request: SeenRequest) => void;
  discovery?: object;
  server?: http.Server;
}

export interface LiveHub extends TestServer {
  agents: Map<string, Agent>;
  /** Every key it has ever issued. */
  issued: string[];
}

const INBOX = '/agent/inbox?session=';

/**
 * A hub of another make, with the ways of section 7 of the specification: it wants a key on
 * the directory and a session on the inbox, counts `since` in timestamps, and answers errors
 * as plain text. It remembers an Idempotency-Key.
 */
export async function startLiveHub(options: LiveHubOptions = {}): Promise<LiveHub> {
  const agents = new Map<string, Agent>();
  const issued: string[] = [];
  const remembered = new Map<string, object>();
  const hub: Partial<LiveHub> = { agents, issued };

  const owner = ({ headers }: SeenRequest) =>
    [...agents.values()].find(({ key }) => headers.authorization === `Bearer ${key}`);

  const register = (request: SeenRequest, response: http.ServerResponse) => {
    const once = String(request.headers['idempotency-key']);
    const before = remembered.get(once);
    if (before) return sendJson(response, 201, before);
    const { agent_id: id, agent_card: card } = JSON.parse(request.body);
    const known = agents.get(id);
    if (known && owner(request) !== known) {
      return sendJson(response, 409, failure('ERR_AGENT_ID_TAKEN'));
    }
    const key = `ca_live_${issued.length}_${'k'.repeat(20)}`;
    issued.push(key);
    agents.set(id, { id, key, culture: card.user_culture });
    const answer = success({ agent_id: id, api_key: key, registration: {} });
    remembered.set(once, answer);
    return sendJson(response, known ? 200 : 201, answer);
  };

  const answer = (request: SeenRequest, response: http.ServerResponse) => {
    const { method, path } = request;
    const document = { chorus_version: '0.4', endpoints: { session: '/agent/session' } };
    if (path === '/.well-known/chorus.json') {
      return sendJson(response, 200, { ...document, ...options.discovery });
    }
    if (path === '/health') return sendJson(response, 200, { status: 'ok' });
    if (method === 'POST' && path === '/register') return register(request, response);
    if (path.startsWith(INBOX)) return openInbox(path.slice(INBOX.length), response);
    const agent = owner(request);
    // On the stream a key alone is not enough.
    if (!agent || path === '/agent/inbox')
      return sendJson(response, 401, failure('ERR_UNAUTHORIZED'));
    const list = [...agents.values()].map(({ id, culture }) => ({
      agent_id: id,
      culture,
      languages: [culture],
    }));
    if (path === '/discover') return sendJson(response, 200, list);
    if (path.startsWith('/agent/messages')) return sendJson(response, 200, success([]));
    if (path === '/agent/session') {
      return sendJson(response, 200, success({ session_token: agent.id }));
    }
    response.writeHead(404, { 'Content-Type': 'text/plain' });
    return response.end('Not Found');
  };

  const openInbox = (token: string, response: http.ServerResponse) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    response.write(`event: connected\ndata: {"agent_id": "${decodeURIComponent(token)}"}\n\n`);
    response.write(':ping\n\n');
  };

  const server = await startServer(async (request, response) => {
    response.on('finish', () => options.onAnswered?.(request));
    if (await options.intercept?.(request, response, hub as LiveHub)) return;
    answer(request, response);
  }, options.server);
  return Object.assign(hub, server) as LiveHub;
}
