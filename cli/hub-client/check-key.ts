import type { HubRefusal } from './hub-answer.ts';
import type { HubClient } from './hub-client.ts';

export type KeyCheck = { accepted: true } | { accepted: false; refusal: HubRefusal };

/**
 * Whether the hub takes our key. Asks for messages from a time that has none, so that nothing
 * is fetched; the inbox is left alone, since opening it would close the one in use.
 */
export async function checkKey(client: HubClient, now: Date): Promise<KeyCheck> {
  const document = await client.discovery();
  const countsIds = document.ok && document.data.since === 'id';
  const since = countsIds ? Number.MAX_SAFE_INTEGER : now.toISOString();
  const answer = await client.history({ since });
  // One that understands `since` otherwise has looked at the key first.
  if (answer.ok || answer.status === 400) return { accepted: true };
  return { accepted: false, refusal: answer };
}
