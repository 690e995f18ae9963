const SIGNALS = ['SIGINT', 'SIGTERM'] as const;
let listener: NodeJS.SignalsListener | undefined;

/**
 * Ends the process when it is told to, so that no write is cut in the middle. A command that
 * has something to end first takes the signal; a second one then ends it all the same.
 */
export function listenForStop(): () => AbortSignal {
  const stop = new AbortController();
  let isTaken = false;
  listener = (name) => {
    if (!isTaken || stop.signal.aborted) process.exit(130);
    stop.abort(name);
  };
  for (const name of SIGNALS) process.on(name, listener);
  return () => {
    isTaken = true;
    return stop.signal;
  };
}

/**
 * From now on the system ends the process at once: a listener would not be called before a
 * long check or a read that waits is over. For commands that have nothing (more) to write, or
 * not yet: those call the result once they have.
 */
export function endAtOnceWhenStopped(): () => void {
  for (const name of SIGNALS) if (listener) process.off(name, listener);
  return () => {
    for (const name of SIGNALS) if (listener) process.on(name, listener);
  };
}
