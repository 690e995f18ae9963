import type { HttpClient } from '../../hub-client/http-client.ts';
import { NetworkError } from '../../hub-client/network-error.ts';
import { isRecord } from '../../json/is-record.ts';
import { IDEMPOTENCY_HEADER, LIMITS } from '../../protocol/constants.ts';
import type { InboxMessage } from '../inbox-message.ts';
import { formatMessageLine } from './format-message.ts';
import type { HandOver, HandOverFailure } from './hand-over.ts';

export interface WebhookSettings {
  url: URL;
  http: HttpClient;
  timeoutMs: number;
  headers?: Readonly<Record<string, string>>;
  /** In place of the message itself. */
  format?: (message: InboxMessage) => string;
}

/** Posts each message. Taken: an answer with 2xx that is no protocol response saying otherwise. */
export function toWebhook(settings: WebhookSettings): HandOver {
  const { url, http, timeoutMs, headers = {}, format = formatMessageLine } = settings;
  return {
    takes: 'one',
    async deliver(message) {
      // So that the other side can tell a repetition.
      const once = { [IDEMPOTENCY_HEADER]: message.trace_id.slice(0, LIMITS.idempotencyKeyMax) };
      const isHeader = /^[\x21-\x7e]+$/.test(message.trace_id);
      try {
        const { status, body } = await http.request({
          method: 'POST',
          url,
          headers: { ...(isHeader ? once : {}), ...headers },
          body: format(message),
          timeoutMs,
        });
        if (status < 200 || status > 299) return { reason: 'status', status };
        return readRefusal(body.toString('utf8'));
      } catch (error) {
        if (!(error instanceof NetworkError)) throw error;
        return { reason: 'network', detail: error.code, cause: error };
      }
    },
  };
}

function readRefusal(body: string): HandOverFailure | undefined {
  try {
    const answer: unknown = JSON.parse(body);
    if (!isRecord(answer) || answer.status !== 'error') return undefined;
    return { reason: 'refused', detail: String(answer.error_code ?? answer.detail ?? '') };
  } catch {
    return undefined; // whatever else it says, it took it
  }
}
