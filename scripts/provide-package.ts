import path from 'node:path';
import { execa } from 'execa';
import fs from 'fs-extra';

const cache = path.join(path.dirname(import.meta.dirname), '.cache');

/** A package from npm in a folder of its own, which stays in .cache/ for the next time. */
export async function providePackage(
  folderName: string,
  spec: string,
  npmOptions: readonly string[] = [],
): Promise<string> {
  const folder = path.join(cache, folderName);
  const done = path.join(folder, 'installed');
  // Written last: an installation that was interrupted begins again.
  if (!(await fs.pathExists(done)) || (await fs.readFile(done, 'utf8')) !== spec) {
    await fs.emptyDir(folder);
    await fs.outputJson(path.join(folder, 'package.json'), { private: true });
    const args = ['install', '--no-audit', '--no-fund', ...npmOptions, spec];
    await execa('npm', args, { cwd: folder, stdio: ['ignore', 2, 2] });
    await fs.writeFile(done, spec);
  }
  return path.join(folder, 'node_modules');
}

/** The npm package `node` carries the binary. */
export async function provideNode(line: string): Promise<string> {
  if (process.version.startsWith(`v${line}.`)) return process.execPath;
  return path.join(await providePackage(`nodes/${line}`, `node@${line}`), 'node/bin/node');
}
