import type { HandOver, HandOverFailure } from './hand-over/hand-over.ts';
import { type InboxMessage, senderOf } from './inbox-message.ts';

/** Of so many senders messages are handed over at the same time. */
const SENDERS_AT_ONCE = 4;
const FIRST_RETRY_MS = 1_000;
const LAST_RETRY_MS = 5 * 60_000;

export interface CourierEvents {
  done(traces: readonly string[]): void;
  failed(message: InboxMessage, failure: HandOverFailure, retryInMs: number | undefined): void;
  /** Nothing can be handed over any more; `settled` and `stop` throw the reason. */
  broken(): void;
}

/**
 * Hands messages over: those of one sender in their order, a slow or failing one without
 * holding back another sender's. One that failed waits for its next attempt beside the rest.
 */
export interface Courier {
  send(messages: readonly InboxMessage[]): void;
  /** Nothing is under way any more, save what waits for another attempt. */
  settled(): Promise<void>;
  /** Begins nothing new; settles when what is under way has ended. */
  stop(): Promise<void>;
}

export function createCourier(
  handOver: HandOver,
  events: CourierEvents,
  { retries }: { retries: boolean },
): Courier {
  const waiting = new Map<string, InboxMessage[]>();
  const active = new Set<string>();
  const attempts = new Map<string, number>();
  const timers = new Set<NodeJS.Timeout>();
  const watchers: { resolve(): void; reject(error: unknown): void }[] = [];
  let isStopped = false;
  let problem: { error: unknown } | undefined;

  const tellWatchers = () => {
    if (active.size > 0 || (waiting.size > 0 && !isStopped && problem === undefined)) return;
    for (const { resolve, reject } of watchers.splice(0)) {
      if (problem === undefined) resolve();
      else reject(problem.error);
    }
  };

  const enqueue = (message: InboxMessage) => {
    const sender = senderOf(message);
    const queue = waiting.get(sender);
    if (queue === undefined) waiting.set(sender, [message]);
    else queue.push(message);
  };

  const pump = () => {
    for (const [sender, queue] of waiting) {
      if (isStopped || problem || active.size >= SENDERS_AT_ONCE) break;
      if (active.has(sender)) continue;
      const message = queue.shift();
      if (queue.length === 0) waiting.delete(sender);
      if (message === undefined) continue;
      active.add(sender);
      deliverOne(message)
        .catch((error: unknown) => {
          problem = { error };
          events.broken();
        })
        .finally(() => {
          active.delete(sender);
          pump();
        });
    }
    tellWatchers();
  };

  const deliverOne = async (message: InboxMessage) => {
    if (handOver.takes !== 'one') return;
    const failure = await handOver.deliver(message);
    if (failure === undefined) {
      attempts.delete(message.trace_id);
      events.done([message.trace_id]);
      return;
    }
    const count = (attempts.get(message.trace_id) ?? 0) + 1;
    const delay = Math.min(FIRST_RETRY_MS * 2 ** (count - 1), LAST_RETRY_MS);
    attempts.set(message.trace_id, count);
    events.failed(message, failure, retries ? delay : undefined);
    if (retries && !isStopped) wait(delay, message);
  };

  const wait = (delay: number, message: InboxMessage) => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      enqueue(message);
      pump();
    }, delay);
    timers.add(timer);
  };

  return {
    send(messages) {
      if (messages.length === 0) return;
      if (handOver.takes === 'many') {
        handOver.deliver(messages);
        events.done(messages.map(({ trace_id: trace }) => trace));
        return;
      }
      for (const message of messages) enqueue(message);
      pump();
    },
    settled() {
      return new Promise((resolve, reject) => {
        watchers.push({ resolve, reject });
        tellWatchers();
      });
    },
    stop() {
      isStopped = true;
      for (const timer of timers) clearTimeout(timer);
      waiting.clear();
      return this.settled();
    },
  };
}
