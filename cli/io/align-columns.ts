import { measureWidth } from './terminal.ts';

/** Fills the cells of a table, so that every column is as wide as its widest cell. */
export function alignColumns(rows: readonly (readonly string[])[]): string[][] {
  const widths = rows[0]?.map((_, column) =>
    Math.max(...rows.map((row) => measureWidth(row[column] ?? ''))),
  );
  return rows.map((row) =>
    row.map((cell, column) => cell + ' '.repeat((widths?.[column] ?? 0) - measureWidth(cell))),
  );
}
