import { lineOfKey, listMembers, splitBlock } from './block-json.ts';
import { type Check, listDocuments } from './document-set.ts';
import { FIELDS, LITERALS, NAMES } from './facts.ts';
import type { Located, Section } from './parse-document.ts';

const WORD = /^[a-z]+$/;
const DOTTED = /^[a-z_]+(?:\.[a-z_]+)+$/;
const SNAKE = /[a-z]+(?:_[a-z]+)+/g;
const KEY = /"([A-Za-z_]+)"\s*:/g;

function listNames(span: string): string[] {
  if (LITERALS.includes(span) || NAMES.has(span)) return [];
  if (WORD.test(span)) return [span];
  if (DOTTED.test(span)) return span.split('.');
  const keys = [...span.matchAll(KEY)].map((match) => match[1] ?? '');
  return [...keys, ...(span.match(SNAKE) ?? [])];
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
  return [...spans, ...keys];
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
