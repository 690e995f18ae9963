import { randomUUID } from 'node:crypto';
import { CliError } from '../errors.ts';
import { NetworkError } from '../hub-client/network-error.ts';
import { readTextInput } from '../io/read-text-input.ts';
import { endAtOnceWhenStopped } from '../io/stop-signal.ts';
import { openHistory } from '../messages/history-folder.ts';
import { limitTime } from '../messages/limit-time.ts';
import { postToHub } from '../messages/post-to-hub.ts';
import { postToPeer } from '../messages/post-to-peer.ts';
import { type PlaceWish, type SendParts, sendMessage } from '../messages/send-message.ts';
import { ADDRESS_PATTERN } from '../protocol/constants.ts';
import { sendTexts } from '../wording/send/texts.ts';
import { type DefineCommand, parseNumber, readCwd, valueOption, withTexts } from './command.ts';
import {
  addIdentityOptions,
  type Identity,
  type IdentityFlags,
  openIdentity,
  parseTargetUrl,
  tellStorage,
} from './open-identity.ts';
import { describeReason, reportSent, type SendTools } from './send-report.ts';

interface SendFlags extends IdentityFlags {
  file?: string;
  context?: string;
  replyTo?: string;
  conversation?: string;
  turn?: string;
  idempotencyKey?: string;
  peer?: string;
  json?: boolean;
}

/** For all of it: agents give a command about two minutes. */
const MAX_SEND_MS = 90_000;

export const defineSend: DefineCommand = (command, programTools) => {
  const tools = withTexts(programTools, sendTexts);
  const { say } = tools.wording;
  command
    .usage(say('send.usage'))
    .description(say('send.description'))
    .argument('<receiver>', say('send.receiver'))
    .argument('[text]', say('send.text'))
    .addOption(valueOption('--file <path>', say('send.file')))
    .addOption(valueOption('--context <text>', say('send.context')))
    .addOption(valueOption('--reply-to <trace_id>', say('send.reply-to')))
    .addOption(valueOption('--conversation <id>', say('send.conversation')))
    .addOption(valueOption('--turn <number>', say('send.turn')))
    .addOption(valueOption('--idempotency-key <key>', say('send.idempotency-key')))
    .addOption(valueOption('--peer <url>', say('send.peer')));
  addIdentityOptions(command, say)
    .option('--json', say('option.json'))
    .action((receiver: string, text: string | undefined, flags: SendFlags) =>
      runSend(receiver, text, flags, tools),
    );
};

async function runSend(
  given: string,
  text: string | undefined,
  flags: SendFlags,
  tools: SendTools,
): Promise<void> {
  const { context } = tools;
  const place = parsePlace(flags);
  const identity = openIdentity(flags, tools);
  const receiver = parseReceiver(given, identity);
  const listenAgain = endAtOnceWhenStopped(); // nobody has been written to yet
  const said = readText(text, flags, tools); // typed, maybe: that time is not counted
  listenAgain();
  const stop = context.takeStopSignal();
  const signal = limitTime(stop, MAX_SEND_MS);
  const request = {
    receiver,
    place,
    sender: identity.credentials.agent_id,
    text: said,
    context: flags.context,
    culture: await findCulture(identity, signal),
    idempotencyKey: flags.idempotencyKey ?? randomUUID(),
  };
  const sent = await tellStorage(identity.folder, () =>
    sendMessage(request, {
      fs: context.fs,
      history: openHistory(context.fs, identity.folder),
      post: choosePost(flags, identity, signal),
      signal,
      makeId: randomUUID,
      now: () => new Date(),
      onWait: (delivery, waitMs) => {
        const reason = describeReason(delivery, tools.wording.language);
        const seconds = Math.round(waitMs / 100) / 10;
        context.stderr.write(`${tools.wording.say('send.waiting', { reason, seconds })}\n`);
      },
    }),
  );
  reportSent(sent, receiver, { json: flags.json, folder: identity.folder }, tools);
  if (stop.aborted) tools.setExitCode(130);
}

function parsePlace({ replyTo, conversation, turn }: SendFlags): PlaceWish {
  if (replyTo !== undefined) {
    if (conversation !== undefined || turn !== undefined) throw new CliError('reply-and-place');
    return { replyTo };
  }
  if (conversation === undefined) {
    if (turn !== undefined) throw new CliError('turn-without-conversation');
    return 'new';
  }
  const max = Number.MAX_SAFE_INTEGER;
  return {
    conversation,
    turn: turn === undefined ? undefined : parseNumber('--turn', turn, 1, max),
  };
}

/** The name alone means an agent on our own hub. */
function parseReceiver(given: string, { credentials }: Identity): string {
  const [, host] = credentials.agent_id.split('@');
  const full = given.includes('@') ? given : `${given}@${host}`;
  if (!new RegExp(ADDRESS_PATTERN).test(full)) throw new CliError('bad-address', { given });
  return full;
}

function readText(
  text: string | undefined,
  { file }: SendFlags,
  { context, wording }: SendTools,
): string {
  if (text !== undefined && file !== undefined) throw new CliError('text-twice');
  const source = text === '-' ? '-' : file;
  // Somebody at a terminal would not know what it waits for.
  if (source === '-' && context.dialogue) context.stderr.write(`${wording.say('send.typing')}\n`);
  const said = source === undefined ? text : readTextInput(context.fs, readCwd(context), source);
  if (said === undefined || said.trim() === '') throw new CliError('text-missing');
  return said;
}

/** Credentials of other tools may lack it; then the hub knows what was registered. */
async function findCulture(
  { credentials, file, openHub }: Identity,
  signal: AbortSignal,
): Promise<string> {
  if (credentials.user_culture !== undefined) return credentials.user_culture;
  const answer = await openHub({ signal })
    .agent(credentials.agent_id)
    .catch((error: unknown) => {
      if (error instanceof NetworkError) return undefined;
      throw error;
    });
  const culture = answer?.ok ? answer.data.culture : undefined;
  if (culture === undefined) throw new CliError('culture-unknown', { path: file });
  return culture;
}

function choosePost(
  { peer, insecure }: SendFlags,
  identity: Identity,
  signal: AbortSignal,
): SendParts['post'] {
  if (peer !== undefined) {
    const url = parseTargetUrl('--peer', peer, insecure);
    return (_, envelope) => postToPeer(identity.http, url, envelope, signal);
  }
  // One try each: `deliver` decides about the next.
  const once = { patience: { attempts: 1 }, signal };
  // Anew each time: what failed of the first try is not kept for the next.
  return (receiver, envelope, key) => postToHub(identity.openHub(once), receiver, envelope, key);
}
