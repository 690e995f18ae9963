import { createHttpClient, type HttpClient } from '../hub-client/http-client.ts';
import { createHubClient, type HubClient } from '../hub-client/hub-client.ts';
import type { Patience } from '../hub-client/patience.ts';
import type { CommandTools } from './command.ts';

export interface Network {
  http: HttpClient;
  createClient(url: URL | string, key?: string): HubClient;
}

interface NetworkOptions {
  signal: AbortSignal;
  /** Told before the hub makes us wait. */
  onWait?: (seconds: number) => void;
  patience?: Partial<Patience>;
}

/** The way of a command to a hub. */
export function createNetwork(
  { context, package: { version } }: Pick<CommandTools, 'context' | 'package'>,
  { signal, onWait, patience: limits }: NetworkOptions,
): Network {
  const http = createHttpClient({ env: context.env, userAgent: `chorus-skill/${version}` });
  const tell = ({ ms }: { ms: number }) => onWait?.(Math.ceil(ms / 1000));
  const patience: Partial<Patience> = { ...limits, onWait: tell };
  return {
    http,
    createClient: (url, key) => createHubClient({ url: new URL(url), key, http, signal, patience }),
  };
}
