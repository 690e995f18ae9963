import { randomUUID } from 'node:crypto';
import { isRecord } from '../../json/is-record.ts';
import { PROTOCOL_VERSION, SELF_CHECK_PREFIX } from '../../protocol/constants.ts';
import { type Check, fail, pass } from '../check.ts';
import { awaitConnected, type Seen, watchInbox } from '../watch-inbox.ts';

const CONNECTED_WITHIN = 5000;
const ARRIVES_WITHIN = 10_000;

/** Sends one message to ourselves. It says what it is, and is written to no history of ours. */
export const roundTrip: Check = {
  id: 'round-trip',
  group: 'inbox',
  needs: ['inbox'],
  isOnline: true,
  async run({ client, identity, greeting, signal }) {
    const { agent_id: agent } = identity();
    const conversation = `${SELF_CHECK_PREFIX}${randomUUID()}`;
    const stop = new AbortController();
    const close = () => stop.abort();
    signal.addEventListener('abort', close);
    try {
      const stream = await client().openInbox({ signal: stop.signal });
      if (!stream.ok)
        return fail('round-trip-refused', { status: stream.status, code: stream.code });
      const watch = watchInbox(stream.data);
      await awaitConnected(watch, CONNECTED_WITHIN);
      const startedAt = performance.now();
      const envelope = {
        chorus_version: PROTOCOL_VERSION,
        sender_id: agent,
        original_text: greeting.text,
        sender_culture: greeting.culture,
        conversation_id: conversation,
        turn_number: 1,
      };
      const sent = await client().send(
        { receiver_id: agent, envelope },
        { idempotencyKey: conversation },
      );
      if (!sent.ok) return fail('round-trip-refused', { status: sent.status, code: sent.code });
      for (;;) {
        const next = await watch.next(startedAt + ARRIVES_WITHIN);
        if (next.type === 'nothing' || next.type === 'ended') {
          return fail('round-trip-lost', {
            delivery: sent.data.delivery,
            seconds: ARRIVES_WITHIN / 1000,
          });
        }
        if (readConversation(next) !== conversation) continue;
        return pass('round-trip-ok', { ms: Math.round(performance.now() - startedAt) });
      }
    } finally {
      signal.removeEventListener('abort', close);
      close();
    }
  },
};

function readConversation(seen: Seen): unknown {
  if (seen.type !== 'event') return undefined;
  try {
    const data: unknown = JSON.parse(seen.data);
    return isRecord(data) && isRecord(data.envelope) ? data.envelope.conversation_id : undefined;
  } catch {
    return undefined;
  }
}
