import * as protocol from '../../cli/protocol/constants.ts';
import { type Check, type Document, listDocuments } from './document-set.ts';

/** Which document must name which constants, as code. */
const NAMED: Readonly<Record<string, readonly string[]>> = {
  'PROTOCOL.md': [
    protocol.PROTOCOL_VERSION,
    protocol.ADDRESS_PATTERN,
    protocol.CULTURE_PATTERN,
    ...protocol.REQUIRED_ENVELOPE_FIELDS,
    ...protocol.OPTIONAL_ENVELOPE_FIELDS,
    ...Object.entries(protocol.LEGACY_ENVELOPE_FIELDS).flat(),
    ...protocol.RESPONSE_FIELDS,
    ...protocol.PROTOCOL_ERRORS,
  ],
  'SKILL.md': [
    protocol.PUBLIC_HUB.url,
    `@${protocol.PUBLIC_HUB.host}`,
    protocol.CARD_VERSION,
    protocol.IDEMPOTENCY_HEADER,
    protocol.REPLY_MARKER,
    ...protocol.LOCAL_REPLY_MARKERS,
    protocol.CREDENTIALS_FILE,
    ...protocol.CREDENTIALS_FIELDS,
    `${protocol.HISTORY_FOLDER}/`,
    ...protocol.HISTORY_FIELDS,
    ...protocol.HISTORY_DIRECTIONS,
    protocol.INVALID_FILE,
    protocol.INBOX_FILE,
    ...protocol.DELIVERIES,
    ...protocol.SEND_OUTCOMES,
  ],
  'TRANSPORT.md': [
    protocol.CARD_VERSION,
    protocol.KEY_PREFIX,
    protocol.IDEMPOTENCY_HEADER,
    protocol.A2A_MEDIA_TYPE,
    ...protocol.A2A_FIELDS,
    ...protocol.DELIVERIES,
    ...protocol.INBOX_EVENTS,
    ...protocol.STREAM_EVENTS,
    ...Object.values(protocol.TRANSPORT_FIELDS).flat(),
    ...Object.values(protocol.ENDPOINTS).flatMap((e) => ('discovery' in e ? [e.discovery] : [])),
  ],
};

const IDENTIFIER = /^\w+$/;

function createLookup({ sections }: Document): (name: string) => boolean {
  const code = sections.flatMap(({ spans, blocks }) => [
    ...spans.map(({ text }) => text),
    ...blocks.flatMap(({ lines }) => lines),
  ]);
  const words = new Set(code.flatMap((text) => text.match(/\w+/g) ?? []));
  // `done` must not be found in `abandoned`; a pattern or a file name can only be itself.
  return (name) =>
    IDENTIFIER.test(name) ? words.has(name) : code.some((text) => text.includes(name));
}

export const documentedNames: Check = {
  id: 'documented-names',
  run(set) {
    return Object.entries(NAMED).flatMap(([name, constants]) =>
      listDocuments(set, name).flatMap((document) => {
        const has = createLookup(document);
        return [...new Set(constants)]
          .filter((constant) => !has(constant))
          .map((constant) => ({
            file: document.file,
            line: 1,
            message: `does not document \`${constant}\``,
          }));
      }),
    );
  },
};
