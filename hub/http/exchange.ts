import type { IncomingMessage, ServerResponse } from 'node:http';

/** One request, and the response that belongs to it. */
export interface Exchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  /** Who asks: the peer, or whom a trusted proxy names. */
  readonly address: string;
  /** The part of the path that stands for an id. */
  readonly id: string;
  readonly query: URLSearchParams;
}

export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
  readonly type?: string;
}

/** Nothing is returned where the route has written, or goes on writing, the response itself. */
export type Route = (exchange: Exchange) => Promise<Answer | undefined>;
