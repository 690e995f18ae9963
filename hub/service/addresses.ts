import { ADDRESS_PATTERN } from '../../cli/protocol/constants.ts';

const full = new RegExp(ADDRESS_PATTERN);
const MAX_LENGTH = 256;

/** `name` → `name@host`; nothing for what can be no address here. */
export function completeAddress(given: string, host: string): string | undefined {
  const address = given.includes('@') ? given : `${given}@${host}`;
  return address.length <= MAX_LENGTH && full.test(address) ? address : undefined;
}

/** Whether the address belongs to the hub of this host. */
export function isLocalAddress(address: string, host: string): boolean {
  return address.slice(address.indexOf('@') + 1).toLowerCase() === host.toLowerCase();
}
