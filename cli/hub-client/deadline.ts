import { NetworkError } from './network-error.ts';

export interface Deadline {
  /** Aborted with the NetworkError that tells why. */
  signal: AbortSignal;
  end(): void;
}

interface DeadlineOptions {
  host: string;
  timeoutMs: number;
  /** The user's wish to stop, or a `TimeoutError`: the end of the time for more than this request. */
  signal?: AbortSignal | undefined;
  /** Asked when it ends: whether the request is out by then. */
  isSent: () => boolean;
}

/** What ends a wait early: the time, or the user. */
export function createDeadline({ host, timeoutMs, signal, isSent }: DeadlineOptions): Deadline {
  const controller = new AbortController();
  const cancel = () => {
    if (signal?.reason?.name === 'TimeoutError') return expire();
    controller.abort(new NetworkError('cancelled', {}, { mayHaveArrived: isSent() }));
  };
  const expire = () => {
    const seconds = Math.round(timeoutMs / 100) / 10;
    controller.abort(
      new NetworkError('hub-timeout', { host, seconds }, { mayHaveArrived: isSent() }),
    );
  };
  const timer = setTimeout(expire, timeoutMs);
  if (signal?.aborted) cancel();
  signal?.addEventListener('abort', cancel);
  return {
    signal: controller.signal,
    end() {
      clearTimeout(timer);
      signal?.removeEventListener('abort', cancel);
    },
  };
}
