import { isRecord } from '../json/is-record.ts';

/** What the hub's answers carry, as far as we rely on it. Each `parse*` gives nothing for another shape. */

export interface DiscoveryDocument {
  chorus_version?: string;
  server_name?: string;
  /** What addresses on this hub end in. */
  host?: string;
  /** How `since` counts, where the hub says so. */
  since?: string;
  limits?: { original_text?: number; body_bytes?: number };
  endpoints: Readonly<Record<string, string>>;
}

export interface Registration {
  agent_id: string;
  api_key: string;
  registered_at?: string;
}

export interface DirectoryEntry {
  agent_id: string;
  culture?: string;
  languages: readonly string[];
  online?: boolean;
}

export interface SendResult {
  delivery: string;
  trace_id?: string;
  error_code?: string;
  detail?: string;
  receiver_response?: unknown;
}

export interface HistoryMessage {
  id?: number;
  trace_id?: string;
  sender_id?: string;
  receiver_id?: string;
  timestamp?: string;
  envelope: unknown;
}

export function parseDiscovery(value: unknown): DiscoveryDocument | undefined {
  if (!isRecord(value)) return undefined;
  const limits = isRecord(value.limits) ? value.limits : {};
  const endpoints = isRecord(value.endpoints) ? value.endpoints : {};
  return {
    ...pickTexts(value, ['chorus_version', 'server_name', 'host', 'since']),
    limits: pickNumbers(limits, ['original_text', 'body_bytes']),
    endpoints: pickTexts(endpoints, Object.keys(endpoints)) as Record<string, string>,
  };
}

export function parseRegistration(value: unknown): Registration | undefined {
  if (!isRecord(value) || !isRecord(value.registration ?? {})) return undefined;
  const { agent_id, api_key, registration = {} } = value;
  if (typeof agent_id !== 'string' || typeof api_key !== 'string') return undefined;
  return { agent_id, api_key, ...pickTexts(registration as Fields, ['registered_at']) };
}

/** An entry of the directory, or an agent's full record, which keeps the same in its card. */
export function parseAgent(value: unknown): DirectoryEntry | undefined {
  if (!isRecord(value) || typeof value.agent_id !== 'string') return undefined;
  const card = isRecord(value.agent_card) ? value.agent_card : {};
  const culture = value.culture ?? card.user_culture;
  const languages = value.languages ?? card.supported_languages;
  return {
    agent_id: value.agent_id,
    ...(typeof culture === 'string' ? { culture } : {}),
    languages: Array.isArray(languages) ? languages.filter((it) => typeof it === 'string') : [],
    ...(typeof value.online === 'boolean' ? { online: value.online } : {}),
  };
}

export function parseDirectory(value: unknown): DirectoryEntry[] | undefined {
  return readList(value, 'agents')?.flatMap((entry) => parseAgent(entry) ?? []);
}

export function parseSendResult(value: unknown): SendResult | undefined {
  if (!isRecord(value) || typeof value.delivery !== 'string') return undefined;
  const { delivery, receiver_response } = value;
  return {
    delivery,
    ...pickTexts(value, ['trace_id', 'error_code', 'detail']),
    ...(receiver_response === undefined ? {} : { receiver_response }),
  };
}

export function parseHistory(value: unknown): HistoryMessage[] | undefined {
  return readList(value, 'messages')
    ?.filter(isRecord)
    .map((entry) => ({
      ...pickNumbers(entry, ['id']),
      ...pickTexts(entry, ['trace_id', 'sender_id', 'receiver_id', 'timestamp']),
      envelope: entry.envelope,
    }));
}

export function parseSession(value: unknown): string | undefined {
  const token = isRecord(value) ? value.session_token : undefined;
  return typeof token === 'string' && token !== '' ? token : undefined;
}

type Fields = Readonly<Record<string, unknown>>;

function readList(value: unknown, name: string): unknown[] | undefined {
  const list = isRecord(value) ? value[name] : value;
  return Array.isArray(list) ? list : undefined;
}

function pickTexts<Name extends string>(fields: Fields, names: readonly Name[]) {
  return pick<Name, string>(fields, names, (value) => typeof value === 'string');
}

function pickNumbers<Name extends string>(fields: Fields, names: readonly Name[]) {
  return pick<Name, number>(fields, names, Number.isSafeInteger);
}

function pick<Name extends string, Value>(
  fields: Fields,
  names: readonly Name[],
  isValue: (value: unknown) => boolean,
): { [name in Name]?: Value } {
  const kept = names.filter((name) => isValue(fields[name]));
  return Object.fromEntries(kept.map((name) => [name, fields[name]])) as { [name in Name]?: Value };
}
