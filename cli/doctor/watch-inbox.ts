import type { InboxEvent } from '../hub-client/inbox-stream.ts';
import type { Inbox } from '../hub-client/open-inbox.ts';

/** The next event, or why there is none. */
export type Seen = InboxEvent | { type: 'ended' } | { type: 'nothing' };

export interface InboxWatch {
  /** Waits at most so long for the next event. */
  next(ms: number): Promise<Seen>;
}

/** Reads a stream with a limit for each wait; an event that comes late is not lost. */
export function watchInbox({ events }: Pick<Inbox, 'events'>): InboxWatch {
  const iterator = events[Symbol.asyncIterator]();
  let waiting: Promise<Seen> | undefined;
  return {
    async next(ms) {
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

export function isConnected(seen: Seen): boolean {
  return seen.type === 'event' && seen.event === 'connected';
}
