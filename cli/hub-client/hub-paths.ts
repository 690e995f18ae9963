import { ENDPOINTS } from '../protocol/constants.ts';
import type { DiscoveryDocument } from './hub-data.ts';
import { NetworkError } from './network-error.ts';

export type Operation = keyof typeof ENDPOINTS;

/** Where an operation is: as the hub's discovery document says, else as the profile does. */
export function resolveEndpoint(
  hub: URL,
  operation: Operation,
  document: DiscoveryDocument | undefined,
  parameters: Readonly<Record<string, string>> = {},
): URL {
  const endpoint: { path: string; discovery?: string } = ENDPOINTS[operation];
  const given = endpoint.discovery && document?.endpoints[endpoint.discovery];
  const path = (given || endpoint.path).replace(/:(\w+)/g, (whole, name: string) =>
    name in parameters ? encodeURIComponent(parameters[name] ?? '') : whole,
  );
  return assertSameOrigin(hub, joinPath(hub, path));
}

/** The key goes with our requests, so they go to the hub and nowhere else. */
function assertSameOrigin(hub: URL, url: URL): URL {
  if (url.origin !== hub.origin) {
    throw new NetworkError('hub-redirect', { host: hub.host, origin: url.origin });
  }
  return url;
}

/** A hub may live below a path; its own paths are told with it or without. */
function joinPath(hub: URL, path: string): URL {
  const base = hub.pathname.replace(/\/+$/, '');
  const isBelow = base === '' || path === base || path.startsWith(`${base}/`);
  const isRooted = path.startsWith('/') && !path.startsWith('//');
  const full = isRooted && !isBelow ? base + path : path;
  if (!URL.canParse(full, `${hub.origin}/`)) {
    throw new NetworkError('hub-bad-answer', { host: hub.host, got: 'JSON' });
  }
  return new URL(full, `${hub.origin}${base}/`);
}
