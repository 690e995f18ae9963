import { type Check, pathOf, REFERENCE } from './document-set.ts';

/** The skill and what it links to; without them there is nothing to check. */
const NEEDED = ['SKILL.md', 'PROTOCOL.md', 'TRANSPORT.md'];

export const sameFiles: Check = {
  id: 'same-files',
  run({ languages }) {
    const reference = [...(languages.get(REFERENCE)?.keys() ?? [])];
    const expected = new Set([...NEEDED, ...reference]);
    const folders = new Set([REFERENCE, ...languages.keys()]);
    return [...folders].flatMap((language) => {
      const names = new Set(languages.get(language)?.keys());
      const missing = [...expected].filter((name) => !names.has(name));
      const extra = [...names].filter((name) => !expected.has(name));
      return [
        ...missing.map((name) => ({ name, message: 'the file is missing' })),
        ...extra.map((name) => ({ name, message: `there is no such file in ${REFERENCE}` })),
      ].map(({ name, message }) => ({ file: pathOf(language, name), line: 1, message }));
    });
  },
};
