import { LIMITS } from '../../cli/protocol/constants.ts';
import { type Check, listDocuments } from './document-set.ts';
import { NUMBER_PHRASES, STATUSES, VERSIONS } from './facts.ts';
import { type Located, matchProse, type Section } from './parse-document.ts';
import { LIMIT_PHRASES, SECTION_REFERENCE } from './words.ts';

export const parseNumber = (text: string): number => Number(text.replaceAll(',', ''));

/** Numbers that may stand alone: a turn, a status, a version. */
const isKnown = (text: string): boolean =>
  parseNumber(text) === LIMITS.turnNumberMin ||
  VERSIONS.includes(text) ||
  STATUSES.has(Number(text));

function listUnknown(section: Section): Located[] {
  const known = [...Object.values(LIMIT_PHRASES), SECTION_REFERENCE, NUMBER_PHRASES];
  let text = section.prose.map((line) => line.text.replace(/^\s*(?:#+ )?\d+\. /, '')).join('\n');
  for (const phrase of known) text = text.replace(phrase, (m) => m.replace(/[^\n]/g, ' '));
  const prose = text
    .split('\n')
    .map((line, i) => ({ text: line, line: section.prose[i]?.line ?? 1 }));
  const alone = matchProse(prose, /(?<![A-Za-z\d.])\d+(?:[.,]\d+)*/g);
  const inCode = section.spans.flatMap(({ text, line }) => {
    const number = /^("?)(\d{3}|\d+\.\d+)\1$/.exec(text)?.[2];
    return number === undefined ? [] : [{ text: number, line }];
  });
  return [...alone.map(({ match, line }) => ({ text: match[0], line })), ...inCode].filter(
    (number) => !isKnown(number.text),
  );
}

/** Limits aside: documented-limits knows which stand where. */
export const knownNumbers: Check = {
  id: 'known-numbers',
  run(set) {
    return listDocuments(set).flatMap(({ file, sections }) =>
      sections.flatMap(listUnknown).map(({ text, line }) => ({
        file,
        line,
        message: `neither a limit, a status, a version nor a listed number: ${text}`,
      })),
    );
  },
};
