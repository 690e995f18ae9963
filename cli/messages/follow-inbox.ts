import type { CliError } from '../errors.ts';
import type { HubRefusal } from '../hub-client/hub-answer.ts';
import type { HubClient } from '../hub-client/hub-client.ts';
import type { InboxEvent } from '../hub-client/inbox-stream.ts';
import { NetworkError } from '../hub-client/network-error.ts';
import { isKeyRefused } from '../identity/refused-key.ts';
import { backoff, pause } from './backoff.ts';
import { catchUp, cursorAt, readSinceForm } from './catch-up.ts';
import type { InboxJournal } from './inbox-journal.ts';
import { type InboxMessage, parseInboxMessage } from './inbox-message.ts';
import type { Receiver } from './receiver.ts';

const RECONNECT = { firstMs: 500, lastMs: 60_000 };
/** A connection that held so long, or brought something, was a good one: the next wait is short. */
const GOOD_AFTER_MS = 10_000;
const MAX_BATCH = 1_000;
/** A hub that cannot be asked for what is new is asked for its list before too much is new. */
const RELIST_AFTER = 5_000;
/** Waiting does not help against these. */
const HOPELESS = ['bad-key', 'hub-insecure', 'proxy-unusable'];

export type LostConnection = NetworkError | HubRefusal | 'ended';

export interface FollowEvents {
  connected(): void;
  lost(why: LostConnection, waitMs: number): void;
}

export interface Following {
  /** Anew for each connection: what a hub said of itself may have changed. */
  openHub(signal: AbortSignal): HubClient;
  /** What to tell when the key is not accepted. */
  refused(refusal: HubRefusal): CliError;
  journal: InboxJournal;
  receiver: Receiver;
  signal: AbortSignal;
  events: FollowEvents;
}

/** Listens until the signal; after every gap it fetches what it missed before it goes on. */
export async function followInbox(following: Following): Promise<void> {
  const { signal, events, receiver } = following;
  for (let failures = 0; !signal.aborted; ) {
    const startedAt = performance.now();
    const countBefore = receiver.count;
    const hint = { retryMs: 0 };
    const why = await listen(following, hint).catch((error: unknown) => {
      if (!(error instanceof NetworkError) || HOPELESS.includes(error.code)) throw error;
      return error;
    });
    if (signal.aborted) return;
    const wasGood = performance.now() - startedAt > GOOD_AFTER_MS || receiver.count > countBefore;
    failures = wasGood ? 1 : failures + 1;
    const told = why !== 'ended' && 'retryAfterMs' in why ? (why.retryAfterMs ?? 0) : 0;
    const wished = Math.min(Math.max(told, hint.retryMs), RECONNECT.lastMs);
    const waitMs = Math.max(backoff(failures, RECONNECT), wished);
    events.lost(why, waitMs);
    await pause(waitMs, signal);
  }
}

/** The key itself is not accepted: that is for the user to know, not to wait out. */
export function assertKeyAccepted(refusal: HubRefusal, refused: Following['refused']): void {
  if (isKeyRefused(refusal)) throw refused(refusal);
}

/** One connection, from its beginning to its end. */
async function listen(following: Following, hint: { retryMs: number }): Promise<LostConnection> {
  const { journal, receiver, events } = following;
  const connection = new AbortController();
  const signal = AbortSignal.any([following.signal, connection.signal]);
  const hub = following.openHub(signal);
  const parts = { hub, journal, receiver };
  const closeGap = async () => {
    const refusal = await catchUp(parts);
    if (refusal) assertKeyAccepted(refusal, following.refused);
    return refusal;
  };
  const intake = createIntake(receiver, await readSinceForm(hub), () => connection.abort());
  try {
    const refusal = await closeGap();
    if (refusal) return refusal;
    const answer = await hub.openInbox({ signal, ...lastEventId(journal) });
    // Not the key's fault, which was good for the list just now: a token that has expired, say.
    if (!answer.ok) return answer;
    const stream = answer.data.events[Symbol.asyncIterator]();
    // Begins to read; what then waits is read on after the gap is closed.
    let next = stream.next();
    next.catch(() => {}); // it is awaited below, unless the gap cannot be closed
    const missed = await closeGap();
    if (missed) return missed;
    events.connected();
    for (let step = await next; !step.done; step = await next) {
      if (step.value.type === 'retry') hint.retryMs = step.value.ms;
      intake.add(step.value);
      await receiver.room();
      if (intake.isRelistDue()) {
        const again = await closeGap();
        if (again) return again;
      }
      next = stream.next();
      next.catch(() => {});
    }
    return 'ended';
  } finally {
    connection.abort();
    intake.flush();
  }
}

function lastEventId({ cursor }: InboxJournal): { lastEventId?: string } {
  return cursor && 'id' in cursor ? { lastEventId: String(cursor.id) } : {};
}

/** Collects what arrives together, so that it goes to disk together. */
function createIntake(receiver: Receiver, form: string, stop: () => void) {
  let batch: InboxMessage[] = [];
  let sinceList = 0;
  let problem: { error: unknown } | undefined;
  const flush = () => {
    if (problem) throw problem.error;
    const messages = batch;
    batch = [];
    const last = messages.at(-1);
    // The stream of a hub that numbers its messages skips none.
    const cursor = form === 'id' && last ? cursorAt(last) : undefined;
    if (last !== undefined) receiver.take(messages, false, cursor);
  };
  const flushLater = () => {
    setImmediate(() => {
      try {
        if (problem === undefined) flush();
      } catch (error) {
        problem = { error };
        stop();
      }
    });
  };
  return {
    flush,
    add(event: InboxEvent) {
      const message = readMessage(event);
      if (message === undefined) return;
      if (batch.push(message) === 1) flushLater();
      else if (batch.length >= MAX_BATCH) flush();
      sinceList++;
    },
    isRelistDue() {
      if (form === 'id' || sinceList < RELIST_AFTER) return false;
      flush();
      sinceList = 0;
      return true;
    },
  };
}

function readMessage(event: InboxEvent): InboxMessage | undefined {
  if (event.type !== 'event' || event.event !== 'message') return undefined;
  let value: unknown;
  try {
    value = JSON.parse(event.data);
  } catch {
    value = { envelope: event.data }; // kept aside as what it is
  }
  const message = parseInboxMessage(value) ?? parseInboxMessage({ envelope: value });
  const id = Number(event.id);
  const isNumbered = event.id !== undefined && event.id !== '' && Number.isSafeInteger(id);
  return message && isNumbered ? { id, ...message } : message;
}
