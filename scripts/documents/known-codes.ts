import { type Check, listDocuments } from './document-set.ts';
import { CODES, EXTRA_CODES } from './facts.ts';

// Any line counts, fenced or not: a code is a code wherever it stands.
const CODE = /\b[A-Z]+(?:_[A-Z0-9]+)+\b/g;

export const knownCodes: Check = {
  id: 'known-codes',
  run(set) {
    return listDocuments(set).flatMap(({ file, text }) =>
      text.split('\n').flatMap((content, index) =>
        (content.match(CODE) ?? [])
          .filter((code) => !CODES.has(code) && !EXTRA_CODES.includes(code))
          .map((code) => ({
            file,
            line: index + 1,
            message: `no such error code: ${code}`,
          })),
      ),
    );
  },
};
