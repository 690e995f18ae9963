import { randomBytes } from 'node:crypto';
import type { AgentRecord } from '../store/hub-store.ts';

const LIFETIME_MS = 5 * 60_000;
const MAX_PER_AGENT = 32;

/** Tokens that open one inbox each, for clients that cannot send a header with it. */
export class SessionTokens {
  readonly #tokens = new Map<string, { agent: AgentRecord; until: number }>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  create(agent: AgentRecord): string {
    this.#forget(agent);
    const token = randomBytes(32).toString('base64url');
    this.#tokens.set(token, { agent, until: this.#now() + LIFETIME_MS });
    return token;
  }

  /** Whose it is; from then on it is used up. */
  take(token: string): AgentRecord | undefined {
    const found = this.#tokens.get(token);
    this.#tokens.delete(token);
    return found !== undefined && found.until > this.#now() ? found.agent : undefined;
  }

  revoke(agent: AgentRecord): void {
    for (const [token, held] of this.#tokens) {
      if (held.agent.serial === agent.serial) this.#tokens.delete(token);
    }
  }

  /** The old ones, and all but the youngest of this agent. */
  #forget({ serial }: AgentRecord): void {
    const own: string[] = [];
    for (const [token, { agent, until }] of this.#tokens) {
      if (until <= this.#now()) this.#tokens.delete(token);
      else if (agent.serial === serial) own.push(token);
    }
    for (const token of own.slice(0, 1 - MAX_PER_AGENT)) this.#tokens.delete(token);
  }
}
