import { type FileSystem, readOwnFile } from '../io/files.ts';
import { isRecord } from '../json/is-record.ts';
import { parseCredentials } from './credentials.ts';
import { pendingFile } from './find-credentials.ts';
import type { Registration } from './registration.ts';

/** What a run that was killed left beside the credentials. */
export type Pending =
  /** The hub had answered; only the last step is missing. */
  | { state: 'answered'; text: string }
  /** The hub may have got the request, and may have answered. */
  | { state: 'asked'; registration: Registration; idempotencyKey: string; startedAt: string };

const MARK = 'chorus_registration';

export function formatPending(
  registration: Registration,
  idempotencyKey: string,
  startedAt: Date,
): string {
  const note = { registration, idempotencyKey, startedAt: startedAt.toISOString() };
  return `${JSON.stringify({ [MARK]: note })}\n`;
}

/** Nothing where there is none, or one that was cut before the hub was asked. */
export function readPending(fs: FileSystem, file: string): Pending | undefined {
  const text = readOwnFile(fs, pendingFile(file))?.toString('utf8').trimEnd();
  if (text === undefined) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (isRecord(value) && isRecord(value[MARK])) {
    const { registration, idempotencyKey, startedAt } = value[MARK];
    return {
      state: 'asked',
      registration: registration as Registration,
      idempotencyKey: String(idempotencyKey),
      startedAt: String(startedAt),
    };
  }
  try {
    parseCredentials(text, file);
    return { state: 'answered', text: `${text}\n` };
  } catch {
    return undefined;
  }
}
