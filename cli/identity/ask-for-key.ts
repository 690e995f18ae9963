import { CliError } from '../errors.ts';
import type { HubAnswer, HubRefusal } from '../hub-client/hub-answer.ts';
import type { HubClient } from '../hub-client/hub-client.ts';
import type { Registration as IssuedKey } from '../hub-client/hub-data.ts';
import { NetworkError } from '../hub-client/network-error.ts';
import { similarIds } from './agent-id.ts';
import { type Credentials, isKey } from './credentials.ts';
import { isKeyRefused, refusedKey } from './refused-key.ts';
import { formatRegisterBody, type Registration } from './registration.ts';

export interface AskWorld {
  createClient(hubUrl: string, key: string | undefined): HubClient;
}

/** Asks the hub for a key; says of every failure whether the hub may have made one all the same. */
export async function askForKey(
  world: AskWorld,
  registration: Registration,
  old: { file: string; credentials: Credentials | undefined },
  idempotencyKey: string,
): Promise<IssuedKey> {
  const rotated = registration.mode === 'rotate' ? old.credentials : undefined;
  const withKey = rotated !== undefined;
  const client = world.createClient(registration.hubUrl, rotated?.api_key);
  const { host } = client.url;
  const uncertain = (cause: CliError) => {
    const code = cause.code === 'cancelled' ? 'register-interrupted' : 'register-uncertain';
    return new CliError(code, { agent: registration.agentId, host, reason: cause.code }, cause);
  };
  let answer: HubAnswer<IssuedKey>;
  try {
    const body = formatRegisterBody(registration);
    answer = await client.register(body, { withKey, idempotencyKey });
  } catch (error) {
    throw error instanceof NetworkError && error.mayHaveArrived ? uncertain(error) : error;
  }
  if (answer.ok) {
    if (isKey(answer.data.api_key)) return answer.data;
    throw uncertain(new NetworkError('hub-bad-answer', { host, got: 'api_key' }));
  }
  // That the id is taken means, to one who sends its key, that the key is not the one.
  if (rotated && (isKeyRefused(answer) || answer.status === 409)) {
    throw refusedKey(rotated, old.file, answer);
  }
  const refusal = toRefusalError(answer, host);
  if (answer.status >= 500 && refusal.code !== 'no-hub') throw uncertain(refusal);
  if (answer.status !== 409) throw refusal;
  const suggestions = await findFree(client, registration);
  throw new CliError('id-taken', { agent: registration.agentId, suggestions }, refusal);
}

/** The hub's no, as something to tell. */
export function toRefusalError(refusal: HubRefusal, host: string): CliError {
  const { status, code, message, retryAfterMs = 0 } = refusal;
  // A web server that knows nothing of the path, and gives no code as a hub does.
  const isUnknown = [404, 405, 501].includes(status) && code === `HTTP_${status}`;
  if (isUnknown) return new CliError('no-hub', { host, status });
  if (code === 'ERR_REGISTRY_FULL') return new CliError('hub-full', { host });
  const seconds = Math.max(60, Math.ceil(retryAfterMs / 1000));
  if (status === 429) return new CliError('hub-busy', { host, seconds });
  return new CliError('hub-refusal', { host, status, code, message });
}

/** Names that nobody has; where the hub does not tell, names that probably nobody has. */
async function findFree(client: HubClient, { agentId, culture }: Registration): Promise<string[]> {
  const candidates = similarIds(agentId, culture);
  const states = await Promise.all(
    candidates.map(async (id) => {
      const answer = await client.agent(id).catch(() => undefined);
      return answer === undefined || answer.status === 401 ? 'unknown' : answer.status;
    }),
  );
  const free = candidates.filter((_, index) => states[index] === 404);
  const untold = candidates.filter((_, index) => states[index] === 'unknown');
  return (free.length > 0 ? free : untold).slice(0, 3);
}
