import type { HubSuccess } from '../../hub-client/hub-answer.ts';
import type { Inbox } from '../../hub-client/open-inbox.ts';
import { chooseProxy } from '../../hub-client/proxy.ts';
import { type Check, type Finding, fail, pass, warn } from '../check.ts';
import type { DoctorWorld } from '../doctor-world.ts';
import { awaitConnected, watchInbox } from '../watch-inbox.ts';

/** An open stream says `connected` at once; what takes longer is held back on the way. */
const CONNECTED_WITHIN = 5000;
/** Some proxies hold back even the head of the answer. */
const OPENS_WITHIN = 10_000;
/** So long it must stay open, unless a heartbeat comes before. */
const OBSERVED = 2500;

export const inbox: Check = {
  id: 'inbox',
  group: 'inbox',
  needs: ['key'],
  isOnline: true,
  async run(world) {
    const { host } = world.chosenHub().url;
    const stop = new AbortController();
    const close = () => stop.abort();
    const giveUp = () => stop.abort(new DOMException('', 'TimeoutError'));
    const timer = setTimeout(giveUp, OPENS_WITHIN);
    world.signal.addEventListener('abort', close);
    try {
      const answer = await world.client().openInbox({ signal: stop.signal });
      clearTimeout(timer);
      if (!answer.ok) {
        const { status, code } = answer;
        return fail('inbox-refused', { host, status, code });
      }
      return await observe(world, answer);
    } catch (error) {
      if (stop.signal.reason?.name !== 'TimeoutError') throw error;
      return heldBack(world);
    } finally {
      clearTimeout(timer);
      world.signal.removeEventListener('abort', close);
      close();
    }
  },
};

async function observe(world: DoctorWorld, { data }: HubSuccess<Inbox>): Promise<Finding> {
  const { host } = world.chosenHub().url;
  const watch = watchInbox(data);
  const { seen: first, isAlive } = await awaitConnected(watch, CONNECTED_WITHIN);
  if (first.type === 'ended') return fail('inbox-ends', { host });
  if (first.type === 'nothing') {
    if (isAlive) return warn('inbox-not-connected', { host });
    return heldBack(world, readVia(data));
  }
  const { via } = data;
  const until = performance.now() + OBSERVED;
  for (;;) {
    const seen = await watch.next(until);
    if (seen.type === 'ended') return fail('inbox-ends', { host });
    if (seen.type === 'heartbeat') return pass('inbox-heartbeat', { host, via });
    if (seen.type === 'nothing') return pass('inbox-open', { host, via });
  }
}

function heldBack({ chosenHub, env }: DoctorWorld, via = '?'): Finding {
  const { url } = chosenHub();
  const between = chooseProxy(url, env)?.host ?? via;
  return fail('inbox-held-back', { host: url.host, between });
}

/** Who says of itself that it stands in between. */
function readVia({ headers }: Inbox): string | undefined {
  const via = headers.via ?? headers.server;
  return Array.isArray(via) ? via[0] : via;
}
