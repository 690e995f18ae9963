import os from 'node:os';
import path from 'node:path';
import { execaNode } from 'execa';
import fs from 'fs-extra';
import { onTestFinished } from 'vitest';

export const root = path.dirname(import.meta.dirname);
export const binary = path.join(root, 'dist/bin.cjs');

/** An empty folder that goes when the test is over. */
export async function makeFolder(): Promise<string> {
  const folder = await fs.realpath(await fs.mkdtemp(path.join(os.tmpdir(), 'chorus-test-')));
  onTestFinished(() => fs.remove(folder));
  return folder;
}

interface RunOptions {
  cwd: string;
  env?: Record<string, string>;
  bin?: string;
  /** What stands on its standard input. */
  input?: string | Uint8Array;
}

/** The built program as a user without a terminal runs it, in a plain environment. */
export async function runBinary(
  args: readonly string[],
  { cwd, env, bin = binary, input }: RunOptions,
) {
  const { PATH = '' } = process.env;
  const { exitCode, stdout, stderr } = await execaNode(bin, args, {
    cwd,
    env: { PATH, ...env },
    extendEnv: false,
    reject: false,
    ...(input === undefined ? {} : { input }),
  });
  return { exitCode, stdout, stderr };
}

/** Every file below a folder, with its text; folders that are empty end in `/`. */
export async function readTree(folder: string): Promise<Record<string, string>> {
  const tree: Record<string, string> = {};
  for (const entry of await fs.readdir(folder, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    const relative = path.relative(folder, file).split(path.sep).join('/');
    if (entry.isFile()) tree[relative] = await fs.readFile(file, 'utf8');
    else if (entry.isSymbolicLink()) tree[relative] = `→ ${await fs.readlink(file)}`;
    else if ((await fs.readdir(file)).length === 0) tree[`${relative}/`] = '';
  }
  return tree;
}
