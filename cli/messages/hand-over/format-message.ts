import { printJsonLine } from '../../io/terminal.ts';
import { type InboxMessage, senderOf } from '../inbox-message.ts';

/** A message as programs get it: one line of JSON, safe on a terminal too. */
export function formatMessageLine(message: InboxMessage): string {
  const { trace_id, id, timestamp, envelope } = message;
  return printJsonLine({
    event: 'message',
    trace_id,
    ...(id === undefined ? {} : { id }),
    sender_id: senderOf(message),
    ...(timestamp === undefined ? {} : { timestamp }),
    envelope,
  });
}
