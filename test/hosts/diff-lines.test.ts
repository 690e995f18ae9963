import fc from 'fast-check';
import { expect, it } from 'vitest';
import { diffLines } from '../../cli/scaffold/diff-lines.ts';

/** Applies a unified diff, checking every line that it says is there. */
function applyDiff(before: readonly string[], diff: string): string[] {
  const result: string[] = [];
  let at = 0;
  for (const line of diff.split('\n').slice(2, -1)) {
    const hunk = /^@@ -(\d+),(\d+) \+(\d+),(\d+) @@$/.exec(line);
    if (hunk) {
      const start = Number(hunk[1]) - (hunk[2] === '0' ? 0 : 1);
      result.push(...before.slice(at, start));
      at = start;
      expect(result.length).toBe(Number(hunk[3]) - (hunk[4] === '0' ? 0 : 1));
    } else if (line[0] !== '\\') {
      if (line[0] !== '+') expect(before[at++]).toBe(line.slice(1));
      if (line[0] !== '-') result.push(line.slice(1));
    }
  }
  return [...result, ...before.slice(at)];
}

it('turns one text into the other, whatever they are', () => {
  const lines = fc.array(fc.constantFrom('a', 'b', 'c', 'd', ''), { maxLength: 30 });
  fc.assert(
    fc.property(lines, lines, (before, after) => {
      const text = (it: readonly string[]) => it.map((line) => `${line}\n`).join('');
      const diff = diffLines('x', text(before), text(after));
      if (diff === '') expect(after).toEqual(before);
      else expect(applyDiff(before, diff)).toEqual(after);
    }),
    { numRuns: 2000 },
  );
});

it('shows a little of what is around a change, and no more', () => {
  const before = Array.from({ length: 40 }, (_, index) => `line ${index + 1}`);
  const after = before.map((line) => (line === 'line 20' ? 'changed' : line));
  expect(diffLines('x', before.join('\n'), after.join('\n')).split('\n').slice(2, -1)).toEqual([
    '@@ -17,7 +17,7 @@',
    ' line 17',
    ' line 18',
    ' line 19',
    '-line 20',
    '+changed',
    ' line 21',
    ' line 22',
    ' line 23',
  ]);
});

it('of texts too large to compare is still right', () => {
  const text = (word: string) => Array.from({ length: 5000 }, (_, it) => `${word} ${it}`);
  const diff = diffLines('x', text('a').join('\n'), text('b').join('\n'));
  expect(applyDiff(text('a'), diff)).toEqual(text('b'));
});

it('tells a missing end of line', () => {
  expect(diffLines('x', 'a\nb', 'a\nb\n').split('\n').slice(3)).toEqual([
    ' a',
    '-b',
    '\\ No newline at end of file',
    '+b',
    '',
  ]);
});

it('leaves in place what both texts have', () => {
  const diff = diffLines('x', '1\na\n2\nb\n3\n', '9\na\n8\nb\n7\n');
  expect(diff.split('\n').filter((line) => line.startsWith(' '))).toEqual([' a', ' b']);
});
