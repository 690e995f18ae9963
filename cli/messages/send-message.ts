import path from 'node:path';
import type { JsonObject } from '../envelope/kinds.ts';
import { CliError } from '../errors.ts';
import { errnoOf, type FileSystem } from '../io/files.ts';
import { holdLock } from '../io/process-lock.ts';
import { pause } from './backoff.ts';
import { checkEnvelope, type EnvelopeFinding } from './check-envelope.ts';
import { composeEnvelope, type EnvelopeParts } from './compose-envelope.ts';
import { findMessage, isTurnSent, nextTurn, type Place, placeOfReply } from './conversation.ts';
import { type Delivered, type DeliverOptions, deliver } from './deliver.ts';
import { isAccepted, type Try } from './delivery.ts';
import { type HistoryFolder, isSameName, nameSideFile } from './history-folder.ts';
import {
  forgetUnsureTurn,
  noteUnsureTurn,
  readUnsureTurns,
  type UnsureTurn,
} from './unsure-turns.ts';

/** Which conversation a message belongs to; a new one where nothing is said. */
export type PlaceWish =
  | { replyTo: string }
  | { conversation: string; turn?: number | undefined }
  | 'new';

export interface SendRequest extends Omit<EnvelopeParts, 'place'> {
  receiver: string;
  place: PlaceWish;
  idempotencyKey: string;
}

export interface SendParts {
  fs: FileSystem;
  history: HistoryFolder;
  post(receiver: string, envelope: JsonObject, idempotencyKey: string): Promise<Try>;
  makeId(): string;
  now(): Date;
  signal: AbortSignal;
  onWait: DeliverOptions['onWait'];
}

export type Sent =
  | { findings: readonly EnvelopeFinding[]; envelope: JsonObject; delivered?: undefined }
  | {
      findings: readonly EnvelopeFinding[];
      envelope: JsonObject;
      delivered: Delivered;
      /** Whether it is in the history; a message that was sent may be missing there. */
      isRecorded: boolean;
    };

/** Of no concern here: the address is the one of the credentials, whatever it looks like. */
const REGISTERED = 'placeholder-sender';
const MAX_LOCK_WAIT_MS = 60_000;
const LOCK_POLL_MS = 25;

/** Composes, checks, sends and records one message. Nothing is sent that does not validate. */
export async function sendMessage(request: SendRequest, parts: SendParts): Promise<Sent> {
  const { history } = parts;
  history.prepare();
  // Two at once would take the same turn, and the receiver would drop one of them.
  const lock = await waitForLock(parts, request.receiver);
  try {
    const place = choosePlace(request, parts);
    const envelope = composeEnvelope({ ...request, place });
    const findings = checkEnvelope(
      { receiver_id: request.receiver, envelope },
      'send-request',
    ).filter(({ rule }) => rule !== REGISTERED);
    if (findings.some(({ severity }) => severity === 'error')) return { findings, envelope };
    const turn = noteTurn(place, request, parts);
    const delivered = await deliver({
      idempotencyKey: request.idempotencyKey,
      makeKey: parts.makeId,
      onWait: parts.onWait,
      signal: parts.signal,
      tryOnce: (key) => parts.post(request.receiver, envelope, key),
    });
    const isRecorded = isAccepted(delivered) && record(delivered, envelope, request, parts);
    if (turn !== undefined) settleTurn(turn, delivered, request, parts);
    return { findings, envelope, delivered, isRecorded };
  } finally {
    lock.release();
  }
}

function choosePlace(request: SendRequest, { fs, history, makeId }: SendParts): Place {
  const { receiver, idempotencyKey } = request;
  const unsure = readUnsureTurns(fs, history.folder, receiver);
  const repeated = unsure.find((it) => it.idempotency_key === idempotencyKey);
  const place = repeated === undefined ? request.place : repeatPlace(request.place, repeated);
  if (place === 'new') return { conversation_id: makeId(), turn_number: 1 };
  if ('replyTo' in place) {
    const message = findMessage(history, place.replyTo, receiver);
    if (message === undefined) throw new CliError('reply-unknown', { trace: place.replyTo });
    if (!isSameName(message.peer, receiver)) {
      throw new CliError('reply-other-peer', { peer: message.peer, given: receiver });
    }
    return placeOfReply(history, message, unsure);
  }
  const { conversation, turn } = place;
  const next = nextTurn(history, receiver, conversation, unsure);
  const wanted = { conversation_id: conversation, turn_number: turn ?? next };
  if (turn !== undefined && isTurnSent(history, receiver, wanted)) {
    throw new CliError('turn-used', { conversation, turn, next });
  }
  return wanted;
}

/** The same key means the same message, and that one keeps its place unless another is given. */
function repeatPlace(wish: PlaceWish, { conversation_id, turn_number }: UnsureTurn): PlaceWish {
  if (wish !== 'new' && 'turn' in wish && wish.turn !== undefined) return wish;
  return { conversation: conversation_id, turn: turn_number };
}

/** Nothing where the message has no turn, or where an earlier run noted it. */
function noteTurn(
  { conversation_id, turn_number }: Place,
  { receiver, idempotencyKey: idempotency_key }: SendRequest,
  { fs, history: { folder } }: SendParts,
): UnsureTurn | undefined {
  if (conversation_id === undefined || turn_number === undefined) return undefined;
  const unsure = readUnsureTurns(fs, folder, receiver);
  if (unsure.some((it) => it.idempotency_key === idempotency_key)) return undefined;
  const turn = { idempotency_key, conversation_id, turn_number };
  noteUnsureTurn(fs, folder, receiver, turn);
  return turn;
}

function settleTurn(
  turn: UnsureTurn,
  { delivery, idempotency_key }: Delivered,
  { receiver }: SendRequest,
  { fs, history: { folder } }: SendParts,
): void {
  const isUnknown = delivery === 'unknown';
  if (isUnknown && idempotency_key === turn.idempotency_key) return;
  if (isUnknown) noteUnsureTurn(fs, folder, receiver, { ...turn, idempotency_key });
  forgetUnsureTurn(fs, folder, receiver, turn.idempotency_key);
}

/** It is sent by now, so that it cannot be written down is no reason to say otherwise. */
function record(
  delivered: Delivered,
  envelope: JsonObject,
  { receiver }: SendRequest,
  { history, now }: SendParts,
): boolean {
  const trace = 'trace_id' in delivered ? delivered.trace_id : undefined;
  try {
    history.append([
      {
        ts: now().toISOString(),
        dir: 'sent',
        peer: receiver,
        ...(trace === undefined ? {} : { trace_id: trace }),
        envelope,
      },
    ]);
    return true;
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return false;
  }
}

async function waitForLock({ fs, history, signal }: SendParts, receiver: string) {
  const file = path.join(history.folder, nameSideFile(receiver, 'lock'));
  for (const startedAt = performance.now(); ; ) {
    const lock = holdLock(fs, file);
    if (!('heldBy' in lock)) return lock;
    if (performance.now() - startedAt > MAX_LOCK_WAIT_MS) {
      throw new CliError('send-busy', { pid: lock.heldBy, lock: file });
    }
    await pause(LOCK_POLL_MS, signal);
    if (signal.aborted) throw new CliError('cancelled');
  }
}
