import { type Check, pairDocuments } from './document-set.ts';

const describe = (level: number | undefined) => (level ? '#'.repeat(level) : 'no heading');

export const sameHeadings: Check = {
  id: 'same-headings',
  run(set) {
    return pairDocuments(set).flatMap(({ ours, theirs }) => {
      const count = Math.max(ours.sections.length, theirs.sections.length);
      for (let index = 0; index < count; index++) {
        const [our, their] = [ours.sections[index], theirs.sections[index]];
        if (our?.level === their?.level) continue;
        // Past the first difference every heading would differ.
        const line = their?.line ?? theirs.text.split('\n').length;
        const expected = our ? `${describe(our.level)} ${our.title}` : describe(undefined);
        const message = `${describe(their?.level)} where ${ours.file} has "${expected}"`;
        return [{ file: theirs.file, line, message }];
      }
      return [];
    });
  },
};
