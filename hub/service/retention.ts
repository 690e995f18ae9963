import type { HubLog } from '../hub-log.ts';
import type { HubStore } from '../store/hub-store.ts';

const DAY_MS = 86_400_000;
const PRUNE_EVERY_MS = 3_600_000;
/** How long a repeat of a request gets the first answer again. */
const ANSWERS_MS = DAY_MS;

/** Deletes what is too old, at the start and then every hour. */
export function startRetention(
  store: Pick<HubStore, 'prune'>,
  keepDays: number,
  log: HubLog,
  now: () => number,
): { stop(): void } {
  let isStopped = false;
  const prune = async () => {
    try {
      const time = now();
      const messages = await store.prune({
        messages: time - keepDays * DAY_MS,
        answers: time - ANSWERS_MS,
      });
      if (messages > 0) log({ event: 'pruned', messages });
    } catch (error) {
      if (isStopped) return;
      const detail = error instanceof Error ? error.message : 'unknown';
      log({ event: 'internal-error', detail });
    }
  };
  const timer = setInterval(prune, PRUNE_EVERY_MS);
  void prune();
  return {
    stop: () => {
      isStopped = true;
      clearInterval(timer);
    },
  };
}
