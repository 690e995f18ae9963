/** The facts of Chorus 0.4, each written down once. */

export const PROTOCOL_VERSION = '0.4';
export const CARD_VERSION = '0.3';
export const ENVELOPE_SCHEMA_ID = `https://chorus-protocol.org/schemas/envelope/v${PROTOCOL_VERSION}`;

export const ADDRESS_PATTERN = '^[a-zA-Z0-9._-]+@[a-zA-Z0-9._-]+$';
export const CULTURE_PATTERN = '^[a-z]{2,3}(-[A-Z][a-z]{3})?(-[A-Z]{2}|-[0-9]{3})?$';

export const LIMITS = {
  originalTextMin: 1,
  culturalContextMin: 10,
  culturalContextMax: 500,
  conversationIdMax: 64,
  turnNumberMin: 1,
  idempotencyKeyMax: 256,
  registrationKeyMin: 16,
} as const;

/** Limits that some live hubs set; ours states its own in the discovery document. */
export const COMMON_HUB_LIMITS = {
  originalTextUtf16: 10_000,
  bodyBytes: 65_536,
} as const;

export const REQUIRED_ENVELOPE_FIELDS = [
  'chorus_version',
  'sender_id',
  'original_text',
  'sender_culture',
] as const;
export const OPTIONAL_ENVELOPE_FIELDS = [
  'cultural_context',
  'conversation_id',
  'turn_number',
] as const;
/** Fields of envelopes before 0.4, with what they are called now. */
export const LEGACY_ENVELOPE_FIELDS = { original_semantic: 'original_text' } as const;

export const RESPONSE_FIELDS = ['status', 'error_code', 'detail'] as const;
export const PROTOCOL_ERRORS = [
  'INVALID_ENVELOPE',
  'UNSUPPORTED_VERSION',
  'ADAPTATION_FAILED',
] as const;

type KeyKind = 'none' | 'agent' | 'agent or operator' | 'operator' | 'own or operator';

interface Endpoint {
  method: 'GET' | 'POST' | 'DELETE';
  path: string;
  key: KeyKind;
  /** The name under which the discovery document gives the path, where it does. */
  discovery?: string;
}

export const ENDPOINTS = {
  register: { method: 'POST', path: '/register', key: 'none', discovery: 'register' },
  inbox: { method: 'GET', path: '/agent/inbox', key: 'agent', discovery: 'inbox' },
  session: { method: 'POST', path: '/agent/session', key: 'agent', discovery: 'session' },
  history: { method: 'GET', path: '/agent/messages', key: 'agent', discovery: 'history' },
  send: { method: 'POST', path: '/messages', key: 'agent or operator', discovery: 'send' },
  discover: { method: 'GET', path: '/discover', key: 'none', discovery: 'discover' },
  registerByOperator: { method: 'POST', path: '/agents', key: 'operator' },
  agents: { method: 'GET', path: '/agents', key: 'none', discovery: 'agents' },
  agent: { method: 'GET', path: '/agents/:id', key: 'none', discovery: 'agent' },
  unregister: { method: 'DELETE', path: '/agents/:id', key: 'own or operator' },
  invite: { method: 'GET', path: '/invite/:agent_id', key: 'none', discovery: 'invite' },
  skill: { method: 'GET', path: '/skill', key: 'none', discovery: 'skill' },
  health: { method: 'GET', path: '/health', key: 'none', discovery: 'health' },
  discovery: { method: 'GET', path: '/.well-known/chorus.json', key: 'none' },
} as const satisfies Record<string, Endpoint>;

