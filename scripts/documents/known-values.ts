import * as protocol from '../../cli/protocol/constants.ts';
import { type Json, lineOfKey, listMembers, splitBlock } from './block-json.ts';
import { type Check, listDocuments } from './document-set.ts';
import { CODES, DISCOVERY_PATHS, EXTRA_HEADERS, STATUSES } from './facts.ts';
import type { Block, Located } from './parse-document.ts';

const HUB_LIMITS = {
  original_text: protocol.COMMON_HUB_LIMITS.originalTextUtf16,
  body_bytes: protocol.COMMON_HUB_LIMITS.bodyBytes,
};

/** What the value of a key may be, where that is a fact. */
const VALUES: Readonly<Record<string, (value: Json) => boolean>> = {
  chorus_version: (value) => value === protocol.PROTOCOL_VERSION,
  card_version: (value) => value === protocol.CARD_VERSION,
  status: (value) => value === 'ok' || value === 'error',
  error_code: (value) => CODES.has(String(value)),
  code: (value) => Object.keys(protocol.TRANSPORT_ERRORS).includes(String(value)),
  delivery: (value) => protocol.DELIVERIES.some((delivery) => delivery === value),
  dir: (value) => protocol.HISTORY_DIRECTIONS.some((direction) => direction === value),
  mediaType: (value) => value === protocol.A2A_MEDIA_TYPE,
  api_key: (value) => String(value).startsWith(protocol.KEY_PREFIX),
  limits: (value) => JSON.stringify(value) === JSON.stringify(HUB_LIMITS),
  endpoints: (value) =>
    JSON.stringify(value) === JSON.stringify(Object.fromEntries(DISCOVERY_PATHS)),
};

const EVENTS: readonly string[] = [...protocol.INBOX_EVENTS, ...protocol.STREAM_EVENTS];
const HEADERS: readonly string[] = [protocol.IDEMPOTENCY_HEADER, ...EXTRA_HEADERS];

function isKnownLine(text: string, info: string): boolean {
  const event = /^event: (.*)$/.exec(text)?.[1];
  if (event !== undefined) return EVENTS.includes(event);
  if (info !== 'http') return true;
  const status = /^HTTP\/1\.1 (\d+)/.exec(text)?.[1];
  if (status !== undefined) return STATUSES.has(Number(status));
  const header = /^([A-Za-z-]+): /.exec(text)?.[1];
  return header === undefined || HEADERS.includes(header);
}

function listUnknown(block: Block): Located[] {
  const { plain, json } = splitBlock(block);
  const members = json.flatMap((piece) =>
    listMembers(piece.value)
      .filter(({ key, value }) => VALUES[key]?.(value) === false)
      .map(({ key, value }) => ({
        text: `"${key}": ${JSON.stringify(value)}`,
        line: lineOfKey(piece, key),
      })),
  );
  return [...plain.filter(({ text }) => !isKnownLine(text, block.info)), ...members];
}

export const knownValues: Check = {
  id: 'known-values',
  run(set) {
    return listDocuments(set).flatMap(({ file, sections }) =>
      sections
        .flatMap(({ blocks }) => blocks.flatMap(listUnknown))
        .map(({ text, line }) => ({ file, line, message: `not what the protocol says: ${text}` })),
    );
  },
};
