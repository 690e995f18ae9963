import { CliError } from '../errors.ts';
import type { HubClient } from '../hub-client/hub-client.ts';
import type { DirectoryEntry } from '../hub-client/hub-data.ts';
import { chooseHub, isKeyFor } from '../identity/choose-hub.ts';
import type { Credentials } from '../identity/credentials.ts';
import { parseCulture } from '../identity/culture.ts';
import { findCredentials, requireCredentials } from '../identity/find-credentials.ts';
import { alignColumns } from '../io/align-columns.ts';
import { printJson, stripControls } from '../io/terminal.ts';
import { PUBLIC_HUB } from '../protocol/constants.ts';
import { directoryTexts } from '../wording/directory/texts.ts';
import {
  type CommandTools,
  type DefineCommand,
  readCwd,
  valueOption,
  withTexts,
} from './command.ts';
import { createNetwork } from './network.ts';
import { addIdentityOptions, type IdentityFlags } from './open-identity.ts';

type DirectoryTools = CommandTools<typeof directoryTexts.en>;

interface DiscoverFlags extends IdentityFlags {
  culture?: string;
  language?: string;
  online?: boolean;
  hub?: string;
  json?: boolean;
}

export const defineDiscover: DefineCommand = (command, programTools) => {
  const tools = withTexts(programTools, directoryTexts);
  const { say } = tools.wording;
  command
    .description(say('discover.description'))
    .addOption(valueOption('--culture <tag>', say('discover.culture')))
    .addOption(valueOption('--language <tag>', say('discover.language')))
    .option('--online', say('discover.online'))
    .addOption(valueOption('--hub <url>', say('discover.hub', { url: PUBLIC_HUB.url })));
  addIdentityOptions(command, say)
    .option('--json', say('option.json'))
    .action((flags: DiscoverFlags) => runDiscover(flags, tools));
};

async function runDiscover(flags: DiscoverFlags, tools: DirectoryTools): Promise<void> {
  const { context } = tools;
  const { online = false } = flags;
  const culture = parseTag('--culture', flags.culture);
  const language = parseTag('--language', flags.language);
  const credentials = readIdentity(flags, tools);
  // With an identity the hub is the one that `send` uses.
  const env = credentials === undefined ? context.env : {};
  const { url } = chooseHub({ given: flags.hub, env, credentials, insecure: flags.insecure });
  // Some hubs want a key for the directory; ours goes to its own hub only.
  const key = credentials && isKeyFor(credentials, url) ? credentials.api_key : undefined;
  const network = createNetwork(tools, { signal: context.takeStopSignal() });
  const everybody = await readDirectory(network.createClient(url, key));
  const agents = everybody.filter((agent) => isWanted(agent, { culture, language, online }));
  if (flags.json) {
    context.stdout.write(printJson({ ok: true, hub: url.href, total: everybody.length, agents }));
    return;
  }
  if (agents.length === 0) {
    const facts = { total: everybody.length, hub: url.host };
    context.stderr.write(`${tools.wording.say('discover.nothing', facts)}\n`);
    return;
  }
  context.stdout.write(formatAgents(agents, credentials?.agent_id, tools));
}

/** Not needed; but one that is named, or that would say which hub, is not passed over. */
function readIdentity(
  { credentials: given, hub }: DiscoverFlags,
  { context }: DirectoryTools,
): Credentials | undefined {
  const { fs, env } = context;
  const found = findCredentials({ fs, env, cwd: readCwd(context) }, given);
  const isNamed = found.source === 'option' || found.source === 'environment';
  const mayLack = !isNamed && (found.state === 'missing' || hub !== undefined);
  return found.state !== 'valid' && mayLack ? undefined : requireCredentials(found);
}

/** All pages. Filters of a hub are not relied on: not every hub has them. */
async function readDirectory(hub: HubClient): Promise<DirectoryEntry[]> {
  const agents: DirectoryEntry[] = [];
  const asked = new Set<string | undefined>();
  for (let after: string | undefined; !asked.has(after); ) {
    asked.add(after);
    const answer = await hub.discover(after === undefined ? {} : { after });
    if (!answer.ok) {
      const { status, code, message } = answer;
      throw new CliError('hub-refusal', { host: hub.url.host, status, code, message });
    }
    agents.push(...answer.data);
    after = answer.next;
  }
  return agents;
}

/** As agents register them: `zh_CN` is `zh-CN`. */
function parseTag(option: string, given: string | undefined): string | undefined {
  return given === undefined ? undefined : parseCulture(option, given);
}

interface Wanted {
  culture: string | undefined;
  language: string | undefined;
  online: boolean;
}

function isWanted(agent: DirectoryEntry, { culture, language, online }: Wanted): boolean {
  const { culture: own = '', languages } = agent;
  return (
    (culture === undefined || isWithin(own, culture)) &&
    (language === undefined || [own, ...languages].some((tag) => isWithin(tag, language))) &&
    (!online || agent.online === true)
  );
}

/** `zh` means `zh-CN` and `zh-Hant-TW`, too. */
function isWithin(tag: string, wanted: string): boolean {
  const [inner, outer] = [tag.toLowerCase(), wanted.toLowerCase()];
  return inner === outer || inner.startsWith(`${outer}-`);
}

function formatAgents(
  agents: readonly DirectoryEntry[],
  own: string | undefined,
  { context, wording }: DirectoryTools,
): string {
  const { colors, isTTY } = context.stdout;
  const { say } = wording;
  const state = ({ online }: DirectoryEntry) =>
    online === undefined ? '' : say(online ? 'discover.is-online' : 'discover.is-offline');
  const rows = agents.map((agent) => [
    stripControls(agent.agent_id) + (agent.agent_id === own ? ` (${say('discover.you')})` : ''),
    stripControls(agent.culture ?? ''),
    state(agent),
    stripControls(agent.languages.join(', ')),
  ]);
  const head = [
    say('discover.column-address'),
    say('discover.column-culture'),
    say('discover.column-state'),
    say('discover.column-languages'),
  ];
  // What reads a pipe wants the agents only.
  const [first = [], ...others] = alignColumns(isTTY ? [head, ...rows] : rows);
  const format = (row: readonly string[]) => {
    const [id = '', ...rest] = row;
    return [colors.bold(id), ...rest].join('  ').trimEnd();
  };
  const top = isTTY ? colors.dim(first.join('  ').trimEnd()) : format(first);
  return `${[top, ...others.map(format)].join('\n')}\n`;
}
