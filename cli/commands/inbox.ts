import { createFindingWording } from '../diagnostics/wording/finding-wording.ts';
import { CliError } from '../errors.ts';
import { refusedKey } from '../identity/refused-key.ts';
import { feedProgram, isWindows } from '../io/feed-program.ts';
import { formatMessageLine } from '../messages/hand-over/format-message.ts';
import type { HandOver } from '../messages/hand-over/hand-over.ts';
import {
  findOpenclawHook,
  formatHookBody,
  OPENCLAW_TOKEN,
} from '../messages/hand-over/openclaw-hook.ts';
import { parseCommand } from '../messages/hand-over/parse-command.ts';
import { toCommand } from '../messages/hand-over/to-command.ts';
import { toOutput } from '../messages/hand-over/to-output.ts';
import { toWebhook } from '../messages/hand-over/to-webhook.ts';
import { receiveInbox } from '../messages/receive-inbox.ts';
import { inboxTexts } from '../wording/inbox/texts.ts';
import { type DefineCommand, parseNumber, readCwd, valueOption, withTexts } from './command.ts';
import { createInboxReport, formatMessageText, type InboxTools } from './inbox-report.ts';
import {
  addIdentityOptions,
  type Identity,
  type IdentityFlags,
  openIdentity,
  parseTargetUrl,
  tellStorage,
} from './open-identity.ts';

interface InboxFlags extends IdentityFlags {
  follow?: boolean;
  exec?: string;
  webhook?: string;
  openclaw?: boolean;
  timeout?: string;
  json?: boolean;
}

const DEFAULT_TIMEOUT_S = 120;
const MAX_TIMEOUT_S = 86_400;

export const defineInbox: DefineCommand = (command, programTools) => {
  const tools = withTexts(programTools, inboxTexts);
  const { say } = tools.wording;
  command
    .description(say('inbox.description'))
    .option('-f, --follow', say('inbox.follow'))
    .addOption(valueOption('--exec <command>', say('inbox.exec')))
    .addOption(valueOption('--webhook <url>', say('inbox.webhook')))
    .option('--openclaw', say('inbox.openclaw', { variable: OPENCLAW_TOKEN }))
    .addOption(valueOption('--timeout <s>', say('inbox.timeout', { seconds: DEFAULT_TIMEOUT_S })));
  addIdentityOptions(command, say)
    .option('--json', say('inbox.json'))
    .action((flags: InboxFlags) => runInbox(flags, tools));
};

async function runInbox(flags: InboxFlags, tools: InboxTools): Promise<void> {
  const { context } = tools;
  if (flags.json) tools.useJsonLines();
  const identity = openIdentity(flags, tools);
  const handOver = chooseHandOver(flags, identity, tools);
  const { agent_id: agent, hub_url: hub } = identity.credentials;
  const report = createInboxReport({ agent, hub, folder: identity.folder }, flags, tools);
  await tellStorage(identity.folder, () =>
    receiveInbox({
      fs: context.fs,
      folder: identity.folder,
      owner: { agent, hub },
      // Whoever follows decides itself when to try again.
      openHub: (signal) => identity.openHub({ signal, patience: { attempts: 1 } }),
      refused: (refusal) => refusedKey(identity.credentials, identity.file, refusal),
      handOver: report.watch(handOver),
      follow: flags.follow ?? false,
      signal: context.takeStopSignal(),
      wording: createFindingWording('en'),
      events: report.events,
      now: () => new Date(),
    }),
  );
  if (!flags.follow) report.end();
  tools.setExitCode(report.hasFailures && !flags.follow ? 1 : 0);
}

function chooseHandOver(flags: InboxFlags, identity: Identity, tools: InboxTools): HandOver {
  const { exec, webhook, openclaw, insecure } = flags;
  const { stdout } = tools.context;
  const chosen = [exec !== undefined && '--exec', webhook !== undefined && '--webhook'].filter(
    (option) => option !== false,
  );
  // With OpenClaw's form, --webhook says where its gateway is.
  if (chosen.length > 1 || (openclaw && exec !== undefined)) {
    throw new CliError('two-hand-overs', {
      options: openclaw ? [...chosen, '--openclaw'] : chosen,
    });
  }
  const seconds =
    flags.timeout === undefined
      ? DEFAULT_TIMEOUT_S
      : parseNumber('--timeout', flags.timeout, 1, MAX_TIMEOUT_S);
  const timeoutMs = seconds * 1000;
  if (exec !== undefined) {
    return toCommand({
      command: readCommand(exec),
      timeoutMs,
      // Standard output holds our own lines then.
      output: flags.json ? 2 : 1,
      run: feedProgram,
    });
  }
  const { http } = identity;
  if (openclaw) {
    const { context } = tools;
    const world = { fs: context.fs, env: context.env, cwd: readCwd(context) };
    const hook = findOpenclawHook(world, identity.folder, webhook);
    return toWebhook({
      url: parseTargetUrl('--webhook', hook.url, insecure),
      http,
      timeoutMs,
      headers: { Authorization: `Bearer ${hook.token}` },
      format: (message) => formatHookBody(message, hook, seconds),
    });
  }
  if (webhook !== undefined) {
    return toWebhook({ url: parseTargetUrl('--webhook', webhook, insecure), http, timeoutMs });
  }
  return toOutput(
    stdout,
    flags.json ? formatMessageLine : formatMessageText(tools, flags.credentials),
  );
}

function readCommand(given: string): string[] {
  const command = parseCommand(given, isWindows);
  if (command === undefined || !command[0]) throw new CliError('bad-command', { given });
  return command;
}
