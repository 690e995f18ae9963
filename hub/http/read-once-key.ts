import type { IncomingMessage } from 'node:http';
import { IDEMPOTENCY_HEADER } from '../../cli/protocol/constants.ts';

const HEADER = IDEMPOTENCY_HEADER.toLowerCase();

/** By which a request is known when it comes again. */
export function readOnceKey({ headers }: IncomingMessage): string | undefined {
  const given = headers[HEADER];
  return Array.isArray(given) ? given[0] : given;
}
