import { errnoOf } from '../io/files.ts';
import { NetworkError, type NetworkFailure } from './network-error.ts';

const CODES: Readonly<Record<string, NetworkFailure>> = {
  ENOTFOUND: 'hub-name-not-found',
  EAI_AGAIN: 'hub-name-not-found',
  EAI_NODATA: 'hub-name-not-found',
  EAI_NONAME: 'hub-name-not-found',
  ECONNREFUSED: 'hub-refused',
  ETIMEDOUT: 'hub-timeout',
  CERT_HAS_EXPIRED: 'hub-tls-expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'hub-tls-self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'hub-tls-self-signed',
  ERR_TLS_CERT_ALTNAME_INVALID: 'hub-tls-wrong-name',
};

/** A failure before the connection stands: nothing was sent yet. */
export function classifyConnecting(error: unknown, host: string, isTls: boolean): NetworkError {
  if (error instanceof NetworkError) return error;
  const reason = reasonOf(error);
  return new NetworkError(
    CODES[reason] ?? (isTls ? 'hub-tls' : 'hub-unreachable'),
    { host, reason },
    { cause: error },
  );
}

/** A failure after the request went out. */
export function classifyAnswering(error: unknown, host: string): NetworkError {
  if (error instanceof NetworkError) return error;
  const reason = reasonOf(error);
  if (reason.startsWith('HPE_')) {
    return new NetworkError('hub-not-json', { host, got: reason }, { mayHaveArrived: true });
  }
  const code = reason === 'ETIMEDOUT' ? 'hub-timeout' : 'hub-closed';
  return new NetworkError(code, { host, reason }, { mayHaveArrived: true, cause: error });
}

/** The system's word for it. Where every address of a name was tried, that of the first. */
export function reasonOf(error: unknown): string {
  const first = error instanceof AggregateError ? error.errors[0] : undefined;
  return errnoOf(error) ?? errnoOf(first) ?? (error instanceof Error ? error.message : 'unknown');
}
