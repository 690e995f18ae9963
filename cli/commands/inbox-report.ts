import path from 'node:path';
import { NetworkError } from '../hub-client/network-error.ts';
import { quoteForShell } from '../io/shell-text.ts';
import { printJsonLine, stripControls } from '../io/terminal.ts';
import { isRecord } from '../json/is-record.ts';
import type { LostConnection } from '../messages/follow-inbox.ts';
import type { HandOver, HandOverFailure } from '../messages/hand-over/hand-over.ts';
import { type InboxMessage, senderOf } from '../messages/inbox-message.ts';
import type { InboxRun } from '../messages/receive-inbox.ts';
import { INVALID_FILE } from '../protocol/constants.ts';
import { errorTexts } from '../wording/errors/texts.ts';
import type { inboxTexts } from '../wording/inbox/texts.ts';
import { createWording } from '../wording/wording.ts';
import type { CommandTools } from './command.ts';

export type InboxTools = CommandTools<typeof inboxTexts.en>;

/** Tells what happens: to people on standard error, to programs a line on standard output. */
export function createInboxReport(
  facts: { agent: string; hub: string; folder: string },
  { json = false }: { json?: boolean },
  { context, wording }: InboxTools,
) {
  const { say } = wording;
  let taken = 0;
  let failures = 0;
  const tell = (text: string, line?: { event: string; [fact: string]: unknown }) => {
    if (!json) context.stderr.write(`${text}\n`);
    else if (line) context.stdout.write(printJsonLine(line));
  };
  const nameSender = (message: InboxMessage) => senderOf(message) || say('inbox.somebody');
  const events: InboxRun['events'] = {
    connected: () => tell(say('inbox.connected', { agent: facts.agent, hub: facts.hub })),
    lost: (why, waitMs) => {
      const reason = describeLoss(why, wording);
      tell(say('inbox.lost', { reason, seconds: toSeconds(waitMs) }));
    },
    invalid: (message, response) => {
      const { error_code: code = '', detail = '' } = response as Record<string, string>;
      const file = path.join(facts.folder, INVALID_FILE);
      tell(say('inbox.invalid', { sender: nameSender(message), file, code, detail }), {
        event: 'invalid',
        ...describe(message),
        response,
      });
    },
    repeated: (message) => {
      const line = { event: 'repeated', ...describe(message) };
      tell(say('inbox.repeated', { sender: nameSender(message) }), line);
    },
    full: (count) => tell(say('inbox.full', { count })),
    failed: (message, failure, retryInMs) => {
      failures++;
      const reason = describeFailure(failure, wording);
      const sender = nameSender(message);
      const told = say('inbox.failed', { trace: message.trace_id, sender, reason });
      const next =
        retryInMs === undefined
          ? say('inbox.next-run')
          : say('inbox.retry', { seconds: toSeconds(retryInMs) });
      tell(`${told}${say('sentence.separator')}${next}`, {
        event: 'failed',
        ...describe(message),
        ...withoutCause(failure),
      });
    },
  };
  return {
    events,
    get hasFailures() {
      return failures > 0;
    },
    /** Counts what is handed over. */
    watch(handOver: HandOver): HandOver {
      if (handOver.takes === 'many') {
        return {
          takes: 'many',
          deliver: (messages) => {
            handOver.deliver(messages);
            taken += messages.length;
          },
        };
      }
      return {
        takes: 'one',
        deliver: async (message) => {
          const failure = await handOver.deliver(message);
          if (failure === undefined) {
            taken++;
            if (json)
              context.stdout.write(printJsonLine({ event: 'handed_over', ...describe(message) }));
          }
          return failure;
        },
      };
    },
    end() {
      if (taken + failures === 0) tell(say('inbox.nothing'));
    },
  };
}

/** As a person reads it. */
export function formatMessageText({ context, wording, program }: InboxTools, given?: string) {
  const { colors } = context.stdout;
  const credentials = given === undefined ? '' : ` --credentials ${quoteForShell(given)}`;
  return (message: InboxMessage): string => {
    const envelope = isRecord(message.envelope) ? message.envelope : {};
    const sender = senderOf(message);
    const { sender_culture: culture, cultural_context: reason, original_text: text } = envelope;
    const time = message.timestamp === undefined ? '' : ` · ${message.timestamp}`;
    const reply = `${program} send ${sender} - --reply-to ${message.trace_id}${credentials}`;
    return [
      `${colors.bold(stripControls(sender))} ${stripControls(`(${culture})${time}`)}`,
      indent(String(text)),
      ...(typeof reason === 'string'
        ? [colors.dim(indent(wording.say('inbox.context', { text: reason })))]
        : []),
      colors.dim(indent(wording.say('inbox.reply', { command: reply }))),
      '\n',
    ].join('\n');
  };
}

/** So that no line of a message can pass for one of ours. */
function indent(text: string): string {
  return stripControls(text).replace(/^/gm, '  ');
}

function describe(message: InboxMessage) {
  return { trace_id: message.trace_id, sender_id: senderOf(message) };
}

function describeLoss(why: LostConnection, { language, say }: InboxTools['wording']): string {
  if (why === 'ended') return say('inbox.ended');
  if (!(why instanceof NetworkError)) {
    return say('inbox.refusal', { status: why.status, code: why.code });
  }
  return createWording(language, errorTexts).sayData(`error.${why.code}`, why.args);
}

function describeFailure(failure: HandOverFailure, wording: InboxTools['wording']): string {
  if (failure.reason === 'network') {
    return describeLoss(failure.cause, wording).replace(/[.。]$/, ''); // within a sentence
  }
  const { reason, ...args } = failure;
  return wording.sayData(`inbox.reason-${reason}`, args);
}

/** As programs get it. */
function withoutCause(failure: HandOverFailure) {
  const { cause, ...facts } = { cause: undefined, ...failure };
  return facts;
}

function toSeconds(ms: number): number {
  return Math.round(ms / 100) / 10;
}
