import type { FindingWording } from '../diagnostics/finding.ts';
import type { JsonObject } from '../envelope/kinds.ts';
import type { ProtocolResponse } from '../envelope/protocol-response.ts';
import { appendLines } from '../io/append-lines.ts';
import type { FileSystem } from '../io/files.ts';
import { SELF_CHECK_PREFIX } from '../protocol/constants.ts';
import { refuseEnvelope } from './check-envelope.ts';
import { type Courier, type CourierEvents, createCourier } from './courier.ts';
import type { HandOver } from './hand-over/hand-over.ts';
import type { HistoryFolder } from './history-folder.ts';
import type { HistoryLine } from './history-line.ts';
import type { Cursor, InboxJournal } from './inbox-journal.ts';
import {
  conversationOf,
  type InboxMessage,
  keysOf,
  type MessageKeys,
  senderOf,
} from './inbox-message.ts';

/** With so many not handed over, no more are fetched: the hub keeps them. */
const MAX_PENDING = 5_000;

export interface ReceiverEvents {
  failed: CourierEvents['failed'];
  broken: CourierEvents['broken'];
  invalid(message: InboxMessage, response: ProtocolResponse): void;
  /** Another message of the same sender, conversation and turn. */
  repeated(message: InboxMessage): void;
  full(pending: number): void;
}

export interface ReceiverParts {
  fs: FileSystem;
  journal: InboxJournal;
  history: HistoryFolder;
  invalidFile: string;
  ownId: string;
  handOver: HandOver;
  wording: FindingWording;
  events: ReceiverEvents;
  now: () => Date;
  /** Whether a failed hand-over is tried again in this run, or left for the next. */
  retries: boolean;
}

/** Takes messages from wherever they come, once each: checked, on disk, then handed over. */
export interface Receiver {
  /** What an earlier run did not hand over. */
  resume(): void;
  /** `listed`: from the hub's history, which also has what we sent ourselves. */
  take(messages: readonly InboxMessage[], listed: boolean, cursor?: Cursor): void;
  /** How many new messages came in. */
  readonly count: number;
  /** Waits while too many are not handed over. */
  room(): Promise<void>;
  settled: Courier['settled'];
  stop: Courier['stop'];
}

export function createReceiver(parts: ReceiverParts): Receiver {
  const { fs, journal, history, events, now } = parts;
  let awaitRoom: (() => void)[] = [];
  let count = 0;
  const hasRoom = () => journal.pending.size < MAX_PENDING;
  const done = (traces: readonly string[]) => {
    journal.markDone(traces);
    if (!hasRoom()) return;
    for (const go of awaitRoom) go();
    awaitRoom = [];
  };
  const courier = createCourier(parts.handOver, { ...events, done }, parts);

  /** What we sent to others, and what `doctor` sent to us. */
  const isOwn = (message: InboxMessage, listed: boolean) =>
    senderOf(message) === parts.ownId &&
    ((listed && message.receiver_id !== parts.ownId) ||
      conversationOf(message).startsWith(SELF_CHECK_PREFIX));

  const putAside = (refused: ReadonlyMap<InboxMessage, ProtocolResponse>) => {
    if (refused.size === 0) return;
    const ts = now().toISOString();
    const lines = [...refused].map(([{ trace_id, envelope }, response]) =>
      JSON.stringify({ ts, trace_id, envelope, response }),
    );
    appendLines(fs, parts.invalidFile, lines);
    for (const [message, response] of refused) events.invalid(message, response);
  };

  const keep = (messages: readonly InboxMessage[]) =>
    history.append(messages.map((message) => toLine(message, now())));

  return {
    resume() {
      const pending = [...journal.pending.values()];
      if (pending.length === 0) return;
      const recorded = findRecorded(history, pending);
      keep(pending.filter(({ trace_id: trace }) => !recorded.has(trace)));
      courier.send(pending);
    },
    take(messages, listed, cursor) {
      const fresh: InboxMessage[] = [];
      const refused = new Map<InboxMessage, ProtocolResponse>();
      const dropped: MessageKeys[] = [];
      const traces = new Set<string>();
      const turns = new Set<string>();
      for (const message of messages) {
        if (isOwn(message, listed)) continue;
        const keys = keysOf(message);
        const { trace, turn } = keys;
        if (journal.seen.hasTrace(trace) || traces.has(trace)) continue;
        traces.add(trace);
        const response = refuseEnvelope(message.envelope, parts.wording);
        if (response) {
          refused.set(message, response);
          // It has not used up its turn: put right, it may come again.
          dropped.push({ trace });
        } else if (journal.seen.has(keys) || (turn !== undefined && turns.has(turn))) {
          dropped.push(keys);
          events.repeated(message);
        } else {
          if (turn !== undefined) turns.add(turn);
          fresh.push(message);
        }
      }
      count += fresh.length + refused.size;
      putAside(refused);
      journal.store(fresh, dropped, cursor);
      keep(fresh);
      courier.send(fresh);
    },
    get count() {
      return count;
    },
    async room() {
      if (hasRoom()) return;
      // Each is tried once in this run, so there is nothing more to wait for.
      if (!parts.retries) return courier.settled();
      events.full(journal.pending.size);
      await new Promise<void>((resolve) => awaitRoom.push(resolve));
    },
    settled: () => courier.settled(),
    stop() {
      for (const go of awaitRoom) go();
      return courier.stop();
    },
  };
}

function toLine(message: InboxMessage, now: Date): HistoryLine {
  const { trace_id, timestamp = '' } = message;
  const sent = Date.parse(timestamp);
  return {
    ts: (Number.isNaN(sent) ? now : new Date(sent)).toISOString(),
    dir: 'received',
    peer: senderOf(message),
    trace_id,
    envelope: message.envelope as JsonObject, // otherwise it was refused
  };
}

/** Which of the pending messages a killed run had written down already. */
function findRecorded(history: HistoryFolder, pending: readonly InboxMessage[]): Set<string> {
  const wanted = new Set(pending.map(({ trace_id: trace }) => trace));
  const found = new Set<string>();
  for (const peer of new Set(pending.map(senderOf))) {
    for (const { dir, trace_id: trace } of history.read(peer)) {
      if (dir === 'received' && trace !== undefined && wanted.has(trace)) found.add(trace);
    }
  }
  return found;
}
