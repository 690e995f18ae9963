import path from 'node:path';
import { isObject } from '../envelope/kinds.ts';
import { appendLines } from '../io/append-lines.ts';
import { type FileSystem, readFileIfThere, syncFolder } from '../io/files.ts';
import { type InboxMessage, keysOf, type MessageKeys, parseInboxMessage } from './inbox-message.ts';
import { createSeenMessages, type SeenMessages } from './seen-messages.ts';

/** Up to where the hub's list has been read. */
export type Cursor = IdCursor | { timestamp: string };

export interface IdCursor {
  id: number;
  /** Of the message with this id, by which it is seen whether the hub still counts as it did. */
  trace: string;
}

/** Before everything that a hub has. */
export const BEGINNING: IdCursor = { id: 0, trace: '' };

/**
 * What the inbox has to remember: every message from its arrival to its hand-over, which ones
 * came already, and the cursor. Lines are only added; now and then the file is written anew
 * with what still matters. Everything that is stored is on disk when the call returns.
 */
export interface InboxJournal {
  readonly cursor: Cursor | undefined;
  readonly seen: SeenMessages;
  /** Arrived and not yet handed over, oldest first. */
  readonly pending: ReadonlyMap<string, InboxMessage>;
  /** Takes new messages in, with what came with them and goes no further, and where the hub is now. */
  store(
    messages: readonly InboxMessage[],
    dropped: readonly MessageKeys[],
    cursor?: Cursor | undefined,
  ): void;
  markDone(traces: readonly string[]): void;
}

const FIRST_COMPACTION = 4 << 20;
const ENTRIES_A_LINE = 500;

export interface JournalOwner {
  agent: string;
  hub: string;
}

/** `earlier`: what the history has. Unless it is pending here, it was handled, by hand maybe. */
export function openJournal(
  fs: FileSystem,
  file: string,
  owner: JournalOwner,
  earlier: () => Iterable<MessageKeys>,
): InboxJournal {
  const seen = createSeenMessages();
  const pending = new Map<string, InboxMessage>();
  let cursor: Cursor | undefined;
  let isForeign = false;
  let size = 0;
  let compactAt = FIRST_COMPACTION;

  const replay = (line: unknown) => {
    if (!isObject(line)) return;
    if (isObject(line.owner)) isForeign = !isSameOwner(line.owner, owner);
    if (isObject(line.cursor)) {
      const next = line.cursor as Cursor;
      // The time of one hub is not that of another; whether an id is of the same, its trace tells.
      cursor = isForeign && 'timestamp' in next ? undefined : next;
    }
    for (const message of listOf(line.messages).flatMap((it) => parseInboxMessage(it) ?? [])) {
      seen.add(keysOf(message));
      pending.set(message.trace_id, message);
    }
    for (const entry of listOf(line.seen)) {
      if (!Array.isArray(entry)) continue;
      const [trace, turn] = entry;
      seen.add({ trace: String(trace), ...(turn ? { turn: String(turn) } : {}) });
    }
    for (const trace of listOf(line.done)) pending.delete(String(trace));
  };

  const listLive = function* () {
    yield { owner: { agent: owner.agent, hub: owner.hub } };
    if (cursor !== undefined) yield { cursor };
    let entries: (readonly string[])[] = [];
    for (const [trace, turn] of seen.entries()) {
      entries.push(turn === '' ? [trace] : [trace, turn]);
      if (entries.length < ENTRIES_A_LINE) continue;
      yield { seen: entries };
      entries = [];
    }
    yield { seen: entries };
    for (const message of pending.values()) yield { messages: [message] };
  };

  const compact = () => {
    const lines = [...listLive()].map((line) => JSON.stringify(line));
    size = writeAnew(fs, file, lines);
    compactAt = Math.max(FIRST_COMPACTION, 4 * size);
  };

  const add = (line: object) => {
    const text = JSON.stringify(line);
    appendLines(fs, file, [text]);
    replay(line);
    size += Buffer.byteLength(text) + 1;
    if (size > compactAt) compact();
  };

  const found = readLines(fs, file);
  // With damage it is not known what of it was pending.
  if (!found?.isDamaged) for (const keys of earlier()) seen.add(keys);
  for (const line of found?.lines ?? []) replay(line);
  // What a damaged line held is not known: ask the hub for everything again.
  if (found?.isDamaged) cursor = undefined;
  isForeign = false;
  // At every start: what a killed run left torn goes, and the owner is the one of today.
  compact();

  return {
    get cursor() {
      return cursor;
    },
    seen,
    pending,
    store(messages, dropped, next) {
      const entries = dropped.map(({ trace, turn }) => (turn ? [trace, turn] : [trace]));
      const isMoved = next !== undefined && JSON.stringify(next) !== JSON.stringify(cursor);
      if (messages.length + entries.length === 0 && !isMoved) return;
      add({
        ...(messages.length > 0 ? { messages } : {}),
        ...(entries.length > 0 ? { seen: entries } : {}),
        ...(isMoved ? { cursor: next } : {}),
      });
    },
    markDone(traces) {
      if (traces.length > 0) add({ done: traces });
    },
  };
}

/**
 * A last line that a kill or a power cut left torn was never answered for, and its messages
 * come from the hub again; any other damage is somebody else's doing.
 */
function readLines(fs: FileSystem, file: string) {
  const content = readFileIfThere(fs, file);
  if (content === undefined) return undefined;
  const texts = content.toString('utf8').split('\n');
  const lines: unknown[] = [];
  let isDamaged = false;
  for (const [index, text] of texts.entries()) {
    try {
      if (text.trim() !== '') lines.push(JSON.parse(text));
    } catch {
      if (index < texts.length - 1) isDamaged = true;
    }
  }
  return { lines, isDamaged };
}

function writeAnew(fs: FileSystem, file: string, lines: readonly string[]): number {
  const content = Buffer.from(`${lines.join('\n')}\n`);
  const fresh = `${file}.new`;
  const descriptor = fs.openSync(fresh, 'w', 0o600);
  try {
    for (let offset = 0; offset < content.length; ) {
      offset += fs.writeSync(descriptor, content, offset);
    }
    fs.fsyncSync(descriptor);
  } finally {
    fs.closeSync(descriptor);
  }
  fs.renameSync(fresh, file);
  syncFolder(fs, path.dirname(file));
  return content.length;
}

function isSameOwner(found: Readonly<Record<string, unknown>>, owner: JournalOwner): boolean {
  return found.agent === owner.agent && found.hub === owner.hub;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
