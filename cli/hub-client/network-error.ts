import { CliError, type ErrorArgs, type ErrorCode } from '../errors.ts';

export type NetworkFailure = Extract<
  ErrorCode,
  `hub-${string}` | `proxy-${string}` | 'cancelled' | 'bad-key'
>;

/** No usable answer of the hub. */
export class NetworkError extends CliError {
  /** Whether the hub may have got the request and acted on it. */
  readonly mayHaveArrived: boolean;

  constructor(
    code: NetworkFailure,
    args: ErrorArgs,
    { mayHaveArrived = false, cause }: { mayHaveArrived?: boolean; cause?: unknown } = {},
  ) {
    super(code, args, cause);
    this.name = 'NetworkError';
    this.mayHaveArrived = mayHaveArrived;
  }
}
