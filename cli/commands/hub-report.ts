import type { HubOptions, RunningHub } from '../../hub/hub.ts';
import type { HubEvent, HubLog } from '../../hub/hub-log.ts';
import { stripControls } from '../io/terminal.ts';
import type { hubTexts } from '../wording/hub/texts.ts';
import type { CommandTools } from './command.ts';

type HubTools = CommandTools<typeof hubTexts.en>;

/** That it is ready, where, and how to register: for people, or as one line of JSON. */
export function announceHub(
  { url, localUrl }: RunningHub,
  { host, bind, isClosed }: HubOptions,
  { json, dataFolder }: { json: boolean; dataFolder: string | undefined },
  { context, wording, program }: HubTools,
): void {
  const { say } = wording;
  if (json) {
    const facts = { ok: true, url, listens: localUrl, name: host, data: dataFolder ?? null };
    context.stdout.write(`${stripControls(JSON.stringify(facts))}\n`);
    return;
  }
  const { bold, green } = context.stdout.colors;
  const lines = [
    bold(green(say('hub.ready', { url }))),
    ...(url === localUrl ? [] : [`  ${say('hub.ready-listens', { url: localUrl })}`]),
    `  ${say('hub.ready-name', { name: host })}`,
    `  ${dataFolder === undefined ? say('hub.ready-memory') : say('hub.ready-data', { dir: dataFolder })}`,
    ...(isClosed ? [] : [`  ${say('hub.ready-register', { program, url })}`]),
    say('hub.ready-stop'),
  ];
  context.stdout.write(`${lines.join('\n')}\n`);
  if (!isLocal(bind)) context.stderr.write(`${say('hub.open-to-network', { host: bind })}\n`);
}

function isLocal(bind: string): boolean {
  return bind === 'localhost' || bind === '::1' || bind.startsWith('127.');
}

/** One line for each event: JSON for programs, else words. */
export function createHubLog(json: boolean, { context, wording }: HubTools): HubLog {
  return ({ event, ...facts }: HubEvent) => {
    const time = new Date().toISOString();
    const line = json
      ? stripControls(JSON.stringify({ time, event, ...facts }))
      : `${context.stderr.colors.dim(time)} ${wording.sayData(`hub.log.${event}`, nameReason(facts, wording))}`;
    context.stderr.write(`${line}\n`);
  };
}

/** A reason that is a code of ours in words; of a webhook it is the system's. */
function nameReason(
  facts: Readonly<Record<string, string | number>>,
  { say }: HubTools['wording'],
) {
  if (facts.reason === 'slow') return { ...facts, reason: say('hub.reason-slow') };
  if (facts.reason === 'replaced') return { ...facts, reason: say('hub.reason-replaced') };
  return facts;
}
