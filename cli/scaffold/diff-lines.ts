const CONTEXT = 3;
/** As every tool writes it, so that `patch` understands it. */
const NO_NEWLINE = '\\ No newline at end of file';
/** Beyond this the table that finds the common lines would take too long. */
const MAX_TABLE = 4_000_000;

interface Step {
  sign: ' ' | '-' | '+';
  line: string;
}

/** What turns one text into another, as a unified diff. */
export function diffLines(name: string, before: string, after: string): string {
  const steps = findSteps(splitLines(before), splitLines(after));
  const lines = [`--- ${name}`, `+++ ${name}`];
  let [oldLine, newLine] = [1, 1];
  const starts = steps.map(({ sign }) => {
    const start = [oldLine, newLine] as const;
    if (sign !== '+') oldLine++;
    if (sign !== '-') newLine++;
    return start;
  });
  for (const [first, last] of findHunks(steps)) {
    const hunk = steps.slice(first, last + 1);
    const [oldStart, newStart] = starts[first] ?? [1, 1];
    const oldSize = hunk.filter(({ sign }) => sign !== '+').length;
    const newSize = hunk.filter(({ sign }) => sign !== '-').length;
    // Where a side has no lines, the number is that of the line before.
    const at = (start: number, size: number) => `${size === 0 ? start - 1 : start},${size}`;
    lines.push(`@@ -${at(oldStart, oldSize)} +${at(newStart, newSize)} @@`);
    lines.push(...hunk.map(({ sign, line }) => sign + line));
  }
  return lines.length === 2 ? '' : `${lines.join('\n')}\n`;
}

function splitLines(text: string): string[] {
  const lines = text.split('\n');
  const last = lines.pop();
  return last === '' || last === undefined ? lines : [...lines, `${last}\n${NO_NEWLINE}`];
}

/** The lines that both have stay; what is between them goes and comes. */
function findSteps(before: readonly string[], after: readonly string[]): Step[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let end = 0;
  while (
    end < Math.min(before.length, after.length) - start &&
    before[before.length - 1 - end] === after[after.length - 1 - end]
  ) {
    end++;
  }
  const same = (line: string): Step => ({ sign: ' ', line });
  return [
    ...before.slice(0, start).map(same),
    ...compare(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...before.slice(before.length - end).map(same),
  ];
}

/** By the longest common subsequence. */
function compare(before: readonly string[], after: readonly string[]): Step[] {
  const width = after.length + 1;
  const isLarge = (before.length + 1) * width > MAX_TABLE;
  const common = new Uint32Array(isLarge ? 0 : (before.length + 1) * width);
  const at = (row: number, column: number) => common[row * width + column] ?? 0;
  for (let row = before.length - 1; row >= 0 && !isLarge; row--) {
    for (let column = after.length - 1; column >= 0; column--) {
      common[row * width + column] =
        before[row] === after[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  const steps: Step[] = [];
  let [row, column] = [0, 0];
  while (row < before.length || column < after.length) {
    const [old, now] = [before[row], after[column]];
    if (old !== undefined && old === now && !isLarge) {
      steps.push({ sign: ' ', line: old });
      row++;
      column++;
    } else if (
      old !== undefined &&
      (now === undefined || at(row + 1, column) >= at(row, column + 1))
    ) {
      steps.push({ sign: '-', line: old });
      row++;
    } else if (now !== undefined) {
      steps.push({ sign: '+', line: now });
      column++;
    }
  }
  return steps;
}

/** Changes with a little of what is around them; close ones together. */
function findHunks(steps: readonly Step[]): [first: number, last: number][] {
  const hunks: [number, number][] = [];
  steps.forEach(({ sign }, index) => {
    if (sign === ' ') return;
    const first = Math.max(0, index - CONTEXT);
    const last = Math.min(steps.length - 1, index + CONTEXT);
    const open = hunks.at(-1);
    if (open !== undefined && first <= open[1] + 1) open[1] = last;
    else hunks.push([first, last]);
  });
  return hunks;
}
