import { createHash } from 'node:crypto';
import { isObject, type JsonObject } from '../envelope/kinds.ts';
import { findA2aEnvelope } from '../envelope/subjects.ts';

/** A message as a hub hands it out, on the stream or in the history. */
export interface InboxMessage {
  trace_id: string;
  /** Not checked yet: whatever the sender wrote. */
  envelope: unknown;
  id?: number;
  receiver_id?: string;
  timestamp?: string;
}

/** What makes two messages the same one. Short, as very many are remembered. */
export interface MessageKeys {
  trace: string;
  /** Of sender, conversation and turn, where it has both. */
  turn?: string;
}

/** Nothing where the hub's own part of it is not there. */
export function parseInboxMessage(value: unknown): InboxMessage | undefined {
  if (!isObject(value) || !('envelope' in value)) return undefined;
  const { id, trace_id: trace, receiver_id: receiver, timestamp } = value;
  return {
    trace_id: readTraceId(trace) ?? makeTraceId(value),
    envelope: unwrap(value.envelope),
    ...(Number.isSafeInteger(id) ? { id: id as number } : {}),
    ...(typeof receiver === 'string' ? { receiver_id: receiver } : {}),
    ...(typeof timestamp === 'string' ? { timestamp } : {}),
  };
}

export function keysOf({ trace_id: trace, envelope }: InboxMessage): MessageKeys {
  const {
    sender_id: sender,
    conversation_id: conversation,
    turn_number: turn,
  } = asObject(envelope);
  const keys = { trace: digest(trace) };
  if (typeof conversation !== 'string' || typeof turn !== 'number') return keys;
  return { ...keys, turn: digest(JSON.stringify([sender, conversation, turn])) };
}

/** Who wrote it: the envelope is the one source. */
export function senderOf({ envelope }: InboxMessage): string {
  const { sender_id: sender } = asObject(envelope);
  return typeof sender === 'string' ? sender : '';
}

export function conversationOf({ envelope }: InboxMessage): string {
  const { conversation_id: conversation } = asObject(envelope);
  return typeof conversation === 'string' ? conversation : '';
}

/** An envelope that came inside an A2A message is unwrapped before anything else. */
function unwrap(envelope: unknown): unknown {
  return (isObject(envelope) && findA2aEnvelope(envelope)?.envelope) || envelope;
}

function asObject(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

/** Agents put it on a command line: one that a shell would act on gets a name of ours. */
export function readTraceId(given: unknown): string | undefined {
  if (typeof given !== 'string' || given === '') return undefined;
  return /^[\w.:@-]{1,200}$/.test(given) ? given : `made-${digest(given)}`;
}

/** For a hub that gives none: the same message gets the same. */
function makeTraceId({ envelope, timestamp }: JsonObject): string {
  return `made-${digest(JSON.stringify([envelope, timestamp]))}`;
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 16);
}
