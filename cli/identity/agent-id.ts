import { CliError } from '../errors.ts';
import { formatHubUrl, isLoopback } from '../hub-client/hub-url.ts';
import { ADDRESS_PATTERN, PUBLIC_HUB } from '../protocol/constants.ts';

/** Names that stand in documents in the place of a real one. */
const PLACEHOLDERS =
  /^(your|my)[-_.]?(name|agent|id|agent[-_.]?(id|name))$|^(agent[-_.]?(name|id)|name|example|placeholder)$/i;
const NAME = /^[a-zA-Z0-9._-]+$/;
const MAX_LENGTH = 254;

/** The address of an agent on this hub; the short form `haruka` gets the hub's host. */
export function parseAgentId(text: string, hubHost: string): string {
  const given = text.trim();
  const address = given.includes('@') ? given : `${given}@${hubHost}`;
  if (!new RegExp(ADDRESS_PATTERN).test(address) || address.length > MAX_LENGTH) {
    throw new CliError('bad-agent-id', { given: text });
  }
  if (isPlaceholder(address)) throw new CliError('placeholder-id', { given });
  return address;
}

export function isPlaceholder(address: string): boolean {
  return PLACEHOLDERS.test(address.split('@')[0] ?? '');
}

/** What addresses on a hub end in: as it says itself, else by its own address. */
export function nameHubHost(url: URL, told: string | undefined): string {
  if (told !== undefined && NAME.test(told)) return told;
  if (formatHubUrl(url) === PUBLIC_HUB.url) return PUBLIC_HUB.host;
  return NAME.test(url.hostname) || !isLoopback(url.hostname) ? url.hostname : 'localhost';
}

/** Names like one that is taken, the likeliest to please first. */
export function similarIds(address: string, culture: string): string[] {
  const [name = '', host = ''] = address.split('@');
  const language = culture.split('-')[0];
  return ['2', language, 'agent', '3'].map((suffix) => `${name}-${suffix}@${host}`);
}
