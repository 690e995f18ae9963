import type { HistoryFolder } from './history-folder.ts';
import type { HistoryLine } from './history-line.ts';

/** Where a message stands among others. */
export interface Place {
  conversation_id?: string;
  turn_number?: number;
}

/** The message with this trace id, if the history has it; `peer` is who it should be of. */
export function findMessage(
  history: HistoryFolder,
  traceId: string,
  peer: string,
): HistoryLine | undefined {
  for (const where of [peer, undefined]) {
    for (const line of history.read(where)) if (line.trace_id === traceId) return line;
  }
  return undefined;
}

/**
 * The next turn of a conversation with a peer; both sides count together. `unsure`: turns that
 * are not in the history and may have arrived all the same.
 */
export function nextTurn(
  history: HistoryFolder,
  peer: string,
  conversation: string,
  unsure: readonly Required<Place>[],
): number {
  const used = unsure.filter((it) => it.conversation_id === conversation);
  let latest = Math.max(0, ...used.map((it) => it.turn_number));
  for (const { envelope } of history.read(peer)) {
    if (envelope.conversation_id !== conversation) continue;
    if (typeof envelope.turn_number === 'number') latest = Math.max(latest, envelope.turn_number);
  }
  return latest + 1;
}

/** The place of an answer: what the message did not have, its answer leaves out. */
export function placeOfReply(
  history: HistoryFolder,
  message: HistoryLine,
  unsure: readonly Required<Place>[],
): Place {
  const { conversation_id: conversation, turn_number: turn } = message.envelope;
  if (typeof conversation !== 'string') return {};
  if (typeof turn !== 'number') return { conversation_id: conversation };
  return {
    conversation_id: conversation,
    turn_number: nextTurn(history, message.peer, conversation, unsure),
  };
}

/** Whether we sent this turn already: the receiver would take another for the same message. */
export function isTurnSent(history: HistoryFolder, peer: string, place: Required<Place>): boolean {
  for (const { dir, envelope } of history.read(peer)) {
    if (dir !== 'sent' || envelope.conversation_id !== place.conversation_id) continue;
    if (envelope.turn_number === place.turn_number) return true;
  }
  return false;
}
