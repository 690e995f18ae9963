import { CliError, type ErrorArgs, type ErrorCode } from '../errors.ts';
import { parseHubUrl } from '../hub-client/hub-url.ts';
import { isRecord } from '../json/is-record.ts';
import { ADDRESS_PATTERN, CREDENTIALS_FIELDS, CULTURE_PATTERN } from '../protocol/constants.ts';

/** Who we are on a hub. */
export interface Credentials {
  agent_id: string;
  api_key: string;
  hub_url: string;
  user_culture?: string;
  supported_languages?: readonly string[];
  /** Where the hub delivers to, if it does. */
  endpoint?: string;
  /** What other tools keep in the file, so that it is not lost when the file is written again. */
  others: Readonly<Record<string, unknown>>;
}

type Damage = Extract<ErrorCode, `credentials-${string}`>;

/** The content of a credentials file; throws what is wrong with it, never with the key in it. */
export function parseCredentials(text: string, path: string): Credentials {
  const wrong = (code: Damage, args: ErrorArgs = {}) => new CliError(code, { path, ...args });
  const value = parseObject(text);
  if (value === undefined) throw wrong('credentials-not-json');
  const read = (field: 'agent_id' | 'api_key' | 'hub_url', isRight: (text: string) => boolean) => {
    const given = value[field];
    if (given === undefined || given === '') throw wrong('credentials-field-missing', { field });
    if (typeof given !== 'string' || !isRight(given)) throw wrong('credentials-field', { field });
    return given;
  };
  const { user_culture: culture, supported_languages: languages, endpoint } = value;
  const { agent_id: _, api_key: _key, hub_url: _url, ...rest } = value;
  return {
    agent_id: read('agent_id', (id) => new RegExp(ADDRESS_PATTERN).test(id)),
    api_key: read('api_key', isKey),
    hub_url: read('hub_url', isHubUrl),
    ...(isCulture(culture) ? { user_culture: culture } : {}),
    ...(Array.isArray(languages) ? { supported_languages: languages.filter(isCulture) } : {}),
    ...(typeof endpoint === 'string' ? { endpoint } : {}),
    others: omitKnown(rest),
  };
}

/** In the order in which people and other tools expect the fields. */
export function formatCredentials({ others, ...known }: Credentials): string {
  const ordered = CREDENTIALS_FIELDS.flatMap((field) =>
    known[field] === undefined ? [] : [[field, known[field]]],
  );
  return `${JSON.stringify({ ...Object.fromEntries(ordered), ...others }, null, 2)}\n`;
}

/** Something that can stand in a header: no blank, no line break, nothing but visible ASCII. */
export function isKey(text: string): boolean {
  return /^[\x21-\x7e]{1,512}$/.test(text);
}

/** The only part of a key that is ever shown; nothing of a key too short to hide the rest. */
export function maskKey(key: string): string {
  return key.length >= 12 ? `…${key.slice(-4)}` : '…';
}

/** The hub's address in a file that is no longer whole, if that much can be read. */
export function salvageHubUrl(text: string): string | undefined {
  const [, url = ''] = /"hub_url"\s*:\s*"([^"\\]+)"/.exec(text) ?? [];
  return isHubUrl(url) ? url : undefined;
}

function isHubUrl(text: string): boolean {
  try {
    parseHubUrl(text, { insecure: true });
    return true;
  } catch {
    return false;
  }
}

function isCulture(value: unknown): value is string {
  return typeof value === 'string' && new RegExp(CULTURE_PATTERN).test(value);
}

function omitKnown(value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const known: readonly string[] = CREDENTIALS_FIELDS;
  return Object.fromEntries(Object.entries(value).filter(([name]) => !known.includes(name)));
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    // Editors on Windows like to put a mark at the beginning.
    const value: unknown = JSON.parse(text.replace(/^\ufeff/, ''));
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
