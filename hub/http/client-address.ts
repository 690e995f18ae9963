import type { IncomingMessage } from 'node:http';
import { isIP, isIPv6 } from 'node:net';
import { CliError } from '../../cli/errors.ts';

/**
 * Whom a limit concerns: the peer, or, where the peer is a trusted proxy, the last address that
 * the proxies did not write themselves. Of IPv6 the network, of which one customer has many addresses.
 */
export function createFindAddress(proxies: readonly string[]): (it: IncomingMessage) => string {
  const trusted = new Set(proxies.map(unmap));
  return (incoming) => {
    let address = unmap(incoming.socket.remoteAddress ?? '');
    if (trusted.has(address)) {
      const header = incoming.headers['x-forwarded-for'];
      const named = String(header ?? '')
        .split(',')
        .map((it) => unmap(it.trim()));
      address = named.findLast((it) => it !== '' && !trusted.has(it)) ?? address;
    }
    return isIPv6(address) ? networkOf(address) : address;
  };
}

/** The proxies of `--trust-proxy`. A name or a network would never be equal to a peer. */
export function parseProxies(given: string): string[] {
  const addresses = given.split(',').map((it) => it.trim());
  const wrong = addresses.find((it) => isIP(it) === 0);
  if (wrong === undefined) return addresses;
  throw new CliError('bad-ip', { option: '--trust-proxy', given: wrong });
}

function unmap(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '');
}

/** The first 64 bits. */
function networkOf(address: string): string {
  const [head = ''] = address.split('::');
  const parts = head === '' ? [] : head.split(':');
  return [...parts, '0', '0', '0', '0'].slice(0, 4).join(':');
}
