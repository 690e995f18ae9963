import type { Command } from 'commander';
import type { Context } from '../context.ts';
import type { PackageInfo } from '../package-info.ts';
import type { Wording } from '../wording/wording.ts';

/** What a command gets to work with. */
export interface CommandTools {
  context: Context;
  wording: Wording;
  package: PackageInfo;
  /** The name the user calls us by. */
  program: string;
}

/** Adds a command's description, options and action; called only when the command is wanted. */
export type DefineCommand = (command: Command, tools: CommandTools) => void;
