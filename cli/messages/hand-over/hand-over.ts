import type { NetworkError } from '../../hub-client/network-error.ts';
import type { InboxMessage } from '../inbox-message.ts';

/** Why a hand-over did not succeed, as data. */
export type HandOverFailure =
  | { reason: 'exit'; code: number }
  | { reason: 'signal'; signal: string }
  | { reason: 'not-started'; detail: string }
  | { reason: 'timeout'; seconds: number }
  | { reason: 'status'; status: number }
  | { reason: 'refused'; detail: string }
  | { reason: 'network'; detail: string; cause: NetworkError };

/** Where messages go once they are safe on disk. */
export type HandOver =
  /** Several at once, in order; that it fails ends the run, as nobody listens any more. */
  | { takes: 'many'; deliver(messages: readonly InboxMessage[]): void }
  /** One at a time for each sender; a failure concerns this message only. */
  | { takes: 'one'; deliver(message: InboxMessage): Promise<HandOverFailure | undefined> };
