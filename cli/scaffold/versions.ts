/** Below zero when `a` is the older one; by the numbers, then a pre-release before its release. */
export function compareVersions(a: string, b: string): number {
  const [numbersA, preA] = parse(a);
  const [numbersB, preB] = parse(b);
  for (let index = 0; index < 3; index++) {
    const difference = (numbersA[index] ?? 0) - (numbersB[index] ?? 0);
    if (difference !== 0) return difference;
  }
  if (preA === preB) return 0;
  if (preA === '' || preB === '') return preA === '' ? 1 : -1;
  return preA.localeCompare(preB, 'en', { numeric: true });
}

function parse(version: string): [numbers: number[], preRelease: string] {
  const [, numbers = '', pre = ''] = /^(\d+(?:\.\d+)*)(?:-([\w.-]+))?/.exec(version) ?? [];
  return [numbers.split('.').map(Number), pre];
}
