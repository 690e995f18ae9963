/** Grows with every failure, up to a bound; jittered, so that many do not come back at once. */
export function backoff(
  failures: number,
  { firstMs, lastMs }: { firstMs: number; lastMs: number },
  random = Math.random,
): number {
  const full = Math.min(firstMs * 2 ** (failures - 1), lastMs);
  return Math.round(full * (0.5 + random() / 2));
}

/** Ends early, without a word, when the signal says so. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    if (signal?.aborted) end();
    signal?.addEventListener('abort', end);
  });
}
