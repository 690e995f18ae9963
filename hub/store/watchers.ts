import type { StoredMessage, Wake } from './hub-store.ts';

/** Who wants to know when something was stored for an agent. */
export class Watchers {
  readonly #wakes = new Map<number, Set<Wake>>();

  add(agent: number, wake: Wake): () => void {
    const wakes = this.#wakes.get(agent) ?? new Set();
    this.#wakes.set(agent, wakes.add(wake));
    return () => {
      wakes.delete(wake);
      if (wakes.size === 0) this.#wakes.delete(agent);
    };
  }

  wake(agent: number, messages: readonly StoredMessage[]): void {
    for (const wake of this.#wakes.get(agent) ?? []) wake(messages);
  }
}
