import nodeFs from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import type { FileSystem } from './io/files.ts';
import type { Environment, OutputStream } from './io/terminal.ts';

/** What the outside world is. Tests bring their own. */
export interface Context {
  readonly cwd: string;
  readonly env: Environment;
  readonly stdin: Readable & { isTTY?: boolean | undefined };
  readonly stdout: Writable & OutputStream;
  readonly stderr: Writable & OutputStream;
  readonly fs: FileSystem;
  /** The folder that holds package.json and templates/. */
  readonly packageRoot: string;
}

export function createContext(packageRoot: string): Context {
  return {
    // Getters: making a stream costs start-up time, and the folder may be gone.
    get cwd() {
      return process.cwd();
    },
    get stdin() {
      return process.stdin;
    },
    get stdout() {
      return process.stdout;
    },
    get stderr() {
      return process.stderr;
    },
    env: process.env,
    fs: nodeFs,
    packageRoot,
  };
}

/** May we ask? Questions appear on stderr, so that stdout holds only results. */
export function canAsk({ stdin, stderr, env }: Pick<Context, 'stdin' | 'stderr' | 'env'>): boolean {
  return Boolean(stdin.isTTY && stderr.isTTY) && !env.CI && env.TERM !== 'dumb';
}
