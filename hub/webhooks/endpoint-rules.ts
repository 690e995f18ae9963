import type { LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { Refusal } from '../refusal.ts';
import { isLoopback, isPublicAddress } from './public-address.ts';

export type Resolve = (name: string) => Promise<LookupAddress[]>;

/** Where webhooks may be. A name is looked at when it is resolved, just before connecting. */
export class EndpointRules {
  readonly #allowsLoopback: boolean;
  readonly #resolve: Resolve;

  constructor(allowsLoopback: boolean, resolve: Resolve) {
    this.#allowsLoopback = allowsLoopback;
    this.#resolve = resolve;
  }

  /** Refuses at registration what could never be delivered to. */
  assert(endpoint: string): void {
    if (!this.isAllowed(new URL(endpoint))) {
      throw new Refusal(
        'ERR_VALIDATION',
        'endpoint must be an https address on the public internet, without user or password. With an open inbox you need none.',
      );
    }
  }

  isAllowed(url: URL): boolean {
    if (url.username !== '' || url.password !== '') return false;
    // The URL class has turned decimal, octal and shortened addresses into plain ones.
    const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
    const isLocal = isLoopback(host) || /(^|\.)localhost$/i.test(host);
    if (isLocal) return this.#allowsLoopback;
    return url.protocol === 'https:' && (isIP(host) === 0 || this.isAllowedAddress(host));
  }

  isAllowedAddress(address: string): boolean {
    return isPublicAddress(address) || (this.#allowsLoopback && isLoopback(address));
  }

  /** Resolves for a connection, which then goes to the very addresses that were checked. */
  readonly lookup: LookupFunction = (name, options, callback) => {
    this.#resolve(name).then(
      (addresses) => {
        const [first] = addresses;
        const isAllowed = addresses.every(({ address }) => this.isAllowedAddress(address));
        if (first === undefined || !isAllowed) callback(new NotPublicError(), '', 0);
        else if (options.all) callback(null, addresses);
        else callback(null, first.address, first.family);
      },
      (error) => callback(error, '', 0),
    );
  };
}

class NotPublicError extends Error {
  readonly code = 'ENOTPUBLIC';
}
