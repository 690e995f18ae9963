import { randomUUID } from 'node:crypto';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CliError } from '../errors.ts';
import { formatHubUrl, parseHubUrl } from '../hub-client/hub-url.ts';
import { nameHubHost, parseAgentId } from '../identity/agent-id.ts';
import { assertKeyIsFor, chooseHub } from '../identity/choose-hub.ts';
import type { Credentials } from '../identity/credentials.ts';
import {
  type FoundCredentials,
  findCredentials,
  requireCredentials,
} from '../identity/find-credentials.ts';
import { type Pending, readPending } from '../identity/pending-registration.ts';
import { type RegisterWorld, register } from '../identity/register.ts';
import type { Registration } from '../identity/registration.ts';
import { clearLeftovers } from '../identity/safe-keeping.ts';
import { readHome } from '../io/home-folder.ts';
import { resolveLinks } from '../io/real-files.ts';
import { quoteForShell } from '../io/shell-text.ts';
import { CREDENTIALS_HOME, PROTOCOL_VERSION, PUBLIC_HUB } from '../protocol/constants.ts';
import { identityTexts } from '../wording/identity/texts.ts';
import { type DefineCommand, readCwd, valueOption, withTexts } from './command.ts';
import { createNetwork, type Network } from './network.ts';
import {
  formatCommand,
  parseTraits,
  type RegisterFlags,
  type RegisterTools,
} from './register-flags.ts';
import { applyIgnoring, type Ignoring, planIgnoring } from './register-ignoring.ts';
import { showKnownIdentity } from './register-known.ts';
import {
  assertComplete,
  confirmNewIdentity,
  readDialogue,
  settleWishes,
} from './register-questions.ts';
import { printIdentity, printPlan, warn } from './register-report.ts';

export const defineRegister: DefineCommand = (command, programTools) => {
  const tools = withTexts(programTools, identityTexts);
  const { say } = tools.wording;
  command
    .description(say('register.description'))
    .usage(say('register.usage'))
    .argument('[agent_id]', say('register.agent-id'))
    .addOption(valueOption('--hub <url>', say('register.hub', { url: PUBLIC_HUB.url })))
    .addOption(valueOption('-c, --culture <tag>', say('register.culture')))
    .addOption(valueOption('--languages <tags>', say('register.languages')))
    .addOption(valueOption('--endpoint <url>', say('register.endpoint')))
    .addOption(valueOption('--credentials <path>', say('register.credentials')))
    .option('--rotate', say('register.rotate'))
    .option('--new-identity', say('register.new-identity'))
    .option('--insecure', say('option.insecure'))
    .option('-n, --dry-run', say('register.dry-run'))
    .option('-y, --yes', say('register.yes'))
    .option('--json', say('option.json'))
    .action((agentId: string | undefined, flags: RegisterFlags) =>
      runRegister(agentId, flags, tools),
    );
};

async function runRegister(
  agentId: string | undefined,
  flags: RegisterFlags,
  tools: RegisterTools,
): Promise<void> {
  const { context } = tools;
  if (flags.rotate && (flags.newIdentity || agentId !== undefined)) {
    const other = flags.newIdentity ? '--new-identity' : (agentId ?? '');
    throw new CliError('register-conflict', { given: '--rotate', other });
  }
  const stop = new AbortController();
  const onWait = (seconds: number) => tellWait(seconds, tools);
  const network = createNetwork(tools, { signal: stop.signal, onWait });
  const world = createWorld(network, stop, tools);
  const found = findCredentials(world, flags.credentials);
  const mode = flags.rotate ? 'rotate' : flags.newIdentity ? 'new-identity' : 'new';
  if (found.state === 'damaged' && mode !== 'new-identity') throw found.damage;

  const pending = found.isInterrupted
    ? readPending(context.fs, resolveLinks(context.fs, found.file))
    : undefined;
  const isMeant = pending && agentId === undefined && isForHub(pending, flags);
  if (isMeant && mode === 'new' && !flags.dryRun) {
    const { culture } = parseTraits(flags);
    return finish(undefined, { asked: false, culture }, found, world, flags, tools);
  }
  if (mode === 'rotate') requireCredentials(found);
  if (found.state === 'valid' && mode === 'new') {
    clearLeftovers(context.fs, resolveLinks(context.fs, found.file));
    return showKnownIdentity(found, agentId, network, flags, tools);
  }
  const plan = await planRegistration(mode, agentId, found, network, flags, tools);
  const ignoring = await planIgnoring(found, flags, tools);
  if (flags.dryRun) return printPlan(plan.registration, found, ignoring, flags, tools);
  await finish(plan.registration, { asked: plan.asked, ignoring }, found, world, flags, tools);
}

function isForHub(pending: Pending, { hub }: RegisterFlags): boolean {
  if (hub === undefined || pending.state === 'answered') return true;
  return formatHubUrl(parseHubUrl(hub, { insecure: true })) === pending.registration.hubUrl;
}

