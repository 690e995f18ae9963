import { CliError } from '../errors.ts';
import { formatHubUrl, parseHubUrl } from '../hub-client/hub-url.ts';
import type { Environment } from '../io/terminal.ts';
import { PUBLIC_HUB } from '../protocol/constants.ts';
import type { Credentials } from './credentials.ts';

export interface ChosenHub {
  url: URL;
  source: 'option' | 'environment' | 'credentials' | 'default';
}

interface HubWishes {
  /** `--hub` */
  given?: string | undefined;
  env: Environment;
  credentials?: Pick<Credentials, 'hub_url'> | undefined;
  insecure?: boolean | undefined;
}

/** The hub to talk to: `--hub`, CHORUS_HUB_URL, the credentials', else the public one. */
export function chooseHub({ given, env, credentials, insecure = false }: HubWishes): ChosenHub {
  const parse = (text: string) => parseHubUrl(text, { insecure });
  if (given !== undefined) return { url: parse(given), source: 'option' };
  const named = env.CHORUS_HUB_URL?.trim();
  if (named) return { url: parse(named), source: 'environment' };
  if (credentials) return { url: parse(credentials.hub_url), source: 'credentials' };
  return { url: parse(PUBLIC_HUB.url), source: 'default' };
}

/** A key is for one hub; sent to another it would be given away. */
export function assertKeyIsFor(
  credentials: Pick<Credentials, 'hub_url'>,
  { url }: ChosenHub,
): void {
  if (isKeyFor(credentials, url)) return;
  throw new CliError('other-hub', { hub: credentials.hub_url, given: url.origin });
}

export function isKeyFor({ hub_url }: Pick<Credentials, 'hub_url'>, url: URL): boolean {
  return new URL(hub_url).origin === url.origin;
}

/** Who asks for another identity must not be left believing that there is one. */
export function assertSameIdentity(
  path: string,
  credentials: Pick<Credentials, 'agent_id' | 'hub_url'>,
  { agentId, hub }: { agentId: string | undefined; hub: URL },
): void {
  const { agent_id: agent, hub_url } = credentials;
  const id = agentId?.trim() ?? agent;
  const isSameId = id === agent || id === agent.split('@')[0];
  if (isSameId && isKeyFor(credentials, hub)) return;
  const wanted = isSameId ? formatHubUrl(hub) : id;
  throw new CliError('identity-exists', { wanted, agent, hub: hub_url, path });
}
