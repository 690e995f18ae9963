import type { InboxEvent } from '../hub-client/inbox-stream.ts';
import type { Inbox } from '../hub-client/open-inbox.ts';

/** The next event, or why there is none. */
export type Seen = InboxEvent | { type: 'ended' } | { type: 'nothing' };

export interface InboxWatch {
  /** Waits for the next event until then, by `performance.now()`. */
  next(until: number): Promise<Seen>;
}

/** Reads a stream with a limit for each wait; an event that comes late is not lost. */
export function watchInbox({ events }: Pick<Inbox, 'events'>): InboxWatch {
  const iterator = events[Symbol.asyncIterator]();
  let waiting: Promise<Seen> | undefined;
  return {
    async next(until) {
      const ms = until - performance.now();
      // However fast they come, the time ends.
      if (ms <= 0) return { type: 'nothing' };
      waiting ??= iterator
        .next()
        .then((step): Seen => (step.done ? { type: 'ended' } : step.value));
      let timer: NodeJS.Timeout | undefined;
      const timeout = new Promise<Seen>((resolve) => {
        timer = setTimeout(() => resolve({ type: 'nothing' }), ms);
      });
      try {
        const seen = await Promise.race([waiting, timeout]);
        if (seen.type !== 'nothing') waiting = undefined;
        return seen;
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

/** What ends the wait for `connected`, and whether anything came before. */
export async function awaitConnected(watch: InboxWatch, ms: number) {
  const until = performance.now() + ms;
  for (let isAlive = false; ; isAlive = true) {
    const seen = await watch.next(until);
    const isEnd = seen.type === 'ended' || seen.type === 'nothing';
    if (isEnd || (seen.type === 'event' && seen.event === 'connected')) return { seen, isAlive };
  }
}
