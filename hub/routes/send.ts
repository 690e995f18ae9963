import type { ServerResponse } from 'node:http';
import { succeed } from '../http/answers.ts';
import type { Route } from '../http/exchange.ts';
import { readBody } from '../http/read-body.ts';
import { readOnceKey } from '../http/read-once-key.ts';
import { refuseCaller } from '../service/caller.ts';
import { checkRequest } from '../service/check-request.ts';
import { formatEvent } from '../service/format-message.ts';
import type { Sent } from '../service/messages.ts';
import type { HubParts } from './hub-parts.ts';
import { writeStreamHead } from './stream-head.ts';

export function createSend({ messages, findCaller, limits, limitMessages }: HubParts): Route {
  return async ({ incoming, outgoing }) => {
    const caller = await findCaller(incoming.headers.authorization);
    if (caller.kind === 'agent') limitMessages(caller.agent.id);
    else if (caller.kind !== 'operator') throw refuseCaller(caller);
    const body = await readBody(incoming, limits.bodyBytes);
    const request = {
      ...checkRequest(body, 'send-request'),
      onceKey: readOnceKey(incoming),
    };
    if (request.value.stream !== true) {
      const sent = await messages.send(request, caller);
      return succeed(sent, sent.delivery === 'queued' ? 202 : 200);
    }
    const stream = createChunkStream(outgoing);
    stream.end(await messages.send(request, caller, stream.chunk));
    return undefined;
  };
}

/** The answer as events. It begins with the first of them: until then it can still be a refusal. */
function createChunkStream(outgoing: ServerResponse) {
  const write = (event: string, data: unknown) => {
    if (!outgoing.headersSent) writeStreamHead(outgoing);
    outgoing.write(formatEvent(event, data));
  };
  return {
    chunk: (text: string) => write('chunk', { text }),
    end: (sent: Sent) => {
      write(sent.delivery === 'failed' ? 'error' : 'done', sent);
      outgoing.end();
    },
  };
}
