import path from 'node:path';
import fs from 'fs-extra';

/** The licences of the packages whose modules are in the bundle. */
export async function collectNotices(moduleIds: readonly string[]): Promise<string> {
  const folders = new Set(moduleIds.flatMap((id) => packageFolder(id) ?? []));
  const notices = await Promise.all([...folders].sort().map(readNotice));
  return [
    'This package contains the following third-party software.\n',
    ...notices.map((notice) => `${'-'.repeat(72)}\n${notice}`),
  ].join('\n');
}

function packageFolder(moduleId: string): string | undefined {
  return /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(moduleId)?.[0];
}

async function readNotice(folder: string): Promise<string> {
  const { name, version, license } = await fs.readJson(path.join(folder, 'package.json'));
  const file = (await fs.readdir(folder)).find((entry) => /^licen[cs]e/i.test(entry));
  // A bundled package without a licence text must not be published unnoticed.
  if (file === undefined) throw new Error(`${name} ${version} has no licence file`);
  const text = await fs.readFile(path.join(folder, file), 'utf8');
  return `${name} ${version} (${license})\n\n${text.trim()}\n`;
}
