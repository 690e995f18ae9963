import { type Command, Option } from 'commander';
import type { Context } from '../context.ts';
import { CliError } from '../errors.ts';
import type { PackageInfo } from '../package-info.ts';
import type { Wording } from '../wording/wording.ts';

/** What a command gets to work with. */
export interface CommandTools {
  context: Context;
  wording: Wording;
  package: PackageInfo;
  /** The name the user calls us by. */
  program: string;
  /** For a run that does what it was asked to, with a result that is not good. */
  setExitCode(code: number): void;
}

/** An option with a value; the next option is none, so that a forgotten one is told. */
export function valueOption(flags: string, description: string): Option {
  return new Option(flags, description).argParser((value: string) => {
    if (!value.startsWith('--')) return value;
    const usage = flags.split(', ').at(-1) ?? flags;
    throw new CliError('missing-value', { option: usage.split(' ')[0] ?? usage, usage });
  });
}

export function readCwd(context: Context): string {
  try {
    return context.cwd;
  } catch (error) {
    throw new CliError('no-cwd', {}, error);
  }
}

/** Adds a command's description, options and action; called only when the command is wanted. */
export type DefineCommand = (command: Command, tools: CommandTools) => void;
