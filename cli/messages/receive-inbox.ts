import path from 'node:path';
import type { FindingWording } from '../diagnostics/finding.ts';
import { CliError } from '../errors.ts';
import type { HubRefusal } from '../hub-client/hub-answer.ts';
import type { HubClient } from '../hub-client/hub-client.ts';
import { NetworkError } from '../hub-client/network-error.ts';
import type { FileSystem } from '../io/files.ts';
import { holdLock } from '../io/process-lock.ts';
import { INBOX_FILE, INBOX_LOCK, INVALID_FILE } from '../protocol/constants.ts';
import { backoff, pause } from './backoff.ts';
import { catchUp } from './catch-up.ts';
import { assertKeyAccepted, type FollowEvents, followInbox } from './follow-inbox.ts';
import type { HandOver } from './hand-over/hand-over.ts';
import { type HistoryFolder, openHistory } from './history-folder.ts';
import { type JournalOwner, openJournal } from './inbox-journal.ts';
import { keysOf, type MessageKeys } from './inbox-message.ts';
import { createReceiver, type ReceiverEvents } from './receiver.ts';

export interface InboxRun {
  fs: FileSystem;
  /** Where the credentials are: history, journal and lock lie beside them. */
  folder: string;
  owner: JournalOwner;
  openHub(signal: AbortSignal): HubClient;
  /** What to tell when the key is not accepted. */
  refused(refusal: HubRefusal): CliError;
  handOver: HandOver;
  follow: boolean;
  /** The user's wish to stop. */
  signal: AbortSignal;
  wording: FindingWording;
  events: FollowEvents & Omit<ReceiverEvents, 'broken'>;
  now(): Date;
}

const TRIES = 3;
const BETWEEN = { firstMs: 500, lastMs: 4_000 };

/** Receives once, or until it is told to stop. Only one process at a time does so for an identity. */
export async function receiveInbox(run: InboxRun): Promise<void> {
  const { fs, folder, owner, events } = run;
  const lost = new AbortController();
  const history = openHistory(fs, folder);
  history.prepare();
  const lockFile = path.join(folder, INBOX_LOCK);
  const lock = holdLock(fs, lockFile, () => lost.abort());
  if ('heldBy' in lock) {
    throw new CliError('inbox-busy', { agent: owner.agent, pid: lock.heldBy, lock: lockFile });
  }
  const broken = new AbortController();
  const signal = AbortSignal.any([run.signal, lost.signal, broken.signal]);
  try {
    const earlier = () => listReceived(history);
    const journal = openJournal(fs, path.join(folder, INBOX_FILE), owner, earlier);
    const receiver = createReceiver({
      ...run,
      journal,
      history,
      events: { ...events, broken: () => broken.abort() },
      invalidFile: path.join(folder, INVALID_FILE),
      ownId: owner.agent,
      retries: run.follow,
    });
    signal.addEventListener('abort', () => void receiver.stop().catch(() => {}));
    receiver.resume();
    const parts = { journal, receiver, signal };
    try {
      if (run.follow) await followInbox({ ...run, ...parts });
      else await receiveOnce({ ...run, ...parts });
    } finally {
      // What is under way is finished, whatever else went wrong.
      await (run.follow || signal.aborted ? receiver.stop() : receiver.settled());
    }
    if (lost.signal.aborted) throw new CliError('inbox-taken', { agent: owner.agent });
  } finally {
    lock.release();
  }
}

type Once = Pick<InboxRun, 'openHub' | 'refused' | 'signal'> &
  Omit<Parameters<typeof catchUp>[0], 'hub'>;

async function receiveOnce({ openHub, refused, signal, journal, receiver }: Once): Promise<void> {
  for (let tries = 1; !signal.aborted; tries++) {
    const hub = openHub(signal);
    const failure = await catchUp({ hub, journal, receiver }).catch((error: unknown) => {
      const isPassing = error instanceof NetworkError && tries < TRIES && !signal.aborted;
      if (isPassing) return error;
      throw error;
    });
    if (failure === undefined) return;
    if (!(failure instanceof NetworkError)) {
      assertKeyAccepted(failure, refused);
      const { status, code, message } = failure;
      if (status < 500 || tries >= TRIES) {
        throw new CliError('hub-refusal', { host: hub.url.host, status, code, message });
      }
    }
    await pause(backoff(tries, BETWEEN), signal);
  }
}

/** What was received, by us, by hand or by another tool. */
function* listReceived(history: HistoryFolder): Generator<MessageKeys> {
  for (const { dir, trace_id = '', envelope } of history.read()) {
    if (dir !== 'received') continue;
    const { turn, trace } = keysOf({ trace_id, envelope });
    if (trace_id !== '' || turn !== undefined) yield { trace, ...(turn ? { turn } : {}) };
  }
}
