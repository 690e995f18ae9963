import path from 'node:path';
import { parseProxies } from '../../hub/http/client-address.ts';
import { type HubOptions, type RunningHub, startHub } from '../../hub/hub.ts';
import { LIMIT_NAMES, LIMIT_OPTIONS } from '../../hub/limits.ts';
import { defaultDataFolder } from '../../hub/settings/data-folder.ts';
import { DEFAULT_NAME, parsePublicUrl, settleName } from '../../hub/settings/hub-name.ts';
import { readOperatorKey } from '../../hub/settings/operator-key.ts';
import { parseNumber, readLimits } from '../../hub/settings/read-limits.ts';
import type { HubStore } from '../../hub/store/hub-store.ts';
import { MemoryStore } from '../../hub/store/memory-store.ts';
import { SqliteStore } from '../../hub/store/sqlite/sqlite-store.ts';
import { CliError } from '../errors.ts';
import { errnoOf } from '../io/files.ts';
import { loadSqlite, nodeVersion } from '../io/sqlite.ts';
import { hubTexts } from '../wording/hub/texts.ts';
import {
  type CommandTools,
  type DefineCommand,
  readCwd,
  valueOption,
  withTexts,
} from './command.ts';
import { announceHub, createHubLog } from './hub-report.ts';

type HubTools = CommandTools<typeof hubTexts.en>;

interface HubFlags {
  port?: string;
  host?: string;
  data?: string;
  memory?: boolean;
  name?: string;
  title?: string;
  url?: string;
  operatorKeyFile?: string;
  closed?: boolean;
  trustProxy?: string;
  allowLoopbackWebhooks?: boolean;
  logRequests?: boolean;
  json?: boolean;
  /** The limits. */
  [flag: string]: string | boolean | undefined;
}

const DEFAULT_PORT = 8787;
const LOOPBACK = '127.0.0.1';

export const defineHub: DefineCommand = (command, programTools) => {
  const tools = withTexts(programTools, hubTexts);
  const { say, sayData } = tools.wording;
  const dir = defaultDataFolder(tools.context.env);
  command
    .description(say('hub.description'))
    .addOption(valueOption('-p, --port <number>', say('hub.port', { port: DEFAULT_PORT })))
    .addOption(valueOption('--host <address>', say('hub.host', { host: LOOPBACK })))
    .addOption(valueOption('-d, --data <dir>', say('hub.data', { dir })))
    .option('--memory', say('hub.memory'))
    .addOption(valueOption('--name <name>', say('hub.name', { name: DEFAULT_NAME })))
    .addOption(valueOption('--title <text>', say('hub.title')))
    .addOption(valueOption('--url <url>', say('hub.url')))
    .addOption(valueOption('--operator-key-file <file>', say('hub.operator-key-file')))
    .option('--closed', say('hub.closed'))
    .addOption(valueOption('--trust-proxy <addresses>', say('hub.trust-proxy')))
    .option('--allow-loopback-webhooks', say('hub.allow-loopback-webhooks'))
    .option('--log-requests', say('hub.log-requests'))
    .option('--json', say('hub.json'));
  for (const name of LIMIT_NAMES) {
    const { flag, default: standard } = LIMIT_OPTIONS[name];
    const text = sayData(`hub.limit.${name}`, { default: standard });
    command.addOption(valueOption(`--${flag} <number>`, text));
  }
  command
    .addHelpText('after', `\n${say('hub.environment')}`)
    .action((flags: HubFlags) => runHub(flags, tools));
};

async function runHub(flags: HubFlags, tools: HubTools): Promise<void> {
  const { context } = tools;
  const stop = context.takeStopSignal();
  const bind = flags.host ?? LOOPBACK;
  const port =
    flags.port === undefined ? DEFAULT_PORT : parseNumber('--port', flags.port, 0, 65_535);
  const limits = readLimits(flags, context.env);
  const url = flags.url === undefined ? undefined : parsePublicUrl(flags.url);
  const proxies = flags.trustProxy === undefined ? [] : parseProxies(flags.trustProxy);
  const operatorKey = readOperator(flags, tools);
  const dataFolder = chooseDataFolder(flags, tools);
  const store = openStore(dataFolder, tools);
  const hub = await closeOnFailure(store, async () => {
    const host = await settleName(store, flags.name, dataFolder ?? '');
    const options: HubOptions = {
      store,
      port,
      bind,
      host,
      title: flags.title ?? host,
      url,
      operatorKey,
      isClosed: flags.closed ?? false,
      proxies,
      allowsLoopbackWebhooks: flags.allowLoopbackWebhooks ?? false,
      limits,
      log: createHubLog(flags.json ?? false, tools),
      logsRequests: flags.logRequests ?? false,
      fs: context.fs,
      packageRoot: context.packageRoot,
      now: Date.now,
    };
    const started = await listen(options);
    announceHub(started, options, { json: flags.json ?? false, dataFolder }, tools);
    return started;
  });
  await new Promise<void>((resolve) => {
    if (stop.aborted) resolve();
    stop.addEventListener('abort', () => resolve());
  });
  await hub.close();
}

function chooseDataFolder(flags: HubFlags, { context }: HubTools): string | undefined {
  if (flags.memory) {
    if (flags.data !== undefined)
      throw new CliError('conflicting-options', { option: '--memory', other: '--data' });
    return undefined;
  }
  if (flags.data === '')
    throw new CliError('missing-value', { option: '--data', usage: '--data <dir>' });
  return flags.data === undefined
    ? defaultDataFolder(context.env)
    : path.resolve(readCwd(context), flags.data);
}

function openStore(dataFolder: string | undefined, { context }: HubTools): HubStore {
  if (dataFolder === undefined) return new MemoryStore();
  const open = loadSqlite(context.packageRoot);
  if (open === undefined) throw new CliError('hub-no-database', { version: nodeVersion() });
  return new SqliteStore(context.fs, dataFolder, open);
}

async function closeOnFailure<Result>(store: HubStore, run: () => Promise<Result>) {
  try {
    return await run();
  } catch (error) {
    await store.close();
    throw error;
  }
}

function readOperator(flags: HubFlags, tools: HubTools): string | undefined {
  const { operatorKeyFile, closed, json } = flags;
  if (operatorKeyFile === undefined) {
    if (!closed) return undefined;
    throw new CliError('option-needs', { option: '--closed', needed: '--operator-key-file' });
  }
  const { context, wording } = tools;
  const file = path.resolve(readCwd(context), operatorKeyFile);
  const { key, isExposed } = readOperatorKey(context.fs, file);
  if (isExposed && !json)
    context.stderr.write(`${wording.say('hub.readable-key', { path: file })}\n`);
  return key;
}

async function listen(options: HubOptions): Promise<RunningHub> {
  try {
    return await startHub(options);
  } catch (error) {
    const errno = errnoOf(error);
    const place = { port: options.port, host: options.bind };
    if (errno === 'EADDRINUSE') throw new CliError('hub-port-taken', place, error);
    if (errno !== undefined) throw new CliError('hub-cannot-listen', { ...place, errno }, error);
    throw error;
  }
}
