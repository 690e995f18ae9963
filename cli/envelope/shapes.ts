import {
  A2A_FIELDS,
  ADDRESS_PATTERN,
  CARD_VERSION,
  CULTURE_PATTERN,
  HISTORY_DIRECTIONS,
  KEY_PREFIX,
  LIMITS,
  PROTOCOL_ERRORS,
  REQUIRED_ENVELOPE_FIELDS,
} from '../protocol/constants.ts';
import type { Kind } from './kinds.ts';

export type FieldType = 'string' | 'integer' | 'boolean' | 'array' | 'object';

/** What a value must be beyond its type; the rule that says so, and what the rule tells. */
export interface Format {
  rule:
    | 'address-form'
    | 'culture-form'
    | 'length'
    | 'range'
    | 'choice'
    | 'date-form'
    | 'url-form'
    | 'key-form';
  holds(value: never): boolean;
  args: Readonly<Record<string, string | number | readonly string[]>>;
}

interface FieldSpec {
  type: FieldType;
  required?: true;
  format?: Format | undefined;
}

export type Shape = Readonly<Record<string, FieldSpec>>;

const address = new RegExp(ADDRESS_PATTERN);
// Within one hub the name alone is enough for a receiver.
const addressOrName = new RegExp(`${ADDRESS_PATTERN}|^[a-zA-Z0-9._-]+$`);
const culture = new RegExp(CULTURE_PATTERN);
const isoDate = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/;

const matches = (rule: Format['rule'], pattern: RegExp): Format => ({
  rule,
  holds: (value: string) => pattern.test(value),
  args: {},
});
const length = (min: number, max?: number): Format => ({
  rule: 'length',
  holds: (value: string) => {
    // UTF-16 units are never fewer than characters, and at most twice as many.
    if (value.length < min) return false;
    if (max !== undefined && value.length <= max && value.length >= 2 * min) return true;
    if (max === undefined && value.length >= 2 * min) return true;
    const count = countCharacters(value);
    return count >= min && (max === undefined || count <= max);
  },
  args: { min, max: max ?? '∞' },
});
const choice = (...values: readonly string[]): Format => ({
  rule: 'choice',
  holds: (value: string) => values.includes(value),
  args: { available: values },
});
const date: Format = {
  rule: 'date-form',
  holds: (value: string) => isoDate.test(value) && !Number.isNaN(Date.parse(value)),
  args: {},
};
const url: Format = {
  rule: 'url-form',
  holds: (value: string) => /^https?:\/\/./.test(value) && URL.canParse(value),
  args: {},
};
const required = (type: FieldType, format?: Format): FieldSpec => ({
  ...optional(type, format),
  required: true,
});
const optional = (type: FieldType, format?: Format): FieldSpec =>
  format === undefined ? { type } : { type, format };

const ENVELOPE_FORMATS: Shape = {
  chorus_version: { type: 'string' }, // which one: the rule wrong-version
  sender_id: { type: 'string', format: matches('address-form', address) },
  original_text: { type: 'string', format: length(LIMITS.originalTextMin) },
  sender_culture: { type: 'string', format: matches('culture-form', culture) },
  cultural_context: {
    type: 'string',
    format: length(LIMITS.culturalContextMin, LIMITS.culturalContextMax),
  },
  conversation_id: { type: 'string', format: length(0, LIMITS.conversationIdMax) },
  turn_number: {
    type: 'integer',
    format: {
      rule: 'range',
      holds: (value: number) => value >= LIMITS.turnNumberMin,
      args: { min: LIMITS.turnNumberMin },
    },
  },
};

/** The fields we know of every kind. Others are allowed everywhere. */
export const SHAPES: Readonly<Record<Kind, Shape>> = {
  envelope: Object.fromEntries(
    Object.entries(ENVELOPE_FORMATS).map(([name, spec]) => [
      name,
      (REQUIRED_ENVELOPE_FIELDS as readonly string[]).includes(name)
        ? { ...spec, required: true }
        : spec,
    ]),
  ),
  example: {
    _description: optional('string'),
    user_input: optional('string'),
    envelope: required('object'),
    adapted_output: optional('object'),
  },
  'send-request': {
    receiver_id: required('string', matches('address-form', addressOrName)),
    envelope: required('object'),
    stream: optional('boolean'),
  },
  message: {
    envelope: required('object'),
    id: optional('integer'),
    trace_id: optional('string'),
    sender_id: optional('string', matches('address-form', address)),
    receiver_id: optional('string', matches('address-form', addressOrName)),
    timestamp: optional('string', date),
  },
  'history-line': {
    ts: required('string', date),
    dir: required('string', choice(...HISTORY_DIRECTIONS)),
    peer: required('string', matches('address-form', address)),
    trace_id: optional('string'),
    envelope: required('object'),
  },
  'a2a-message': {
    [A2A_FIELDS[0]]: optional('string'),
    role: optional('string'),
    parts: required('array'),
  },
  'register-request': {
    agent_id: required('string', matches('address-form', addressOrName)),
    agent_card: optional('object'),
    endpoint: optional('string', url),
  },
  card: {
    card_version: required('string', choice(CARD_VERSION)),
    user_culture: required('string', matches('culture-form', culture)),
    supported_languages: optional('array'),
  },
  credentials: {
    agent_id: required('string', matches('address-form', address)),
    api_key: required('string', matches('key-form', new RegExp(`^${KEY_PREFIX}.`))),
    hub_url: required('string', url),
    user_culture: optional('string', matches('culture-form', culture)),
    supported_languages: optional('array'),
    endpoint: optional('string', url),
  },
  response: {
    status: required('string', choice('ok', 'error')),
    error_code: optional('string', choice(...PROTOCOL_ERRORS)),
    detail: optional('string'),
  },
  discovery: {
    chorus_version: required('string'),
    server_name: optional('string'),
    host: optional('string'),
    since: optional('string'),
    limits: optional('object'),
    endpoints: required('object'),
  },
};

/** Each shape as a list, which is quicker to go through. */
const FIELDS = Object.fromEntries(
  Object.entries(SHAPES).map(([kind, shape]) => [
    kind,
    Object.entries(shape).map(([name, spec]) => ({ name, ...spec })),
  ]),
) as unknown as Record<Kind, (FieldSpec & { name: string })[]>;

/** Whether nothing is wrong with the fields we know. */
export function isWellShaped(kind: Kind, value: Readonly<Record<string, unknown>>): boolean {
  for (const { name, type, required, format } of FIELDS[kind]) {
    const given = value[name];
    if (given === undefined) {
      if (required) return false;
    } else if (!fitsField(given, { type, format })) return false;
  }
  return true;
}

export function fitsField(value: unknown, { type, format }: Pick<FieldSpec, 'type' | 'format'>) {
  return hasType(value, type) && (format === undefined || format.holds(value as never));
}

export function hasUnknownFields(kind: Kind, value: Readonly<Record<string, unknown>>): boolean {
  const shape = SHAPES[kind];
  for (const name in value) if (!Object.hasOwn(shape, name)) return true;
  return false;
}

export function hasType(value: unknown, type: FieldType): boolean {
  switch (type) {
    case 'integer':
      return Number.isInteger(value);
    case 'array':
      return Array.isArray(value);
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    default:
      return typeof value === type;
  }
}

/** Characters as JSON Schema counts them: code points. */
function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}
