import path from 'node:path';
import { execa } from 'execa';
import fs from 'fs-extra';

const root = path.dirname(import.meta.dirname);

export interface Packed {
  /** The tarball. */
  file: string;
  /** Of the tarball, in bytes. */
  size: number;
  /** What is in it. */
  paths: string[];
}

/** What `npm publish` would upload. */
export async function packPackage(folder: string): Promise<Packed> {
  // The bundle is there already; the pre-script would only look at it again.
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder];
  const { stdout } = await execa('npm', args, { cwd: root });
  const [{ filename, size, files }] = JSON.parse(stdout);
  return {
    file: path.join(folder, filename),
    size,
    paths: files.map((file: { path: string }) => file.path),
  };
}

/** Installs the tarball as a user would, without a network: it needs nothing else. */
export async function installPacked(
  file: string,
  folder: string,
): Promise<{ root: string; packages: string[] }> {
  const project = path.join(folder, 'project');
  await fs.outputJson(path.join(project, 'package.json'), { private: true });
  await execa('npm', ['install', '--offline', '--no-audit', '--no-fund', file], { cwd: project });
  const lock = await fs.readJson(path.join(project, 'node_modules/.package-lock.json'));
  const { name } = await fs.readJson(path.join(root, 'package.json'));
  return {
    root: path.join(project, 'node_modules', name),
    packages: Object.keys(lock.packages),
  };
}
