/** The candidate that differs least from the word, if it is close enough to be a typo of it. */
export function findNearest(word: string, candidates: readonly string[]): string | undefined {
  const lower = word.toLowerCase();
  // Somebody who stops early (`--dry`) or gives a part (`cn`) means the whole of it.
  const whole = candidates.find(
    (it) =>
      (word.length > 3 && it.startsWith(word)) ||
      (word !== '' && it.toLowerCase().split('-').includes(lower)),
  );
  if (whole !== undefined) return whole;
  let nearest: string | undefined;
  let best = Number.POSITIVE_INFINITY;
  for (const candidate of candidates) {
    const limit = Math.max(1, candidate.length / 3);
    // No fewer edits than that; to count them costs much more.
    if (Math.abs(word.length - candidate.length) > limit) continue;
    const distance = editDistance(lower, candidate.toLowerCase());
    if (distance < best && distance <= limit) {
      nearest = candidate;
      best = distance;
    }
  }
  return nearest;
}

/** Insertions, deletions, substitutions and swaps of neighbours that turn a into b. */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1];
      let cost = Math.min(
        at(last, column) + 1,
        at(current, column - 1) + 1,
        at(last, column - 1) + (same ? 0 : 1),
      );
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) {
        cost = Math.min(cost, at(beforeLast, column - 2) + 1);
      }
      current.push(cost);
    }
    beforeLast = last;
    last = current;
  }
  return at(last, b.length);
}

function at(row: number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY;
}
