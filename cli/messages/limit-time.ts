/** Ends when the user wishes so, or with a `TimeoutError` when the time is over. */
export function limitTime(stop: AbortSignal, ms: number): AbortSignal {
  const limit = new AbortController();
  const expire = () => limit.abort(new DOMException('', 'TimeoutError'));
  // Nobody waits for it who has nothing else to do.
  setTimeout(expire, ms).unref();
  if (stop.aborted) limit.abort();
  stop.addEventListener('abort', () => limit.abort());
  return limit.signal;
}
