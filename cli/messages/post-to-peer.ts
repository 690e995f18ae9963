import type { HttpClient } from '../hub-client/http-client.ts';
import { NetworkError } from '../hub-client/network-error.ts';
import { isRecord } from '../json/is-record.ts';
import { readNetworkFailure, type Try } from './delivery.ts';
import { readReceiver } from './post-to-hub.ts';

const MAX_DETAIL = 200;

/** One try to give the envelope to the other agent itself. No key goes with it. */
export async function postToPeer(
  http: HttpClient,
  url: URL,
  envelope: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<Try> {
  // Receivers know a repetition by its turn.
  const isRepeatable = 'conversation_id' in envelope && 'turn_number' in envelope;
  try {
    const headers = { Accept: 'application/json' };
    const body = JSON.stringify({ envelope });
    const answer = await http.request({ method: 'POST', url, headers, body, signal });
    return readAnswer(answer.status, answer.body.toString('utf8'), isRepeatable);
  } catch (error) {
    if (error instanceof NetworkError) return readNetworkFailure(error, isRepeatable);
    throw error;
  }
}

function readAnswer(status: number, body: string, isRepeatable: boolean): Try {
  const response = parse(body);
  const isResponse = isRecord(response) && typeof response.status === 'string';
  const refusal = isResponse ? readReceiver(response) : undefined;
  if (refusal) return refusal;
  const isDone = status >= 200 && status < 300;
  if (isDone && isResponse && response.status === 'ok') {
    return { delivery: { delivery: 'delivered', receiver_response: response } };
  }
  const facts = { error_code: `HTTP_${status}`, detail: isDone ? '' : body.slice(0, MAX_DETAIL) };
  if (isDone || status >= 500) {
    const isProxy = [502, 503, 504].includes(status) && isRepeatable;
    return {
      delivery: { delivery: 'unknown', ...facts },
      ...(isProxy ? { retry: { key: 'same' } } : {}),
    };
  }
  return { delivery: { delivery: 'rejected', by: 'receiver', ...facts } };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
