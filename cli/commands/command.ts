import { type Command, Option } from 'commander';
import type { Context } from '../context.ts';
import { CliError } from '../errors.ts';
import { findNearest } from '../nearest.ts';
import type { PackageInfo } from '../package-info.ts';
import { type CoreTexts, createWording, type Texts, type Wording } from '../wording/wording.ts';

/** What a command gets to work with. `Area`: the texts it has beyond those of every command. */
export interface CommandTools<Area extends Readonly<Record<string, string>> = CoreTexts> {
  context: Context;
  wording: Wording<Area>;
  package: PackageInfo;
  /** The name the user calls us by. */
  program: string;
  /** For a run that does what it was asked to, with a result that is not good. */
  setExitCode(code: number): void;
  /** For a command whose JSON is a line for each result: then an error is one, too. */
  useJsonLines(): void;
}

export function withTexts<Area extends Readonly<Record<string, string>>>(
  tools: CommandTools,
  texts: Texts<Area>,
): CommandTools<Area> {
  return { ...tools, wording: createWording(tools.wording.language, texts) };
}

/** An option with a value; the next option is none, so that a forgotten one is told. */
export function valueOption(flags: string, description: string): Option {
  return new Option(flags, description).argParser((value: string) => {
    if (!value.startsWith('--')) return value;
    const usage = flags.split(', ').at(-1) ?? flags;
    throw new CliError('missing-value', { option: usage.split(' ')[0] ?? usage, usage });
  });
}

/** One of the values that an option takes; anything else is refused with the nearest of them. */
export function parseChoice<Value extends string>(
  option: string,
  given: string,
  available: readonly Value[],
): Value {
  const value = available.find((it) => it === given);
  if (value !== undefined) return value;
  const nearest = findNearest(given, available);
  const near = nearest === undefined ? {} : { nearest };
  throw new CliError('unknown-value', { option, given, available, ...near });
}

export function parseNumber(option: string, given: string, min: number, max: number): number {
  const number = /^\d{1,15}$/.test(given) ? Number(given) : Number.NaN;
  if (number >= min && number <= max) return number;
  throw new CliError('bad-number', { option, given, min, max });
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