/** Everything that is asked, is asked before anything is done. */
async function planRegistration(
  mode: Registration['mode'],
  given: string | undefined,
  found: FoundCredentials,
  network: Network,
  flags: RegisterFlags,
  tools: RegisterTools,
): Promise<{ registration: Registration; asked: boolean }> {
  const old = found.state === 'valid' ? found.credentials : undefined;
  const { env } = tools.context;
  const salvaged = found.state === 'damaged' ? found.hubUrl : undefined;
  const credentials = salvaged === undefined ? old : { hub_url: salvaged };
  const hub = chooseHub({ given: flags.hub, env, credentials, insecure: flags.insecure });
  // Who was on some hub is not moved to the public one without a word.
  if (found.state === 'damaged' && hub.source === 'default') {
    throw new CliError('missing-option', { command: 'register', option: '--hub <url>' });
  }
  if (mode === 'rotate' && old) assertKeyIsFor(old, hub);
  // What is wrong is told before the hub is asked, and the hub is asked before the user is.
  const { culture, languages, endpoint: givenEndpoint } = parseTraits(flags);
  const kept = mode === 'rotate' ? old : undefined;
  const endpoint = givenEndpoint ?? kept?.endpoint;
  if (given !== undefined) parseAgentId(given, 'host');
  const wishes = {
    agentId: kept?.agent_id ?? given,
    culture: culture ?? kept?.user_culture,
    languages: languages ?? (followsCulture(kept) ? undefined : kept?.supported_languages),
  };
  await assertComplete(wishes, flags, tools);
  const dialogue = readDialogue(flags, tools);
  if (mode === 'new-identity' && old && dialogue) {
    await confirmNewIdentity(dialogue, { agent: old.agent_id, hub: old.hub_url }, tools);
  }
  const answer = await network.createClient(hub.url).discovery();
  const document = answer.ok ? answer.data : undefined;
  const version = document?.chorus_version;
  if (version !== undefined && version !== PROTOCOL_VERSION) {
    warn(tools.wording.say('register.warn-version', { version, ours: PROTOCOL_VERSION }), tools);
  }
  const host = nameHubHost(hub.url, document?.host);
  const agentId = wishes.agentId && parseAgentId(wishes.agentId, host);
  const named = { ...wishes, agentId: agentId || undefined };
  const { asked, ...settled } = await settleWishes(named, host, dialogue, tools);
  const registration = { ...settled, mode, hubUrl: formatHubUrl(hub.url), endpoint };
  return { registration, asked };
}

/** Whether the languages were never chosen: then another culture brings its own. */
function followsCulture(identity: Credentials | undefined): boolean {
  const { supported_languages: languages = [], user_culture: culture } = identity ?? {};
  return languages.join() === culture;
}

async function finish(
  registration: Registration | undefined,
  plan: { asked: boolean; ignoring?: Ignoring; culture?: string | undefined },
  found: FoundCredentials,
  world: RegisterWorld,
  flags: RegisterFlags,
  tools: RegisterTools,
): Promise<void> {
  const { context, wording, program } = tools;
  const { say } = wording;
  const { asked, ignoring, culture: wanted = registration?.culture } = plan;
  const result = await register(world, found.file, registration);
  const { outcome, credentials } = result;
  const { agent_id: agent } = credentials;
  const git = ignoring && applyIgnoring(ignoring, tools);
  const title = say(`register.done-${outcome}`, { agent });
  if (asked) context.stderr.write('\n');
  const keptCopy = 'keptCopy' in result ? result.keptCopy : undefined;
  printIdentity(
    { identity: credentials, place: found, keptCopy, gitNote: git?.note },
    {
      title: context.stdout.colors.bold(context.stdout.colors.green(title)),
      json: { outcome, keptCopy: keptCopy ?? null, gitignore: git?.state ?? null },
      isJson: flags.json ?? false,
    },
    tools,
  );
  if (registration && registration.agentId !== agent) {
    warn(say('register.warn-hub-id', { agent, wanted: registration.agentId }), tools);
  }
  const { user_culture: culture = '' } = credentials;
  if (wanted !== undefined && outcome !== 'already' && wanted !== culture) {
    warn(say('register.warn-resumed', { culture, wanted }), tools);
  }
  if (!flags.json) {
    const { credentials: given } = flags;
    const place = given === undefined ? '' : ` --credentials ${quoteForShell(given)}`;
    const next = `${program} doctor${place}`;
    context.stdout.write(`\n${context.stdout.colors.bold(say('register.next-title'))}${next}\n`);
  }
  if (asked && registration) {
    const languages = registration.languages.join(',');
    // Unless the user said no to what it agrees to.
    const yes = flags.yes ?? ignoring?.warning === undefined;
    const command = formatCommand(
      tools,
      { hub: registration.hubUrl, ...flags, yes },
      { ...registration, languages },
    );
    context.stderr.write(`${say('register.skip-prompts', { command })}\n`);
  }
}

function createWorld(network: Network, stop: AbortController, tools: RegisterTools): RegisterWorld {
  const { fs, env } = tools.context;
  const cwd = readCwd(tools.context);
  const home = readHome(env, cwd);
  return {
    fs,
    env,
    cwd,
    createClient: network.createClient,
    now: () => new Date(),
    createId: randomUUID,
    // Until then there is nothing to end, and the process may just end.
    begin() {
      const signal = tools.context.takeStopSignal();
      signal.addEventListener('abort', () => stop.abort());
    },
    async wait(ms) {
      if (stop.signal.aborted) throw new CliError('cancelled');
      await sleep(ms);
    },
    fallbackFolders: [...(home ? [path.join(home, CREDENTIALS_HOME)] : []), os.tmpdir()],
  };
}

function tellWait(seconds: number, { context, wording }: RegisterTools): void {
  context.stderr.write(`${wording.say('register.wait', { seconds })}\n`);
}
