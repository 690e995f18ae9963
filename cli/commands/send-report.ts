import { createFindingWording } from '../diagnostics/wording/finding-wording.ts';
import type { JsonObject } from '../envelope/kinds.ts';
import { CliError } from '../errors.ts';
import { NetworkError } from '../hub-client/network-error.ts';
import { quoteForShell } from '../io/shell-text.ts';
import { printJson } from '../io/terminal.ts';
import type { EnvelopeFinding } from '../messages/check-envelope.ts';
import type { Delivered } from '../messages/deliver.ts';
import { type AcceptedDelivery, type Delivery, isAccepted } from '../messages/delivery.ts';
import type { Sent } from '../messages/send-message.ts';
import { errorTexts } from '../wording/errors/texts.ts';
import { sendTexts } from '../wording/send/texts.ts';
import { createWording, type UiLanguage } from '../wording/wording.ts';
import type { CommandTools } from './command.ts';

export type SendTools = CommandTools<typeof sendTexts.en>;

/** What to do about a refusal of the hub. */
const HINTS = new Map<string, 'send.no-agent' | 'send.no-key' | 'send.key-used'>([
  ['ERR_AGENT_NOT_FOUND', 'send.no-agent'],
  ['ERR_UNAUTHORIZED', 'send.no-key'],
  ['ERR_IDEMPOTENCY_CONFLICT', 'send.key-used'],
]);

/** Tells what became of a message, and by the exit code; a failure on standard error. */
export function reportSent(
  sent: Sent,
  receiver: string,
  { json = false, folder }: { json?: boolean | undefined; folder: string },
  tools: SendTools,
): void {
  const { findings, envelope, delivered } = sent;
  const words = createFindingWording(json ? 'en' : tools.wording.language);
  const tell = (finding: EnvelopeFinding) => words.message(finding);
  if (delivered === undefined) {
    const errors = findings.filter(({ severity }) => severity === 'error');
    throw new CliError('envelope-invalid', { problems: errors.map(tell).join(' ') });
  }
  const isGood = isAccepted(delivered);
  if (json) {
    const { cause, ...facts } = { cause: undefined, ...delivered };
    const { conversation_id, turn_number } = envelope;
    tools.context.stdout.write(
      printJson({
        ok: isGood,
        ...facts,
        ...(cause === undefined ? {} : { detail: describeReason(delivered, 'en') }),
        receiver_id: receiver,
        conversation_id,
        turn_number,
        recorded: sent.isRecorded,
        warnings: findings.map((finding) => ({ rule: finding.rule, message: tell(finding) })),
      }),
    );
  } else {
    for (const finding of findings) {
      const line = tools.wording.say('send.warning', { message: tell(finding) });
      tools.context.stderr.write(`${line}\n`);
    }
    const { stdout, stderr } = tools.context;
    if (isGood) stdout.write(formatAccepted(delivered, envelope, receiver, tools));
    else stderr.write(`${stderr.colors.red(formatFailure(delivered, receiver, tools))}\n`);
  }
  if (isGood && !sent.isRecorded) {
    const line = tools.wording.say('send.not-recorded', { folder });
    tools.context.stderr.write(`${line}\n`);
  }
  tools.setExitCode(isGood ? 0 : 1);
}

function formatAccepted(
  { delivery, trace_id: trace }: AcceptedDelivery,
  { conversation_id: conversation, turn_number: turn }: JsonObject,
  receiver: string,
  tools: SendTools,
): string {
  const { say, sayData } = tools.wording;
  const { colors } = tools.context.stdout;
  const facts = [
    ...(conversation === undefined || turn === undefined
      ? []
      : [say('send.place', { conversation: String(conversation), turn: Number(turn) })]),
    ...(trace === undefined ? [] : [say('send.trace', { trace })]),
  ];
  const head = colors.green(sayData(`send.${delivery}`, { receiver }));
  return `${head}\n${facts.length === 0 ? '' : `${colors.dim(facts.join(' · '))}\n`}`;
}

/** Without the ids of a conversation that may never have begun: the key is enough to repeat it. */
function formatFailure(
  delivered: Delivered,
  receiver: string,
  { wording, program }: SendTools,
): string {
  const { say, sayData, language } = wording;
  const repeat = `--idempotency-key ${quoteForShell(delivered.idempotency_key)}`;
  const isRefused = delivered.delivery === 'rejected';
  const key = isRefused
    ? (`send.rejected-${delivered.by}` as const)
    : (`send.${delivered.delivery}` as const);
  const code = isRefused && delivered.by === 'hub' ? delivered.error_code : '';
  const hint = HINTS.get(code);
  // A hub's own words are for those who speak HTTP; where we know better, they are left out.
  const reason = hint === undefined ? describeReason(delivered, language) : code;
  const told = sayData(key, { receiver, reason, repeat });
  return hint === undefined ? told : `${told}${say('sentence.separator')}${say(hint, { program })}`;
}

/** Why a delivery is not as it should be, in the words of the catalogue or of the hub. */
export function describeReason(delivery: Delivery, language: UiLanguage): string {
  if ('cause' in delivery && delivery.cause instanceof NetworkError) {
    const { code, args } = delivery.cause;
    if (code === 'cancelled') return createWording(language, sendTexts).say('send.stopped');
    return withoutStop(createWording(language, errorTexts).sayData(`error.${code}`, args));
  }
  if (!('error_code' in delivery)) return '';
  return withoutStop([delivery.error_code, delivery.detail].filter((it) => it !== '').join(': '));
}

/** It stands within a sentence. */
function withoutStop(text: string): string {
  return text.replace(/[.。]$/, '');
}
