import { createHash, randomUUID } from 'node:crypto';
import type { JsonObject } from '../../cli/envelope/kinds.ts';
import type { Subject } from '../../cli/envelope/rule.ts';
import { IDEMPOTENCY_HEADER, LIMITS } from '../../cli/protocol/constants.ts';
import type { HubLimits } from '../limits.ts';
import { Refusal } from '../refusal.ts';
import type { AgentRecord, HubStore, OnceKey, StoredMessage } from '../store/hub-store.ts';
import type { ReceiverResponse } from '../webhooks/read-response.ts';
import type { PushResult, Webhooks } from '../webhooks/webhooks.ts';
import type { Agents } from './agents.ts';
import { type Caller, refuseCaller } from './caller.ts';
import { canonicalJson } from './canonical-json.ts';
import type { Inboxes } from './inboxes.ts';

/** A send request that has been checked. */
export interface SendRequest {
  value: JsonObject;
  subjects: readonly Subject[];
  onceKey: string | undefined;
}

/** What the sender is told about a message that was taken. */
export interface Sent {
  delivery: 'delivered_sse' | 'delivered' | 'queued' | 'failed';
  trace_id: string;
  receiver_response?: ReceiverResponse;
  error_code?: string;
  detail?: string;
}

type OnChunk = (text: string) => void;
type TracedOnceKey = OnceKey & { traceId: string };

interface MessagesOptions {
  store: HubStore;
  agents: Agents;
  inboxes: Inboxes;
  limits: HubLimits;
  webhooks: Webhooks;
  now: () => number;
}

const HISTORY_PAGE = 100;
const HISTORY_LENGTH = 1_000_000;
const FULL_RETRY_SECONDS = 60;

export class Messages {
  readonly #options: MessagesOptions;
  /** Requests with a key whose answer is not known yet. */
  readonly #underWay = new Map<string, Promise<Sent>>();

  constructor(options: MessagesOptions) {
    this.#options = options;
  }

  async send(request: SendRequest, caller: Caller, onChunk?: OnChunk): Promise<Sent> {
    const { agents, limits } = this.#options;
    const envelope = findEnvelope(request.subjects);
    const sender = await this.#findSender(String(envelope.sender_id), caller);
    const text = String(envelope.original_text);
    if (text.length > limits.text) {
      throw new Refusal(
        'ERR_VALIDATION',
        `original_text has ${text.length} UTF-16 units; this hub takes ${limits.text}. Split the message.`,
      );
    }
    const receiver = await agents.require(String(request.value.receiver_id));
    const once = this.#parseOnceKey(request, receiver, envelope);
    if (once === undefined) return this.#store(sender, receiver, envelope, undefined, onChunk);
    const name = `${sender.serial} ${once.key} ${once.hash}`;
    const earlier = this.#underWay.get(name);
    if (earlier !== undefined) return earlier;
    const sending = this.#store(sender, receiver, envelope, once, onChunk);
    this.#underWay.set(name, sending);
    try {
      return await sending;
    } finally {
      this.#underWay.delete(name);
    }
  }

  /** What the agent sent and received after an id; asking so says that it has all up to there. */
  async history(agent: AgentRecord, after: number): Promise<StoredMessage[]> {
    const { store } = this.#options;
    if (after > 0) store.markDelivered(agent.serial, after);
    const messages = await store.since({ agent: agent.serial, after, limit: HISTORY_PAGE });
    let length = 0;
    // Long ones make a short page; the next one begins where it ends.
    const end = messages.findIndex(({ envelope }) => {
      length += envelope.length;
      return length > HISTORY_LENGTH;
    });
    return end === -1 ? messages : messages.slice(0, Math.max(1, end));
  }

