import { spawn } from 'node:child_process';
import { errnoOf } from './files.ts';

export type ProgramEnd =
  | { end: 'exit'; code: number }
  | { end: 'signal'; signal: string }
  | { end: 'timeout' }
  | { end: 'not-started'; errno: string };

export interface ProgramOptions {
  input: string;
  timeoutMs: number;
  /** Where its standard output goes; standard error is shared. */
  output: 1 | 2;
}

export const isWindows = process.platform === 'win32';
const KILL_AFTER_MS = 5_000;

/** Runs a program, without a shell, with a text on its standard input. */
export function feedProgram(
  [program = '', ...args]: readonly string[],
  { input, timeoutMs, output }: ProgramOptions,
): Promise<ProgramEnd> {
  const notStarted = (error: unknown) =>
    ({ end: 'not-started', errno: errnoOf(error) ?? String(error) }) as const;
  return new Promise<ProgramEnd>((resolve) => {
    const child = spawn(program, args, { stdio: ['pipe', output, 2], windowsHide: true });
    let isLate = false;
    let killer: NodeJS.Timeout | undefined;
    const timer = setTimeout(() => {
      isLate = true;
      child.kill('SIGTERM');
      killer = setTimeout(() => child.kill('SIGKILL'), KILL_AFTER_MS);
    }, timeoutMs);
    const settle = (end: ProgramEnd) => {
      clearTimeout(timer);
      clearTimeout(killer);
      resolve(end);
    };
    child.once('error', (error) => settle(notStarted(error)));
    child.once('exit', (code, signal) => {
      if (isLate) settle({ end: 'timeout' });
      else if (code === null) settle({ end: 'signal', signal: signal ?? '' });
      else settle({ end: 'exit', code });
    });
    // A program need not read what it gets; its exit code says how it went.
    child.stdin?.on('error', () => {});
    child.stdin?.end(input);
  }).catch(notStarted); // Node throws some of the system's reasons and emits the others.
}
