import { type Check, pairSections } from './document-set.ts';
import type { Section } from './parse-document.ts';

// Anchors follow the translated headings; links-resolve follows them.
const targets = (section: Section): string[] =>
  section.links.map(({ text }) => text.replace(/#.*$/, '#')).sort();

export const sameLinks: Check = {
  id: 'same-links',
  run(set) {
    return pairSections(set).flatMap(({ file, ours, theirs }) => {
      // Order may differ: a translation puts its words where its grammar wants them.
      const [expected, found] = [targets(ours).join(', '), targets(theirs).join(', ')];
      if (expected === found) return [];
      const message = `"${theirs.title}" links to (${found}) instead of (${expected})`;
      return [{ file, line: theirs.line, message }];
    });
  },
};
