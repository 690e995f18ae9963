import path from 'node:path';
import type { Environment } from './terminal.ts';

/** The user's folder as the environment names it; where it names none, we do not guess. */
export function readHome(env: Environment, cwd: string): string | undefined {
  const home = env.HOME?.trim() || env.USERPROFILE?.trim();
  return home ? path.resolve(cwd, home) : undefined;
}

/** `~` and `~/…` under the user's folder; other paths are relative to the current folder. */
export function expandHome(given: string, home: string | undefined, cwd: string): string {
  const rest = /^~(?:[\\/]+(.*))?$/s.exec(given.trim());
  return rest && home !== undefined
    ? path.join(home, rest[1] ?? '')
    : path.resolve(cwd, given.trim());
}
