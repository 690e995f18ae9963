import type { HubAnswer } from '../hub-client/hub-answer.ts';
import type { HubClient } from '../hub-client/hub-client.ts';
import type { SendResult } from '../hub-client/hub-data.ts';
import { NetworkError } from '../hub-client/network-error.ts';
import { isRecord } from '../json/is-record.ts';
import { TRANSPORT_ERRORS } from '../protocol/constants.ts';
import { readNetworkFailure, type Try } from './delivery.ts';
import { readTraceId } from './inbox-message.ts';

const UNTOLD_WAIT_MS = 60_000;

/** One try to send through the hub. */
export async function postToHub(
  hub: Pick<HubClient, 'send'>,
  receiver: string,
  envelope: unknown,
  idempotencyKey: string,
): Promise<Try> {
  try {
    const answer = await hub.send({ receiver_id: receiver, envelope }, { idempotencyKey });
    return readAnswer(answer);
  } catch (error) {
    if (error instanceof NetworkError) return readNetworkFailure(error, true);
    throw error;
  }
}

function readAnswer(answer: HubAnswer<SendResult>): Try {
  if (answer.ok) return readResult(answer.data);
  const { status, code, message, retryAfterMs } = answer;
  const facts = { error_code: code, detail: message };
  if (status >= 500) {
    // Only this one says for certain that nothing arrived.
    const isFailed = code === 'ERR_AGENT_UNREACHABLE';
    // Without a code of the hub it is what stands before the hub that answers.
    const mayRetry = retryOf(code) === 'yes' || [502, 503, 504].includes(status);
    return {
      delivery: { delivery: isFailed ? 'failed' : 'unknown', ...facts },
      ...(mayRetry ? { retry: { key: 'same', ...waitOf(retryAfterMs) } } : {}),
    };
  }
  const rejected = { delivery: 'rejected', by: 'hub', ...facts } as const;
  const isLater = retryOf(code) === 'later' || (status === 429 && retryOf(code) === undefined);
  if (!isLater) return { delivery: rejected };
  return { delivery: rejected, retry: { key: 'same', ...waitOf(retryAfterMs ?? UNTOLD_WAIT_MS) } };
}

function waitOf(waitMs: number | undefined): { waitMs?: number } {
  return waitMs === undefined ? {} : { waitMs };
}

function readResult(result: SendResult): Try {
  const { delivery, error_code = '', detail = '', receiver_response } = result;
  const trace_id = readTraceId(result.trace_id);
  const traced = trace_id === undefined ? {} : { trace_id };
  switch (delivery) {
    case 'delivered_sse':
    case 'queued':
      return { delivery: { delivery, ...traced } };
    case 'delivered':
      return (
        readReceiver(receiver_response) ?? {
          delivery: { delivery, ...traced, receiver_response },
        }
      );
    case 'failed':
      return {
        delivery: { delivery, ...traced, error_code, detail },
        ...(retryOf(error_code) === 'yes' ? { retry: { key: 'new' } } : {}),
      };
    default:
      // A word we do not know: the hub took it, and that is all that can be said.
      return { delivery: { delivery: 'unknown', error_code: delivery, detail } };
  }
}

/** The receiver's own no, in its protocol response. */
export function readReceiver(response: unknown): Try | undefined {
  if (!isRecord(response) || response.status !== 'error') return undefined;
  const error_code = typeof response.error_code === 'string' ? response.error_code : '';
  const detail = typeof response.detail === 'string' ? response.detail : '';
  return { delivery: { delivery: 'rejected', by: 'receiver', error_code, detail } };
}

function retryOf(code: string): string | undefined {
  return (TRANSPORT_ERRORS as Readonly<Record<string, { retry: string }>>)[code]?.retry;
}
