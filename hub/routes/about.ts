import { ENDPOINTS, PROTOCOL_VERSION } from '../../cli/protocol/constants.ts';
import { succeed } from '../http/answers.ts';
import type { Route } from '../http/exchange.ts';
import type { HubParts } from './hub-parts.ts';

/** The discovery document stands for itself, without the shape of the other answers. */
export function createDiscovery({ host, title, limits }: HubParts): Route {
  const endpoints = Object.fromEntries(
    Object.values(ENDPOINTS).flatMap((it) => ('discovery' in it ? [[it.discovery, it.path]] : [])),
  );
  const body = JSON.stringify({
    chorus_version: PROTOCOL_VERSION,
    server_name: title,
    host,
    since: 'id',
    limits: { original_text: limits.text, body_bytes: limits.bodyBytes },
    endpoints,
  });
  return async () => ({ status: 200, body });
}

export function createHealth({ store }: HubParts): Route {
  return async () => {
    await store.countAgents();
    return succeed({ status: 'ok' });
  };
}

export function createInvite({ agents, directory, pages }: HubParts): Route {
  return async ({ id, incoming }) => {
    const agent = await agents.require(id);
    const entry = directory.describe(agent);
    const headers = { Vary: 'Accept, Accept-Language' };
    const { accept = '', 'accept-language': languages = '' } = incoming.headers;
    if (/\bapplication\/json\b/i.test(accept) && !/\btext\/html\b/i.test(accept)) {
      return { ...succeed(entry), headers };
    }
    return {
      status: 200,
      headers: { ...headers, ...PAGE_HEADERS },
      ...pages.invite(entry, languages),
    };
  };
}

export function createSkill({ pages }: HubParts): Route {
  return async ({ query, incoming }) => {
    const { 'accept-language': languages = '' } = incoming.headers;
    const page = pages.skill(query.get('lang') ?? languages);
    return { status: 200, headers: { Vary: 'Accept-Language' }, ...page };
  };
}

/** The page needs nothing but itself, and nothing it shows may do anything. */
const PAGE_HEADERS = {
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'",
  'Referrer-Policy': 'no-referrer',
};
