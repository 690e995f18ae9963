import { BlockList, isIP } from 'node:net';
import { unescape as decode } from 'node:querystring';
import type { Environment } from '../io/terminal.ts';
import { isLoopback } from './hub-url.ts';
import { NetworkError } from './network-error.ts';

/** The proxy that the environment names for this address; none for this machine itself. */
export function chooseProxy(target: URL, env: Environment): URL | undefined {
  if (isLoopback(target.hostname) || isExempt(target, env.NO_PROXY || env.no_proxy)) {
    return undefined;
  }
  const name = target.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const given = env[name] || env[name.toLowerCase()];
  return given ? parseProxy(given, name) : undefined;
}

/** The header that a proxy with a name and a password in its address wants. */
export function proxyHeaders({ username, password }: URL): Record<string, string> {
  if (username === '' && password === '') return {};
  // This one takes a bare "%", which people do write, for itself.
  const pair = `${decode(username)}:${decode(password)}`;
  return { 'Proxy-Authorization': `Basic ${Buffer.from(pair).toString('base64')}` };
}

function parseProxy(given: string, variable: string): URL {
  const text = given.includes('://') ? given : `http://${given}`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  // Not shown whole: it may hold a password.
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new NetworkError('proxy-unusable', { variable });
  }
  return url;
}

function isExempt({ hostname, port, protocol }: URL, list = ''): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').toLowerCase();
  const actualPort = port || (protocol === 'https:' ? '443' : '80');
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .some((entry) => {
      if (entry === '*') return true;
      if (entry.includes('/')) return isInSubnet(host, entry);
      if (isIP(entry) === 6) {
        const [address] = entry.split('%'); // a URL has no zone
        return host === new URL(`http://[${address}]`).hostname.slice(1, -1);
      }
      const [, name = '', wantedPort] = /^\[?(.*?)\]?(?::(\d+))?$/.exec(withoutDots(entry)) ?? [];
      if (name === '' || (wantedPort && wantedPort !== actualPort)) return false;
      return host === name || host.endsWith(`.${name}`);
    });
}

/** `.example.org` and `*.example.org` mean the same as `example.org`. */
function withoutDots(entry: string): string {
  return entry.replace(/^\*?\./, '');
}

function isInSubnet(host: string, entry: string): boolean {
  const [network = '', prefix = ''] = entry.split('/');
  const family = isIP(network) === 6 ? 'ipv6' : 'ipv4';
  const bits = Number(prefix);
  if (isIP(network) === 0 || isIP(host) !== isIP(network) || !/^\d+$/.test(prefix)) return false;
  if (bits > (family === 'ipv6' ? 128 : 32)) return false;
  const subnet = new BlockList();
  subnet.addSubnet(network, bits, family);
  return subnet.check(host, family);
}
