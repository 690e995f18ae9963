import { type Check, pairSections } from './document-set.ts';
import { type Row, spansOf } from './parse-document.ts';

function compareRows(ours: Row, theirs: Row): string | undefined {
  if (ours.cells.length !== theirs.cells.length) {
    return `${theirs.cells.length} columns instead of ${ours.cells.length}`;
  }
  const [expected, found] = [ours, theirs].map((row) => spansOf(row.cells[0] ?? '').join(', '));
  return expected === found
    ? undefined
    : `the first column has \`${found}\` instead of \`${expected}\``;
}

export const sameTables: Check = {
  id: 'same-tables',
  run(set) {
    return pairSections(set).flatMap(({ file, ours, theirs }) => {
      if (ours.tables.length !== theirs.tables.length) {
        const message = `${theirs.tables.length} tables instead of ${ours.tables.length}`;
        return [{ file, line: theirs.line, message }];
      }
      return ours.tables.flatMap((our, index) => {
        const their = theirs.tables[index] ?? [];
        if (our.length !== their.length) {
          const message = `the table has ${their.length} rows instead of ${our.length}`;
          return [{ file, line: their[0]?.line ?? theirs.line, message }];
        }
        return our.flatMap((row, at) => {
          const other = their[at];
          const message = other && compareRows(row, other);
          return message ? [{ file, line: other.line, message }] : [];
        });
      });
    });
  },
};
