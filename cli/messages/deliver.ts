import { backoff, pause } from './backoff.ts';
import { type Delivery, isAccepted, type Try } from './delivery.ts';

const MAX_TRIES = 5;
const BETWEEN = { firstMs: 500, lastMs: 8_000 };
/** Waits that a hub asks for are kept, up to this in all. */
const MAX_WAIT_MS = 70_000;

export interface DeliverOptions {
  idempotencyKey: string;
  makeKey(): string;
  tryOnce(idempotencyKey: string): Promise<Try>;
  onWait(reason: Delivery, waitMs: number): void;
  signal?: AbortSignal;
}

export type Delivered = Delivery & { tries: number; idempotency_key: string };

/** Tries until it is accepted, may not be tried again, or has been tried often enough. */
export async function deliver(options: DeliverOptions): Promise<Delivered> {
  const { makeKey, tryOnce, onWait, signal } = options;
  let key = options.idempotencyKey;
  let waited = 0;
  let mayHaveArrived = false;
  for (let tries = 1; ; tries++) {
    const { delivery, retry } = await tryOnce(key);
    mayHaveArrived ||= delivery.delivery === 'unknown';
    const waitMs = Math.max(backoff(tries, BETWEEN), retry?.waitMs ?? 0);
    const isOver = tries >= MAX_TRIES || waited + waitMs > MAX_WAIT_MS || signal?.aborted;
    if (retry !== undefined && !isOver) {
      onWait(delivery, waitMs);
      await pause(waitMs, signal);
      waited += waitMs;
    }
    if (retry === undefined || isOver || signal?.aborted) {
      return { ...tellTruth(delivery, mayHaveArrived), tries, idempotency_key: key };
    }
    if (retry.key === 'new') key = makeKey();
  }
}

/** That the last try reached nobody does not say so of the ones before. */
function tellTruth(delivery: Delivery, mayHaveArrived: boolean): Delivery {
  const isOpen = delivery.delivery === 'not_sent' || delivery.delivery === 'rejected';
  if (isAccepted(delivery) || !mayHaveArrived || !isOpen) return delivery;
  return { ...delivery, delivery: 'unknown' } as Delivery;
}
