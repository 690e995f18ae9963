import type { Environment } from './terminal.ts';

interface ProgramResult {
  status: number;
  stdout: string;
}

/** Runs another program to its end; nothing where it is not there or takes too long. */
export type RunProgram = (
  command: string,
  args: readonly string[],
) => Promise<ProgramResult | undefined>;

const TIMEOUT = 5000;

export function createRunProgram(env: Environment): RunProgram {
  return async (command, args) => {
    const { findProgram, queryProgram } = await import('./query-program.ts');
    const file = findProgram(command, env);
    if (file === undefined) return undefined;
    const result = await queryProgram(file, args, { env, timeoutMs: TIMEOUT });
    return result.ended ? { status: result.exitCode, stdout: result.stdout } : undefined;
  };
}
