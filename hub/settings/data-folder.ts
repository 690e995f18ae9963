import os from 'node:os';
import path from 'node:path';
import type { Environment } from '../../cli/io/terminal.ts';

const NAME = 'chorus-hub';

/** Where a user's programs keep their data on this system. */
export function defaultDataFolder(env: Environment, platform: string = os.platform()): string {
  const home = env.HOME || os.homedir();
  if (platform === 'win32') {
    return path.join(env.LOCALAPPDATA || path.join(home, 'AppData', 'Local'), NAME);
  }
  if (platform === 'darwin') return path.join(home, 'Library', 'Application Support', NAME);
  // The XDG rules: what is not absolute is to be ignored.
  const data = env.XDG_DATA_HOME ?? '';
  return path.join(path.isAbsolute(data) ? data : path.join(home, '.local', 'share'), NAME);
}
