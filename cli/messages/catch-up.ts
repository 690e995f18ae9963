import type { HubRefusal } from '../hub-client/hub-answer.ts';
import type { HubClient } from '../hub-client/hub-client.ts';
import type { HistoryMessage } from '../hub-client/hub-data.ts';
import { BEGINNING, type IdCursor, type InboxJournal } from './inbox-journal.ts';
import { type InboxMessage, keysOf, parseInboxMessage } from './inbox-message.ts';
import type { Receiver } from './receiver.ts';

/** Clocks of a hub's machines may differ, and a message may be listed later than it is dated. */
const OVERLAP_MS = 10 * 60_000;
const NOTHING: ReadonlySet<string> = new Set();

interface CatchUp {
  hub: HubClient;
  journal: InboxJournal;
  receiver: Receiver;
}

/** How a hub counts `since`; what it does not say is not guessed. */
export type SinceForm = 'id' | 'timestamp' | 'unknown';

export async function readSinceForm(hub: HubClient): Promise<SinceForm> {
  const answer = await hub.discovery();
  const told = answer.ok ? answer.data.since : undefined;
  return told === 'id' || told === 'timestamp' ? told : 'unknown';
}

/** Fetches everything that came since the last time, and whatever else a hub that cannot say so has. */
export async function catchUp(parts: CatchUp): Promise<HubRefusal | undefined> {
  const form = await readSinceForm(parts.hub);
  return form === 'id' ? catchUpById(parts) : catchUpByList(parts, form);
}

/**
 * Page by page. It begins with the last message it knows: where that is not there, the hub
 * counts anew (it was set up again, say), and everything it has is asked for.
 */
async function catchUpById({ hub, journal, receiver }: CatchUp) {
  const known = journal.cursor && 'id' in journal.cursor ? journal.cursor : BEGINNING;
  let anchor = known.id > 0 ? known : undefined;
  let after = Math.max(known.id - 1, 0);
  for (;;) {
    await receiver.room();
    const answer = await hub.history({ since: after });
    if (!answer.ok) return answer;
    const page = toMessages(answer.data);
    if (anchor !== undefined && !isAt(anchor, page[0])) {
      receiver.take([], true, BEGINNING);
      anchor = undefined;
      after = 0;
      continue;
    }
    anchor = undefined;
    const last = page.at(-1);
    const cursor = last && cursorAt(last);
    receiver.take(page, true, cursor);
    if (cursor === undefined || cursor.id <= after) break;
    after = cursor.id;
  }
  journal.seen.keepListed(NOTHING);
  return undefined;
}

/** In one list. Where `since` is not known to be a time, only the whole list cannot skip any. */
async function catchUpByList({ hub, journal, receiver }: CatchUp, form: SinceForm) {
  const { cursor } = journal;
  const isKnown = form === 'timestamp' && cursor !== undefined && 'timestamp' in cursor;
  const from = isKnown ? Date.parse(cursor.timestamp) - OVERLAP_MS : Number.NaN;
  const since = from > 0 ? { since: new Date(from).toISOString() } : {};
  await receiver.room();
  const answer = await hub.history(since);
  if (!answer.ok) return answer;
  const list = toMessages(answer.data);
  const times = list.map(({ timestamp = '' }) => Date.parse(timestamp)).filter(Number.isFinite);
  // A time that is yet to come would hide what is dated before it.
  const latest = Math.min(
    times.reduce((a, b) => Math.max(a, b), 0),
    Date.now(),
  );
  receiver.take(list, true, latest > 0 ? { timestamp: new Date(latest).toISOString() } : undefined);
  journal.seen.keepListed(new Set(list.map((message) => keysOf(message).trace)));
  return undefined;
}

/** The place of a message in the list of a hub that numbers them. */
export function cursorAt(message: InboxMessage): IdCursor | undefined {
  const { id } = message;
  return id === undefined ? undefined : { id, trace: keysOf(message).trace };
}

function isAt(anchor: IdCursor, message: InboxMessage | undefined): boolean {
  return message?.id === anchor.id && keysOf(message).trace === anchor.trace;
}

function toMessages(list: readonly HistoryMessage[]): InboxMessage[] {
  return list.flatMap((entry) => parseInboxMessage(entry) ?? []);
}
