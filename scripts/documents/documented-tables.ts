import * as protocol from '../../cli/protocol/constants.ts';
import { type Check, listDocuments } from './document-set.ts';
import { type Row, spansOf } from './parse-document.ts';
import { KEY_WORDS, RETRY_WORDS } from './words.ts';

interface Expected {
  file: string;
  /** What the row is known by, in the column of that number. */
  column: number;
  code: string;
  /** For other columns of the row, the texts that say what the constant says. */
  cells: Readonly<Record<number, readonly string[]>>;
}

const EXPECTED: readonly Expected[] = [
  ...Object.values(protocol.ENDPOINTS).map(({ method, path, key }) => ({
    file: 'TRANSPORT.md',
    column: 1,
    code: `${method} ${path}`,
    cells: { 2: KEY_WORDS[key] },
  })),
  ...Object.entries(protocol.TRANSPORT_ERRORS).map(([code, { status, retry }]) => ({
    file: 'TRANSPORT.md',
    column: 0,
    code,
    cells: { 1: [String(status)], 2: RETRY_WORDS[retry] },
  })),
  ...protocol.REQUIRED_ENVELOPE_FIELDS.map((code) => ({
    file: 'PROTOCOL.md',
    column: 0,
    code,
    cells: { 1: ['MUST'] },
  })),
  ...protocol.OPTIONAL_ENVELOPE_FIELDS.map((code) => ({
    file: 'PROTOCOL.md',
    column: 0,
    code,
    cells: { 1: ['MAY'] },
  })),
  ...protocol.PROTOCOL_ERRORS.map((code) => ({ file: 'PROTOCOL.md', column: 0, code, cells: {} })),
  ...['SKILL.md', 'TRANSPORT.md'].flatMap((file) =>
    protocol.DELIVERIES.map((code) => ({ file, column: 0, code, cells: {} })),
  ),
];

function describeProblem({ column, code, cells }: Expected, rows: Row[]) {
  const row = rows.find((r) => {
    const cell = r.cells[column] ?? '';
    return cell === `\`${code}\`` && spansOf(cell).length === 1;
  });
  if (!row) return { line: 1, message: `no table has a row for \`${code}\`` };
  for (const [index, texts] of Object.entries(cells)) {
    const found = row.cells[Number(index)] ?? '';
    if (texts.includes(found)) continue;
    return { line: row.line, message: `\`${code}\` has "${found}" instead of "${texts[0]}"` };
  }
  return undefined;
}

export const documentedTables: Check = {
  id: 'documented-tables',
  run(set) {
    return listDocuments(set).flatMap(({ name, file, sections }) => {
      const rows = sections.flatMap(({ tables }) => tables.flat());
      return EXPECTED.filter((expected) => expected.file === name).flatMap((expected) => {
        const problem = describeProblem(expected, rows);
        return problem ? [{ file, ...problem }] : [];
      });
    });
  },
};
