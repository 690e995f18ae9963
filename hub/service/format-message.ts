import type { StoredMessage } from '../store/hub-store.ts';

/** A message as the history shows it, as JSON text. */
export function formatMessage(message: StoredMessage): string {
  const { id, receiverId } = message;
  return `{"id":${id},"receiver_id":${JSON.stringify(receiverId)},${formatCommon(message)}}`;
}

/** A message as the event of an inbox. */
export function formatMessageEvent(message: StoredMessage): string {
  return `id: ${message.id}\nevent: message\ndata: {${formatCommon(message)}}\n\n`;
}

export function formatEvent(event: string, data: unknown): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

function formatCommon({ traceId, senderId, envelope, time }: StoredMessage): string {
  const timestamp = new Date(time).toISOString();
  return `"trace_id":"${traceId}","sender_id":${JSON.stringify(senderId)},"envelope":${envelope},"timestamp":"${timestamp}"`;
}
