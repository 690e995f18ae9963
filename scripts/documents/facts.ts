import * as protocol from '../../cli/protocol/constants.ts';

/** Names that are right in the documents though they are not facts of the protocol. */
const EXTRA_NAMES = [
  // parts of an address, and characters a name may have
  ...['name', 'host', 'a', 'z'],
  // schemes, tags and the value of `status` that is no event
  ...['http', 'https', 'fr', 'ok'],
  // the body in SKILL.md's commands
  'message.json',
  // a member of each line that `inbox` prints, and of one that it keeps
  ...['event', 'messages'],
];

/** Upper-case names that are neither a protocol error nor a transport error. */
export const EXTRA_CODES = ['HUB_URL', 'ROLE_USER'];

/** Spans that start with a slash and are commands of a host, or just the character. */
export const EXTRA_PATHS = ['/', '/new', '/reset'];

export const EXTRA_HEADERS = ['Authorization', 'Content-Type', 'Accept'];

/** Numbers in prose, with what they belong to; whatever else is a number must be a fact. */
export const NUMBER_PHRASES =
  /Node\.js 20\.12|(?:[Ee]xit code|退出码) [012]|RFC 2119|BCP 47|UTF-16|2020-12|\b4xx|\b0600\b|5 (?:minutes|分钟)/g;

export const VERSIONS = [protocol.PROTOCOL_VERSION, protocol.CARD_VERSION, '0.2', '0.3', '1.0'];
export const ENDPOINTS = Object.values(protocol.ENDPOINTS);

export const STATUSES = new Set([
  ...[200, 201, 202, 413],
  ...Object.values(protocol.TRANSPORT_ERRORS).map(({ status }) => status),
]);

export const FIELDS = new Set<string>([
  ...protocol.REQUIRED_ENVELOPE_FIELDS,
  ...protocol.OPTIONAL_ENVELOPE_FIELDS,
  ...Object.keys(protocol.LEGACY_ENVELOPE_FIELDS),
  ...protocol.RESPONSE_FIELDS,
  ...Object.values(protocol.TRANSPORT_FIELDS).flat(),
  ...protocol.A2A_FIELDS,
  ...protocol.CREDENTIALS_FIELDS,
  ...protocol.HISTORY_FIELDS,
  ...ENDPOINTS.flatMap((endpoint) => ('discovery' in endpoint ? [endpoint.discovery] : [])),
]);

export const NAMES = new Set<string>([
  ...FIELDS,
  ...protocol.DELIVERIES,
  ...protocol.SEND_OUTCOMES,
  ...protocol.INBOX_EVENTS,
  ...protocol.STREAM_EVENTS,
  ...protocol.HISTORY_DIRECTIONS,
  ...EXTRA_NAMES,
]);

export const CODES = new Set<string>([
  ...Object.keys(protocol.TRANSPORT_ERRORS),
  ...protocol.PROTOCOL_ERRORS,
]);

/** Literals that look like they hold names of fields, and do not. */
export const LITERALS: readonly string[] = [protocol.REPLY_MARKER, ...protocol.LOCAL_REPLY_MARKERS];

export const DISCOVERY_PATHS = new Map<string, string>(
  ENDPOINTS.flatMap((e) => ('discovery' in e ? [[e.discovery, e.path] as const] : [])),
);
