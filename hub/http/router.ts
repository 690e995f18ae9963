import type { IncomingMessage } from 'node:http';
import { ENDPOINTS } from '../../cli/protocol/constants.ts';
import { Refusal } from '../refusal.ts';
import type { Route } from './exchange.ts';

export type Routes = Readonly<Record<keyof typeof ENDPOINTS, Route>>;

export interface Target {
  route: Route;
  /** The part of the path that stands for an id. */
  id: string;
  query: URLSearchParams;
}

type Methods = Map<string, Route>;

const NO_QUERY = new URLSearchParams();
const HOST = /^[\w.:[\]-]*$/;

/** Finds the route of a request among the endpoints of the protocol; what is none is refused. */
export function createRouter(routes: Routes): (incoming: IncomingMessage) => Target {
  const exact = new Map<string, Methods>();
  /** By what stands before the id. */
  const prefixes = new Map<string, Methods>();
  for (const [name, { method, path }] of Object.entries(ENDPOINTS)) {
    const [prefix = '', id] = path.split(':');
    const table = id === undefined ? exact : prefixes;
    const methods: Methods = table.get(prefix) ?? new Map();
    table.set(prefix, methods.set(method, routes[name as keyof Routes]));
  }
  return (incoming) => {
    const { path, query } = parseTarget(incoming);
    const found = exact.get(path);
    if (found !== undefined) return { route: choose(found, incoming), id: '', query };
    const slash = path.indexOf('/', 1) + 1;
    const methods = prefixes.get(path.slice(0, slash));
    const id = path.slice(slash);
    if (methods === undefined || id === '' || id.includes('/')) throw noSuchPath();
    return { route: choose(methods, incoming), id: decode(id), query };
  };
}

function parseTarget({ url = '', headers, httpVersion }: IncomingMessage) {
  const { host } = headers;
  if (host === undefined ? httpVersion === '1.1' : !HOST.test(host)) {
    throw new Refusal('ERR_VALIDATION', 'The header Host is missing or invalid.');
  }
  // A client that takes us for a proxy names the whole URL.
  const target = url.replace(/^https?:\/\/[^/?]*/i, '');
  const mark = target.indexOf('?');
  return mark === -1
    ? { path: target, query: NO_QUERY }
    : { path: target.slice(0, mark), query: new URLSearchParams(target.slice(mark)) };
}

function choose(methods: Methods, { method = '' }: IncomingMessage): Route {
  // Node leaves the body out of the answer to HEAD.
  const route = methods.get(method === 'HEAD' ? 'GET' : method);
  if (route !== undefined) return route;
  const names = [...methods.keys()];
  throw new Refusal('ERR_METHOD_NOT_ALLOWED', `This path takes ${names.join(' and ')}.`, {
    headers: { Allow: (methods.has('GET') ? ['HEAD', ...names] : names).join(', ') },
  });
}

function noSuchPath(): Refusal {
  const { path } = ENDPOINTS.discovery;
  return new Refusal('ERR_NOT_FOUND', `There is nothing here. ${path} lists the paths.`);
}

/** Of what is no text nothing is left, and nobody is called that. */
function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return '';
  }
}
