import type { NetworkError } from '../hub-client/network-error.ts';

/**
 * What became of a message, in the words of the protocol where it has them. `rejected`: the hub
 * or the receiver said no. `not_sent`: nobody got it. `unknown`: nobody can tell from here.
 */
export type Delivery =
  | AcceptedDelivery
  | { delivery: 'failed'; trace_id?: string; error_code: string; detail: string }
  | { delivery: 'rejected'; by: 'hub' | 'receiver'; error_code: string; detail: string }
  | { delivery: 'not_sent' | 'unknown'; error_code: string; detail: string; cause?: NetworkError };

export type AcceptedDelivery =
  | { delivery: 'delivered_sse' | 'queued'; trace_id?: string }
  | { delivery: 'delivered'; trace_id?: string; receiver_response?: unknown };

const ACCEPTED: readonly string[] = ['delivered_sse', 'delivered', 'queued'];

/** Whether it counts as sent: only then it belongs in the history. */
export function isAccepted(it: Delivery): it is AcceptedDelivery {
  return ACCEPTED.includes(it.delivery);
}

/** One try: what became of it, and whether another may follow. */
export interface Try {
  delivery: Delivery;
  retry?: {
    /** A hub that answered for a key repeats that answer: another try needs another key. */
    key: 'same' | 'new';
    waitMs?: number;
  };
}

/** Failures that may be over in a moment. */
const PASSING: readonly string[] = [
  'hub-name-not-found',
  'hub-refused',
  'hub-unreachable',
  'hub-timeout',
  'hub-closed',
  'proxy-unreachable',
];

/** No usable answer. Repeating is safe: the key, or the turn, shows that it is the same message. */
export function readNetworkFailure(error: NetworkError, isRepeatable: boolean): Try {
  const { code, mayHaveArrived } = error;
  const mayRetry = PASSING.includes(code) && (isRepeatable || !mayHaveArrived);
  return {
    delivery: {
      delivery: mayHaveArrived ? 'unknown' : 'not_sent',
      error_code: code,
      detail: '',
      cause: error,
    },
    ...(mayRetry ? { retry: { key: 'same' } } : {}),
  };
}
