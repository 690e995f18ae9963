import { type Check, pairSections } from './document-set.ts';
import { matchProse, type Section } from './parse-document.ts';

// Not 1, which a language may write as a word; nor the order, which is its grammar's.
const numbersIn = (section: Section): string =>
  matchProse(section.prose, /\d+(?:[.,]\d+)*/g)
    .map(({ match }) => match[0])
    .filter((number) => number !== '1')
    .sort()
    .join(', ');

/** Steps, sections referred to, exit codes, statuses, limits: a translation has the same. */
export const sameNumbers: Check = {
  id: 'same-numbers',
  run(set) {
    return pairSections(set).flatMap(({ file, ours, theirs }) => {
      const [expected, found] = [numbersIn(ours), numbersIn(theirs)];
      if (expected === found) return [];
      const message = `"${theirs.title}" has the numbers (${found}) instead of (${expected})`;
      return [{ file, line: theirs.line, message }];
    });
  },
};
