import { TRANSPORT_ERRORS } from '../protocol/constants.ts';
import type { HubAnswer } from './hub-answer.ts';
import { NetworkError } from './network-error.ts';

/** How long and how often a request is repeated before its failure is told. */
export interface Patience {
  /** All waits for one request together. */
  maxWaitMs: number;
  attempts: number;
  /** Told before each wait, so that nobody looks at a silent screen. */
  onWait?: (wait: { reason: 'rate-limited' | 'hub-error'; ms: number }) => void;
  signal?: AbortSignal | undefined;
}

export const DEFAULT_PATIENCE: Patience = { maxWaitMs: 60_000, attempts: 4 };

/** Where the hub says to wait but not how long. */
const UNTOLD_WAIT = 60_000;
const FIRST_PAUSE = 250;

/**
 * Repeats a request as the hub tells us to, within bounds. One that was refused for being too
 * early has done nothing and may always be repeated; after other failures of the hub only
 * what does no harm when it happens twice.
 */
export async function withPatience<Data>(
  patience: Patience,
  isRepeatable: boolean,
  attempt: () => Promise<HubAnswer<Data>>,
): Promise<HubAnswer<Data>> {
  let waited = 0;
  for (let count = 1; ; count++) {
    const isLast = count >= patience.attempts;
    const result = await attempt().catch((error: unknown) => {
      const isCut = error instanceof NetworkError && error.code === 'hub-closed';
      if (isLast || !isRepeatable || !isCut) throw error;
      return error;
    });
    const pause = FIRST_PAUSE * 4 ** (count - 1);
    const wait = result instanceof NetworkError ? pause : readWait(result, isRepeatable, pause);
    if (wait === undefined || isLast || waited + wait > patience.maxWaitMs) {
      if (result instanceof NetworkError) throw result;
      return result;
    }
    const isLimited = !(result instanceof NetworkError) && result.status === 429;
    patience.onWait?.({ reason: isLimited ? 'rate-limited' : 'hub-error', ms: wait });
    await sleep(wait, patience.signal);
    waited += wait;
  }
}

function readWait(
  answer: HubAnswer<unknown>,
  isRepeatable: boolean,
  pause: number,
): number | undefined {
  if (answer.ok) return undefined;
  const told = answer.retryAfterMs;
  if (answer.status === 429) {
    const isFinal = (TRANSPORT_ERRORS as Known)[answer.code]?.retry === 'no';
    return isFinal ? undefined : (told ?? UNTOLD_WAIT);
  }
  return answer.status >= 500 && isRepeatable ? (told ?? pause) : undefined;
}

type Known = Readonly<Record<string, { retry: string }>>;

function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(new NetworkError('cancelled', {}));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    if (signal?.aborted) stop();
    signal?.addEventListener('abort', stop);
  });
}
