import type { IncomingMessage, RequestListener } from 'node:http';
import type { HubLog } from '../hub-log.ts';
import { Refusal } from '../refusal.ts';
import { refuse, writeAnswer } from './answers.ts';
import type { Answer, Exchange } from './exchange.ts';
import type { Target } from './router.ts';

interface ListenerOptions {
  findTarget: (incoming: IncomingMessage) => Target;
  findAddress: (incoming: IncomingMessage) => string;
  limitAddress: (address: string) => void;
  log: HubLog;
  logsRequests: boolean;
}

/** Answers every request: with what its route says, or with why not. */
export function createListener(options: ListenerOptions): RequestListener {
  return async (incoming, outgoing) => {
    const started = options.logsRequests ? performance.now() : 0;
    const answer = await findAnswer(incoming, outgoing, options);
    if (answer !== undefined) writeAnswer(outgoing, answer);
    if (!options.logsRequests) return;
    const { method = '', url = '' } = incoming;
    // Without the query: it may hold a token.
    const [path = ''] = url.split('?');
    const ms = Math.round(performance.now() - started);
    options.log({ event: 'request', method, path, status: outgoing.statusCode, ms });
  };
}

async function findAnswer(
  incoming: IncomingMessage,
  outgoing: Exchange['outgoing'],
  { findTarget, findAddress, limitAddress, log }: ListenerOptions,
): Promise<Answer | undefined> {
  try {
    const address = findAddress(incoming);
    limitAddress(address);
    const { route, id, query } = findTarget(incoming);
    return await route({ incoming, outgoing, address, id, query });
  } catch (error) {
    if (error instanceof Refusal) return refuse(error);
    log({ event: 'internal-error', detail: error instanceof Error ? error.message : 'unknown' });
    return refuse(new Refusal('ERR_INTERNAL', 'Something went wrong in this hub. Try later.'));
  }
}