  async #findSender(senderId: string, caller: Caller): Promise<AgentRecord> {
    if (caller.kind === 'agent') {
      // The key may have been replaced while the body was on its way.
      const current = await this.#options.store.findAgent(caller.agent.id);
      if (current?.keyHash !== caller.agent.keyHash) throw refuseCaller({ kind: 'unknown' });
      if (current.id === senderId) return current;
      throw new Refusal(
        'ERR_SENDER_MISMATCH',
        `This key belongs to ${caller.agent.id}, and sender_id must be exactly that.`,
      );
    }
    if (caller.kind !== 'operator') throw refuseCaller(caller);
    const sender = await this.#options.agents.find(senderId);
    if (sender?.id === senderId) return sender;
    throw new Refusal('ERR_SENDER_NOT_REGISTERED', 'The sender_id is not registered here.');
  }

  #parseOnceKey(
    { onceKey, value }: SendRequest,
    receiver: AgentRecord,
    envelope: JsonObject,
  ): TracedOnceKey | undefined {
    if (onceKey === undefined) return undefined;
    if (onceKey === '' || onceKey.length > LIMITS.idempotencyKeyMax) {
      throw new Refusal(
        'ERR_VALIDATION',
        `${IDEMPOTENCY_HEADER} must have 1 to ${LIMITS.idempotencyKeyMax} characters.`,
      );
    }
    const content = canonicalJson([receiver.id, envelope, value.stream === true]);
    const traceId = randomUUID();
    return {
      key: onceKey,
      hash: createHash('sha256').update(content).digest('base64'),
      answer: JSON.stringify({ delivery: this.#expect(receiver), trace_id: traceId }),
      traceId,
    };
  }

  async #store(
    sender: AgentRecord,
    receiver: AgentRecord,
    envelope: JsonObject,
    once: TracedOnceKey | undefined,
    onChunk: OnChunk | undefined,
  ): Promise<Sent> {
    const { store, limits, now, inboxes } = this.#options;
    const traceId = once?.traceId ?? randomUUID();
    // Asked before: the message itself may be the one that the reader no longer takes.
    const isListening = inboxes.isListening(receiver.serial);
    const appended = await store.append({
      traceId,
      sender: sender.serial,
      senderId: sender.id,
      receiver: receiver.serial,
      receiverId: receiver.id,
      envelope: JSON.stringify(envelope),
      time: now(),
      maxWaiting: limits.waiting,
      ...(once === undefined ? {} : { once }),
    });
    if (appended.result === 'repeated') return JSON.parse(appended.answer);
    if (appended.result === 'full') {
      throw new Refusal(
        'ERR_MAILBOX_FULL',
        `${receiver.id} has too many messages waiting. Try again when it has read them.`,
        { retryAfterSeconds: FULL_RETRY_SECONDS },
      );
    }
    if (appended.result === 'conflict') {
      throw new Refusal(
        'ERR_IDEMPOTENCY_CONFLICT',
        `This ${IDEMPOTENCY_HEADER} came with another message before. A new message needs a new key.`,
      );
    }
    const sent = await this.#deliver(receiver, appended.id, traceId, isListening, onChunk);
    if (once !== undefined) {
      const answer = JSON.stringify(sent);
      if (answer !== once.answer) await store.saveAnswer(sender.serial, once.key, answer);
    }
    return sent;
  }

  /** What becomes of a stored message: an open inbox has it already, a webhook gets it now. */
  async #deliver(
    receiver: AgentRecord,
    id: number,
    traceId: string,
    wasListening: boolean,
    onChunk: OnChunk | undefined,
  ): Promise<Sent> {
    const { inboxes, webhooks } = this.#options;
    const isOnline = inboxes.isOnline(receiver.serial);
    if (wasListening && isOnline) return { delivery: 'delivered_sse', trace_id: traceId };
    if (isOnline || receiver.endpoint === null) return { delivery: 'queued', trace_id: traceId };
    return describePush(await webhooks.push(receiver, id, onChunk), traceId);
  }

  #expect(receiver: AgentRecord): Sent['delivery'] {
    return this.#options.inboxes.isListening(receiver.serial) ? 'delivered_sse' : 'queued';
  }
}

function findEnvelope(subjects: readonly Subject[]): JsonObject {
  const envelope = subjects.find(({ kind }) => kind === 'envelope')?.value;
  if (envelope === undefined) throw new Refusal('ERR_VALIDATION', 'There is no envelope in it.');
  return envelope;
}

function describePush(result: PushResult, traceId: string): Sent {
  if (result.outcome === 'waiting') return { delivery: 'queued', trace_id: traceId };
  const { response } = result;
  const told = { trace_id: traceId, receiver_response: response };
  if (response.status !== 'error') return { delivery: 'delivered', ...told };
  return {
    delivery: 'failed',
    ...told,
    error_code: response.error_code ?? 'ADAPTATION_FAILED',
    detail: response.detail ?? '',
  };
}
