import type { MessageKeys } from './inbox-message.ts';

/** So many are remembered beyond those that the hub still lists. */
const REMEMBERED = 20_000;

/** Which messages came already. Old ones are forgotten, but none that the hub may bring again. */
export interface SeenMessages {
  has(keys: MessageKeys): boolean;
  hasTrace(trace: string): boolean;
  add(keys: MessageKeys): void;
  /** What the hub listed just now: these stay. */
  keepListed(traces: ReadonlySet<string>): void;
  entries(): IterableIterator<[trace: string, turn: string]>;
  readonly size: number;
}

export function createSeenMessages(remembered = REMEMBERED): SeenMessages {
  /** Oldest first. */
  let turns = new Map<string, string>();
  let known = new Set<string>();
  /** Nothing is forgotten before the hub has said what it still lists. */
  let listed: ReadonlySet<string> | undefined;

  const forgetOld = () => {
    // Now and then is enough, and cheaper than one at a time.
    if (listed === undefined || turns.size < listed.size + 2 * remembered) return;
    const kept = [...turns].filter(
      ([trace], index) => index >= turns.size - remembered || listed?.has(trace),
    );
    turns = new Map(kept);
    known = new Set(kept.flatMap(([, turn]) => (turn === '' ? [] : [turn])));
  };

  return {
    has: ({ trace, turn }) => turns.has(trace) || (turn !== undefined && known.has(turn)),
    hasTrace: (trace) => turns.has(trace),
    add({ trace, turn = '' }) {
      turns.set(trace, turn);
      if (turn !== '') known.add(turn);
      forgetOld();
    },
    keepListed(traces) {
      listed = traces;
      forgetOld();
    },
    entries: () => turns.entries(),
    get size() {
      return turns.size;
    },
  };
}
