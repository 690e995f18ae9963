import { ENDPOINTS } from '../../cli/protocol/constants.ts';
import { succeed, succeedWith } from '../http/answers.ts';
import type { Exchange, Route } from '../http/exchange.ts';
import { Refusal } from '../refusal.ts';
import { requireAgent } from '../service/caller.ts';
import { formatEvent, formatMessage } from '../service/format-message.ts';
import type { AgentRecord } from '../store/hub-store.ts';
import type { HubParts } from './hub-parts.ts';
import { writeStreamHead } from './stream-head.ts';

export function createInbox(parts: HubParts): Route {
  return async (exchange) => {
    const { incoming, outgoing } = exchange;
    if (incoming.method !== 'GET') {
      throw new Refusal('ERR_METHOD_NOT_ALLOWED', 'This path takes GET.', {
        headers: { Allow: ENDPOINTS.inbox.method },
      });
    }
    const agent = await findReader(exchange, parts);
    const after = await parseLastEventId(incoming.headers['last-event-id'], parts);
    writeStreamHead(outgoing);
    outgoing.write(formatEvent('connected', { agent_id: agent.id }));
    const inbox = await parts.inboxes.open(agent, after, {
      write: (text) => outgoing.write(text),
      end: () => outgoing.end(),
      destroy: () => outgoing.destroy(),
    });
    outgoing.on('drain', () => inbox.drained());
    outgoing.on('close', () => parts.inboxes.close(inbox, true));
    const current = await parts.store.findAgent(agent.id);
    // Gone, or its key replaced, while the inbox was being opened.
    if (outgoing.destroyed || current?.keyHash !== agent.keyHash) parts.inboxes.close(inbox, true);
    await inbox.catchUp();
    return undefined;
  };
}

export function createSession({ tokens, findCaller }: HubParts): Route {
  return async ({ incoming }) => {
    const agent = requireAgent(await findCaller(incoming.headers.authorization));
    return succeed({ session_token: tokens.create(agent) });
  };
}

export function createHistory({ messages, findCaller }: HubParts): Route {
  return async ({ incoming, query }) => {
    const agent = requireAgent(await findCaller(incoming.headers.authorization));
    const list = await messages.history(agent, parseSince(query.get('since')));
    return succeedWith(`[${list.map(formatMessage).join()}]`);
  };
}

async function findReader(
  { incoming, query }: Exchange,
  { tokens, findCaller }: HubParts,
): Promise<AgentRecord> {
  const token = query.get('session');
  if (token === null) return requireAgent(await findCaller(incoming.headers.authorization));
  const agent = tokens.take(token);
  if (agent !== undefined) return agent;
  throw new Refusal(
    'ERR_UNAUTHORIZED',
    `This session token is used up or too old. Get a new one: POST ${ENDPOINTS.session.path}.`,
  );
}

/** Nothing where it is none of ours: then the hub knows itself what was delivered. */
async function parseLastEventId(
  given: string | string[] | undefined,
  { store }: HubParts,
): Promise<number | undefined> {
  if (typeof given !== 'string' || !/^\d{1,15}$/.test(given)) return undefined;
  const id = Number(given);
  return id <= (await store.lastId()) ? id : undefined;
}

function parseSince(given: string | null): number {
  if (given === null || given === '') return 0;
  if (/^\d{1,15}$/.test(given)) return Number(given);
  throw new Refusal(
    'ERR_VALIDATION',
    'since must be the id of a message: here it counts ids, not times.',
  );
}
