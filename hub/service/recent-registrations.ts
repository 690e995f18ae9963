import { createHash } from 'node:crypto';
import { IDEMPOTENCY_HEADER, LIMITS } from '../../cli/protocol/constants.ts';
import { Refusal } from '../refusal.ts';
import type { HubStore } from '../store/hub-store.ts';
import type { Registered, Registration } from './agents.ts';
import { canonicalJson } from './canonical-json.ts';
import { hashKey, isSameHash } from './keys.ts';

const LIFETIME_MS = 10 * 60_000;
const MAX_REMEMBERED = 1000;
// A short one could be guessed, and with it the key.
const { registrationKeyMin: MIN_LENGTH, idempotencyKeyMax: MAX_LENGTH } = LIMITS;

interface RegisterRequest {
  registration: Registration;
  authorization: string | undefined;
  onceKey: string | undefined;
}

/**
 * The answers of the last minutes, for agents that did not get theirs: without it their key
 * would be lost, and the id with it. In memory only: keys are never stored.
 */
export class RecentRegistrations {
  readonly #answers = new Map<string, { until: number; answer: Promise<Registered> }>();
  readonly #store: Pick<HubStore, 'findAgent'>;
  readonly #now: () => number;

  constructor(store: Pick<HubStore, 'findAgent'>, now: () => number) {
    this.#store = store;
    this.#now = now;
  }

  /** Registers, or gives the answer of the same request before. */
  async once(request: RegisterRequest, register: () => Promise<Registered>): Promise<Registered> {
    const name = nameRequest(request);
    if (name === undefined) return register();
    this.#forget();
    // Again after each wait: another request may have registered meanwhile.
    for (let known = this.#answers.get(name); known; ) {
      const earlier = await known.answer;
      if (await this.#isCurrent(earlier)) return earlier;
      const latest = this.#answers.get(name);
      if (latest === known) break;
      known = latest;
    }
    const answer = register();
    const entry = { until: this.#now() + LIFETIME_MS, answer };
    // Taken out first: forgetting counts on the oldest being in front.
    this.#answers.delete(name);
    this.#answers.set(name, entry);
    // A refusal is not worth remembering: the next try may succeed.
    answer.catch(() => {
      if (this.#answers.get(name) === entry) this.#answers.delete(name);
    });
    return answer;
  }

  /** Not after the key was replaced or the agent has gone. */
  async #isCurrent({ agent, key }: Registered): Promise<boolean> {
    const known = await this.#store.findAgent(agent.id);
    return known !== undefined && key !== undefined && isSameHash(known.keyHash, hashKey(key));
  }

  #forget(): void {
    for (const [name, { until }] of this.#answers) {
      if (until > this.#now() && this.#answers.size < MAX_REMEMBERED) return;
      this.#answers.delete(name);
    }
  }
}

function nameRequest(request: RegisterRequest): string | undefined {
  const { onceKey, authorization = '', registration } = request;
  if (onceKey === undefined) return undefined;
  if (onceKey.length < MIN_LENGTH || onceKey.length > MAX_LENGTH) {
    throw new Refusal(
      'ERR_VALIDATION',
      `${IDEMPOTENCY_HEADER} must have ${MIN_LENGTH} to ${MAX_LENGTH} random characters here.`,
    );
  }
  const content = canonicalJson([onceKey, authorization, registration]);
  return createHash('sha256').update(content).digest('base64');
}