/** `retry`: may the same request be repeated as it is? `later`: after waiting. */
export const TRANSPORT_ERRORS = {
  ERR_VALIDATION: { status: 400, retry: 'no' },
  ERR_SENDER_NOT_REGISTERED: { status: 400, retry: 'no' },
  ERR_UNAUTHORIZED: { status: 401, retry: 'no' },
  ERR_SENDER_MISMATCH: { status: 403, retry: 'no' },
  ERR_AGENT_NOT_FOUND: { status: 404, retry: 'no' },
  ERR_NOT_FOUND: { status: 404, retry: 'no' },
  ERR_METHOD_NOT_ALLOWED: { status: 405, retry: 'no' },
  ERR_AGENT_ID_TAKEN: { status: 409, retry: 'no' },
  ERR_IDEMPOTENCY_CONFLICT: { status: 409, retry: 'no' },
  ERR_TOO_LARGE: { status: 413, retry: 'no' },
  ERR_RATE_LIMITED: { status: 429, retry: 'later' },
  ERR_REGISTRY_FULL: { status: 429, retry: 'no' },
  ERR_MAILBOX_FULL: { status: 429, retry: 'later' },
  ERR_INTERNAL: { status: 500, retry: 'yes' },
  ERR_AGENT_UNREACHABLE: { status: 502, retry: 'yes' },
  ERR_TIMEOUT: { status: 504, retry: 'yes' },
} as const;

export const DELIVERIES = ['delivered_sse', 'delivered', 'queued', 'failed'] as const;
/** What `send` says where no hub gave a delivery. */
export const SEND_OUTCOMES = ['rejected', 'not_sent', 'unknown'] as const;
export const INBOX_EVENTS = ['connected', 'message'] as const;
export const STREAM_EVENTS = ['chunk', 'done', 'error'] as const;

/** The members of every JSON object of the transport, by the object they belong to. */
export const TRANSPORT_FIELDS = {
  answer: ['success', 'data', 'error', 'metadata', 'timestamp', 'next', 'code', 'message'],
  register: ['agent_id', 'agent_card', 'endpoint', 'api_key', 'registration', 'registered_at'],
  card: ['card_version', 'user_culture', 'supported_languages'],
  send: ['receiver_id', 'envelope', 'stream'],
  sent: ['delivery', 'trace_id', 'receiver_response', 'error_code', 'detail'],
  chunk: ['text'],
  message: ['id', 'trace_id', 'sender_id', 'receiver_id', 'envelope', 'timestamp'],
  session: ['session_token'],
  directory: ['agent_id', 'culture', 'languages', 'online'],
  directoryQuery: ['culture', 'language', 'online', 'after', 'limit'],
  discovery: ['chorus_version', 'server_name', 'host', 'since', 'limits', 'endpoints'],
  limits: ['original_text', 'body_bytes'],
} as const;

export const A2A_MEDIA_TYPE = 'application/vnd.chorus.envelope+json';
/** The members of an A2A message that carries an envelope. */
export const A2A_FIELDS = ['messageId', 'role', 'parts', 'mediaType', 'data'] as const;

export const KEY_PREFIX = 'ca_';
export const IDEMPOTENCY_HEADER = 'Idempotency-Key';
export const PUBLIC_HUB = { url: 'https://agchorus.com', host: 'agchorus' } as const;

export const REPLY_MARKER = '[chorus_reply]';
export const LOCAL_REPLY_MARKERS = ['[[reply_to_current]]', '[[reply_to_user]]'] as const;

export const CREDENTIALS_FILE = 'chorus-credentials.json';
export const CREDENTIALS_FIELDS = [
  'agent_id',
  'api_key',
  'hub_url',
  'user_culture',
  'supported_languages',
  'endpoint',
] as const;
/** In the user's own folder, for what belongs to no project. */
export const CREDENTIALS_HOME = '.chorus';
/** How the conversations begin in which `doctor` writes to itself; no message for anybody. */
export const SELF_CHECK_PREFIX = 'doctor-';
export const HISTORY_FOLDER = 'chorus-history';
export const HISTORY_FIELDS = ['ts', 'dir', 'peer', 'trace_id', 'envelope'] as const;
export const HISTORY_DIRECTIONS = ['sent', 'received'] as const;
/** What of the inbox is handled already, so that nothing is delivered twice or lost. */
export const INBOX_FILE = 'chorus-inbox.jsonl';
/** Held by the one process that receives for an identity. */
export const INBOX_LOCK = 'chorus-inbox.lock';
/** Received envelopes that did not validate are kept here, not in the history. */
export const INVALID_FILE = 'chorus-invalid.jsonl';
