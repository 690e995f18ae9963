import path from 'node:path';
import {
  CREDENTIALS_FILE,
  LEGACY_ENVELOPE_FIELDS,
  OPTIONAL_ENVELOPE_FIELDS,
  REQUIRED_ENVELOPE_FIELDS,
} from '../protocol/constants.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

/** What agents and hubs exchange and keep; the order is the order in which they are recognised. */
const MARKS = {
  example: (it) => 'envelope' in it && ('adapted_output' in it || 'user_input' in it),
  'history-line': (it) => 'envelope' in it && ('dir' in it || 'peer' in it || 'ts' in it),
  'send-request': (it) => 'envelope' in it && 'receiver_id' in it && !('trace_id' in it),
  message: (it) => 'envelope' in it,
  'a2a-message': (it) => Array.isArray(it.parts),
  credentials: (it) => 'api_key' in it || 'hub_url' in it,
  'register-request': (it) => 'agent_card' in it || ('agent_id' in it && !('culture' in it)),
  card: (it) => 'card_version' in it || 'user_culture' in it || 'supported_languages' in it,
  discovery: (it) => 'endpoints' in it || 'server_name' in it,
  response: (it) => it.status === 'ok' || it.status === 'error' || 'error_code' in it,
  envelope: (it) => ENVELOPE_MARKS.some((field) => field in it),
} as const satisfies Record<string, (it: JsonObject) => boolean>;

const ENVELOPE_MARKS = [
  ...REQUIRED_ENVELOPE_FIELDS,
  ...OPTIONAL_ENVELOPE_FIELDS,
  ...Object.keys(LEGACY_ENVELOPE_FIELDS),
];

export type Kind = keyof typeof MARKS;
export const KINDS = Object.keys(MARKS) as Kind[];

export function detectKind(value: JsonObject): Kind | undefined {
  const kind = KINDS.find((it) => MARKS[it](value));
  // With a text it is an envelope, whatever was added to it.
  const hasText = 'original_text' in value || 'original_semantic' in value;
  return hasText && kind && WITHOUT_ENVELOPE.includes(kind) ? 'envelope' : kind;
}

const WITHOUT_ENVELOPE: readonly Kind[] = [
  'register-request',
  'credentials',
  'card',
  'discovery',
  'response',
];

/** What a value is where an envelope is expected: one of the forms it travels in, or a bad one. */
export function detectForEnvelope(value: JsonObject): Kind {
  const kind = detectKind(value);
  return kind === undefined || WITHOUT_ENVELOPE.includes(kind) ? 'envelope' : kind;
}

/** The kind that a file has by its name, whatever is in it. */
export function kindByName(file: string): Kind | undefined {
  return path.basename(file) === CREDENTIALS_FILE ? 'credentials' : undefined;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
