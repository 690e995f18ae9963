import nodeFs from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import type { FileSystem } from './io/files.ts';
import { isTerminal, openStandardOutput } from './io/standard-output.ts';
import type { Environment, OutputStream } from './io/terminal.ts';

/** What the outside world is. Tests bring their own. */
export interface Context {
  readonly cwd: string;
  readonly env: Environment;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly fs: FileSystem;
  /** The folder that holds package.json and templates/. */
  readonly packageRoot: string;
  /** Where to ask a person, if there is one. Not on stdout: that holds only results. */
  readonly dialogue: { input: Readable; output: Writable } | undefined;
  /** From then on SIGINT and SIGTERM abort this; the command ends by itself. */
  takeStopSignal(): AbortSignal;
}

export async function createContext(
  packageRoot: string,
  takeStopSignal: () => AbortSignal,
): Promise<Context> {
  const { env } = process;
  const stdout = await openStandardOutput(1, env);
  const stderr = await openStandardOutput(2, env);
  const canAsk = stderr.isTTY && (await isTerminal(0)) && !env.CI && env.TERM !== 'dumb';
  return {
    get cwd() {
      return process.cwd(); // throws when the folder is gone
    },
    env,
    stdout,
    stderr,
    fs: nodeFs,
    packageRoot,
    dialogue: canAsk ? { input: process.stdin, output: process.stderr } : undefined,
    takeStopSignal,
  };
}
