import { isObject, type JsonObject } from '../envelope/kinds.ts';
import type { HISTORY_DIRECTIONS } from '../protocol/constants.ts';

/** One envelope that was sent or received, as the history keeps it. */
export interface HistoryLine {
  ts: string;
  dir: (typeof HISTORY_DIRECTIONS)[number];
  peer: string;
  /** By which a hub and `--reply-to` know it; not every hub gives one. */
  trace_id?: string;
  envelope: JsonObject;
}

export function formatHistoryLine({ ts, dir, peer, trace_id, envelope }: HistoryLine): string {
  return JSON.stringify({
    ts,
    dir,
    peer,
    ...(trace_id === undefined ? {} : { trace_id }),
    envelope,
  });
}

/** Nothing where the text is no such line. */
export function parseHistoryLine(text: string): HistoryLine | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isObject(value) || !isObject(value.envelope)) return undefined;
  const { ts, dir, peer, trace_id: trace, envelope } = value;
  if (typeof ts !== 'string' || typeof peer !== 'string') return undefined;
  if (dir !== 'sent' && dir !== 'received') return undefined;
  return { ts, dir, peer, envelope, ...(typeof trace === 'string' ? { trace_id: trace } : {}) };
}
