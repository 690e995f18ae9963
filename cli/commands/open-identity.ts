import path from 'node:path';
import type { Command } from 'commander';
import { CliError } from '../errors.ts';
import { createHttpClient, type HttpClient } from '../hub-client/http-client.ts';
import {
  createHubClient,
  type HubClient,
  type HubClientSettings,
} from '../hub-client/hub-client.ts';
import { isLoopback, parseHubUrl } from '../hub-client/hub-url.ts';
import type { Credentials } from '../identity/credentials.ts';
import { findCredentials, requireCredentials } from '../identity/find-credentials.ts';
import { errnoOf } from '../io/files.ts';
import type { Wording } from '../wording/wording.ts';
import { type CommandTools, readCwd, valueOption } from './command.ts';

export interface IdentityFlags {
  credentials?: string;
  insecure?: boolean;
}

/** Who we are, and the hub that knows us. */
export interface Identity {
  credentials: Credentials;
  /** Of the credentials. */
  file: string;
  folder: string;
  http: HttpClient;
  openHub(settings?: Partial<Pick<HubClientSettings, 'patience' | 'signal'>>): HubClient;
}

export function addIdentityOptions(command: Command, say: Wording['say']): Command {
  return command
    .addOption(valueOption('--credentials <path>', say('option.credentials')))
    .option('--insecure', say('option.insecure'));
}

export function openIdentity(flags: IdentityFlags, { context, ...tools }: CommandTools): Identity {
  const { fs, env } = context;
  const found = findCredentials({ fs, env, cwd: readCwd(context) }, flags.credentials);
  const credentials = requireCredentials(found);
  const userAgent = `chorus-skill/${tools.package.version}`;
  const http = createHttpClient({ env, userAgent });
  return {
    credentials,
    file: found.file,
    folder: path.dirname(found.file),
    http,
    openHub(settings = {}) {
      const url = parseHubUrl(credentials.hub_url, { insecure: flags.insecure ?? false });
      return createHubClient({ url, key: credentials.api_key, http, ...settings });
    },
  };
}

/** An address that messages go to; in the clear only on this machine, unless the user wants it. */
export function parseTargetUrl(option: string, given: string, insecure = false): URL {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new CliError('bad-url', { option, given });
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname) && !insecure) {
    throw new CliError('url-insecure', { option, host: url.host });
  }
  return url;
}

/** What fails here is not the skill's files but the history and what lies beside it. */
export async function tellStorage<Result>(folder: string, work: () => Promise<Result>) {
  try {
    return await work();
  } catch (error) {
    const errno = errnoOf(error);
    if (error instanceof CliError || errno === undefined || !/^E[A-Z]+$/.test(errno)) throw error;
    const failed = (error as NodeJS.ErrnoException).path ?? folder;
    throw new CliError('storage-failed', { path: failed, errno }, error);
  }
}
