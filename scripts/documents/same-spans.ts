import { type Check, pairSections } from './document-set.ts';
import type { Section } from './parse-document.ts';

const spansIn = (section: Section): Set<string> => new Set(section.spans.map(({ text }) => text));

/** A translation names the same things in each section, however often. */
export const sameSpans: Check = {
  id: 'same-spans',
  run(set) {
    return pairSections(set).flatMap(({ file, ours, theirs }) => {
      const [expected, found] = [spansIn(ours), spansIn(theirs)];
      const missing = [...expected].filter((span) => !found.has(span));
      const extra = theirs.spans.filter(({ text }) => !expected.has(text));
      return [
        ...missing.map((span) => ({
          file,
          line: theirs.line,
          message: `"${theirs.title}" does not name \`${span}\``,
        })),
        ...extra.map(({ text, line }) => ({
          file,
          line,
          message: `\`${text}\` is not in this section of the reference`,
        })),
      ];
    });
  },
};
