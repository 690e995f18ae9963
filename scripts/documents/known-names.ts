import { lineOfKey, listMembers, splitBlock } from './block-json.ts';
import { type Check, listDocuments } from './document-set.ts';
import { FIELDS, LITERALS, NAMES } from './facts.ts';
import type { Located, Section } from './parse-document.ts';

const WORD = /^[a-z]+$/;
const DOTTED = /^[a-z_]+(?:\.[a-z_]+)+$/;
const SNAKE = /[a-z]+(?:_[a-z]+)+/g;
const KEY = /"([A-Za-z_]+)"\s*:/g;
const QUOTED = /^"([^"]*)"$/;
const QUERY = /(?:^|[?&])([a-z_]+)=/g;

const listQuery = (text: string): string[] =>
  [...text.matchAll(QUERY)].map((match) => match[1] ?? '');

function listNames(code: string): string[] {
  const span = code.replace(QUOTED, '$1');
  if (LITERALS.includes(span) || NAMES.has(span)) return [];
  if (WORD.test(span)) return [span];
  if (DOTTED.test(span)) return span.split('.');
  const keys = [...span.matchAll(KEY)].map((match) => match[1] ?? '');
  return [...keys, ...listQuery(span), ...(span.match(SNAKE) ?? [])];
}

function listUnknown(section: Section): Located[] {
  const spans = section.spans.flatMap(({ text, line }) =>
    listNames(text)
      .filter((name) => !NAMES.has(name))
      .map((name) => ({ text: name, line })),
  );
  const keys = section.blocks
    .flatMap((block) => splitBlock(block).json)
    .flatMap((json) =>
      listMembers(json.value)
        .filter(({ key }) => !FIELDS.has(key))
        .map(({ key }) => ({ text: key, line: lineOfKey(json, key) })),
    );
  const queries = section.blocks
    .filter(({ info }) => info === 'http')
    .flatMap(({ lines, line }) =>
      listQuery(lines[0] ?? '').map((text) => ({ text, line: line + 1 })),
    )
    .filter(({ text }) => !FIELDS.has(text));
  return [...spans, ...keys, ...queries];
}

/** Fields, deliveries and events; what is right without being one is listed in facts.ts. */
export const knownNames: Check = {
  id: 'known-names',
  run(set) {
    return listDocuments(set).flatMap(({ file, sections }) =>
      sections.flatMap(listUnknown).map(({ text, line }) => ({
        file,
        line,
        message: `no field, delivery or event is called \`${text}\``,
      })),
    );
  },
};
