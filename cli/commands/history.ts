import path from 'node:path';
import { CliError } from '../errors.ts';
import { findCredentials, requireCredentials } from '../identity/find-credentials.ts';
import { printJson, stripControls } from '../io/terminal.ts';
import { type DamagedLine, openHistory } from '../messages/history-folder.ts';
import type { HistoryLine } from '../messages/history-line.ts';
import { historyTexts } from '../wording/history/texts.ts';
import {
  type CommandTools,
  type DefineCommand,
  readCwd,
  valueOption,
  withTexts,
} from './command.ts';
import { tellStorage } from './open-identity.ts';

type HistoryTools = CommandTools<typeof historyTexts.en>;

interface HistoryFlags {
  since?: string;
  conversation?: string;
  credentials?: string;
  json?: boolean;
}

/** So many damaged lines are named one by one. */
const MAX_DAMAGED = 20;

export const defineHistory: DefineCommand = (command, programTools) => {
  const tools = withTexts(programTools, historyTexts);
  const { say } = tools.wording;
  command
    .usage(say('history.usage'))
    .description(say('history.description'))
    .argument('[peer]', say('history.peer'))
    .addOption(valueOption('--since <time>', say('history.since')))
    .addOption(valueOption('--conversation <id>', say('history.conversation')))
    .addOption(valueOption('--credentials <path>', say('option.credentials')))
    .option('--json', say('history.json'))
    .action((peer: string | undefined, flags: HistoryFlags) => runHistory(peer, flags, tools));
};

/** It needs no key, so credentials that are damaged or gone do not hide what was said. */
async function runHistory(given: string | undefined, flags: HistoryFlags, tools: HistoryTools) {
  const { context } = tools;
  const since = flags.since === undefined ? undefined : parseSince(flags.since, Date.now());
  const { fs, env } = context;
  const found = findCredentials({ fs, env, cwd: readCwd(context) }, flags.credentials);
  const history = openHistory(fs, path.dirname(found.file));
  const host = found.state === 'valid' ? found.credentials.agent_id.split('@')[1] : undefined;
  const isShort = given !== undefined && !given.includes('@') && host !== undefined;
  const peer = isShort ? `${given}@${host}` : given;
  const damaged: DamagedLine[] = [];
  const lines = await tellStorage(history.folder, async () => {
    const isThere = fs.statSync(history.folder, { throwIfNoEntry: false }) !== undefined;
    if (found.state === 'missing' && !isThere) requireCredentials(found);
    return [...history.read(peer, (line) => damaged.push(line))].filter(
      ({ ts, envelope }) =>
        (since === undefined || Date.parse(ts) >= since) &&
        (flags.conversation === undefined || envelope.conversation_id === flags.conversation),
    );
  });
  lines.sort((a, b) => Date.parse(a.ts) - Date.parse(b.ts));
  if (flags.json) {
    context.stdout.write(printJson({ ok: true, folder: history.folder, messages: lines, damaged }));
    return;
  }
  for (const { file, line } of damaged.slice(0, MAX_DAMAGED)) {
    context.stderr.write(`${tools.wording.say('history.damaged', { file, line })}\n`);
  }
  const more = damaged.length - MAX_DAMAGED;
  if (more > 0) {
    context.stderr.write(`${tools.wording.say('history.more-damaged', { count: more })}\n`);
  }
  if (lines.length > 0) context.stdout.write(formatConversations(lines, tools));
  else {
    const isFiltered = peer ?? flags.since ?? flags.conversation;
    const key = isFiltered === undefined ? 'history.nothing' : 'history.no-match';
    context.stderr.write(`${tools.wording.say(key)}\n`);
  }
}

const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

function parseSince(given: string, now: number): number {
  const [, count, unit = ''] = /^(\d{1,6})([mhd])$/.exec(given) ?? [];
  if (count !== undefined) return now - Number(count) * (UNITS[unit] ?? 0);
  const time = /^\d{4}-\d\d-\d\d(T.*)?$/.test(given) ? Date.parse(given) : Number.NaN;
  if (Number.isNaN(time)) throw new CliError('bad-time', { given });
  return time;
}

/** In the order of time; a heading wherever another conversation goes on. */
function formatConversations(lines: readonly HistoryLine[], tools: HistoryTools): string {
  const { colors } = tools.context.stdout;
  let current = '';
  let text = '';
  for (const line of lines) {
    const heading = nameConversation(line, tools);
    if (heading !== current) text += `${current === '' ? '' : '\n'}${colors.bold(heading)}\n`;
    current = heading;
    text += formatLine(line, tools);
  }
  return text;
}

function nameConversation({ peer, envelope }: HistoryLine, { wording }: HistoryTools): string {
  const { conversation_id: conversation } = envelope;
  return typeof conversation === 'string'
    ? wording.say('history.in', { peer, conversation })
    : wording.say('history.with', { peer });
}

function formatLine({ ts, dir, peer, envelope }: HistoryLine, { context, wording }: HistoryTools) {
  const { colors } = context.stdout;
  const { original_text: text, sender_culture: culture, cultural_context: reason } = envelope;
  const time = new Date(ts).toISOString().replace('T', ' ').slice(0, 19);
  const who = dir === 'sent' ? wording.say('history.you') : stripControls(peer);
  const head = `  ${colors.dim(`${time}Z`)} ${colors.cyan(who)} ${stripControls(`(${culture})`)}`;
  const notes =
    typeof reason === 'string'
      ? `${colors.dim(indent(wording.say('history.context', { text: reason })))}\n`
      : '';
  return `${head}\n${indent(String(text))}\n${notes}`;
}

function indent(text: string): string {
  return stripControls(text).replace(/^/gm, '    ');
}
