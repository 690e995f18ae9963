import { TRANSPORT_ERRORS } from '../cli/protocol/constants.ts';

export type RefusalCode = keyof typeof TRANSPORT_ERRORS;

interface RefusalOptions {
  /** Where it is not the one that belongs to the code. */
  status?: number;
  retryAfterSeconds?: number;
  headers?: Readonly<Record<string, string>>;
}

/** A request that is answered with an error: the code for programs, the message for people. */
export class Refusal extends Error {
  readonly code: RefusalCode;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: RefusalCode, message: string, options: RefusalOptions = {}) {
    super(message);
    this.name = 'Refusal';
    this.code = code;
    this.status = options.status ?? TRANSPORT_ERRORS[code].status;
    const wait = options.retryAfterSeconds;
    this.headers = {
      ...options.headers,
      ...(wait === undefined ? {} : { 'Retry-After': String(Math.max(1, Math.ceil(wait))) }),
    };
  }
}
