import { CliError } from '../errors.ts';
import type { HubRefusal } from '../hub-client/hub-answer.ts';
import { quoteForShell } from '../io/shell-text.ts';
import type { Credentials } from './credentials.ts';

export function isKeyRefused({ status }: Pick<HubRefusal, 'status'>): boolean {
  return status === 401 || status === 403;
}

/** The hub does not take the key in this file; with the command for an identity like the old one. */
export function refusedKey(
  credentials: Credentials,
  path: string,
  { status, code }: Pick<HubRefusal, 'status' | 'code'>,
): CliError {
  const { agent_id: agent, hub_url: hub, user_culture: culture = '<tag>' } = credentials;
  const name = agent.split('@')[0];
  const file = quoteForShell(path);
  const renewal = `register ${name} --culture ${culture} --new-identity --credentials ${file}`;
  const { host } = new URL(hub);
  return new CliError('key-refused', { host, agent, path, status, code, renewal });
}
