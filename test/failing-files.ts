import nodeFs from 'node:fs';
import type { FileSystem } from '../cli/io/files.ts';

/** The calls that change something, or make a change durable. */
const CHANGING = [
  'openSync',
  'writeSync',
  'fsyncSync',
  'mkdirSync',
  'renameSync',
  'unlinkSync',
] as const satisfies (keyof FileSystem)[];
/** The calls that clear up after a failure. */
const REMOVING = ['rmSync', 'rmdirSync'] as const satisfies (keyof FileSystem)[];

/**
 * A file system on which the n-th changing call fails with an error of the real kind:
 * once, or with all calls after it, as if the process had been killed there.
 */
export function failAt(
  n: number,
  errno: string,
  { forEver = false } = {},
): { fs: FileSystem; reached: () => boolean } {
  let count = 0;
  const failing: Record<string, unknown> = { ...nodeFs };
  for (const name of [...CHANGING, ...REMOVING]) {
    const real = nodeFs[name] as (...args: unknown[]) => unknown;
    failing[name] = (...args: unknown[]) => {
      const isChange = (CHANGING as readonly string[]).includes(name);
      if (isChange) count++;
      if ((isChange && count === n) || (forEver && count >= n)) {
        throw Object.assign(new Error(errno), { code: errno, path: String(args[0]) });
      }
      return real(...args);
    };
  }
  return { fs: failing as unknown as FileSystem, reached: () => count >= n };
}
