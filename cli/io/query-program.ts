import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import type { Environment } from './terminal.ts';

export type QueryResult =
  | { ended: true; exitCode: number; stdout: string; stderr: string }
  | { ended: false; reason: 'not-started' | 'timeout' | 'too-much-output' };

const MAX_OUTPUT = 4 << 20;
const isWindows = process.platform === 'win32';

/** Where the program of this name is on the PATH, if it is there. */
export function findProgram(name: string, env: Environment): string | undefined {
  const extensions = isWindows ? ['.cmd', '.exe', '.bat'] : [''];
  // A relative folder on the PATH would let the current folder decide what runs.
  const folders = (env.PATH ?? env.Path ?? '').split(path.delimiter).filter(path.isAbsolute);
  return folders
    .flatMap((folder) => extensions.map((extension) => path.join(folder, name + extension)))
    .find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

interface QueryOptions {
  env: Environment;
  cwd?: string;
  timeoutMs: number;
  /** Ends its time earlier. */
  signal?: AbortSignal | undefined;
}

/** What another program prints. It gets no input, and is ended when its time is up. */
export function queryProgram(
  file: string,
  args: readonly string[],
  { env, cwd, timeoutMs, signal }: QueryOptions,
): Promise<QueryResult> {
  return new Promise((resolve) => {
    // Windows starts scripts only through a shell; our arguments are plain words.
    const child = spawn(isWindows ? `"${file}"` : file, args, {
      env: { ...env },
      cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
      // A group of its own, so that what it starts in turn ends with it.
      detached: !isWindows,
      shell: isWindows,
      windowsHide: true,
    });
    const output = { stdout: '', stderr: '' };
    let reason: 'timeout' | 'too-much-output' | undefined;
    const stop = () => endGroup(child.pid);
    const giveUp = (why: typeof reason) => {
      if (child.exitCode === null) reason ??= why;
      stop();
      // What it left running in a group of its own may hold these for ever.
      child.stdout.destroy();
      child.stderr.destroy();
    };
    const expire = () => giveUp('timeout');
    const timer = setTimeout(expire, timeoutMs);
    signal?.addEventListener('abort', expire);
    if (signal?.aborted) expire();
    process.once('exit', stop);
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].setEncoding('utf8').on('data', (chunk: string) => {
        output[name] += chunk;
        if (output[name].length > MAX_OUTPUT) giveUp('too-much-output');
      });
    }
    const finish = (result: QueryResult) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', expire);
      process.off('exit', stop);
      resolve(result);
    };
    child.on('error', () => finish({ ended: false, reason: 'not-started' }));
    child.on('close', (code) => {
      if (reason !== undefined) finish({ ended: false, reason });
      else finish({ ended: true, exitCode: code ?? 1, ...output });
    });
  });
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(isWindows ? pid : -pid, 'SIGKILL');
  } catch {
    // It has just ended.
  }
}
