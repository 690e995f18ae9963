import { type Check, pairSections } from './document-set.ts';
import { matchProse, type Section } from './parse-document.ts';
import { REQUIREMENT_WORDS } from './words.ts';

function countWords(section: Section): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { match } of matchProse(section.prose, REQUIREMENT_WORDS)) {
    const word = match[0].replace(/\s+/g, ' ');
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return counts;
}

export const sameKeywords: Check = {
  id: 'same-keywords',
  run(set) {
    return pairSections(set).flatMap(({ file, ours, theirs }) => {
      const [expected, found] = [countWords(ours), countWords(theirs)];
      return [...new Set([...expected.keys(), ...found.keys()])].flatMap((word) => {
        const [want, have] = [expected.get(word) ?? 0, found.get(word) ?? 0];
        if (want === have) return [];
        const message = `${word} stands ${have} times in "${theirs.title}" instead of ${want}`;
        return [{ file, line: theirs.line, message }];
      });
    });
  },
};
