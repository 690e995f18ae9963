import type { CliError, ErrorArgs } from '../errors.ts';
import type { en } from '../wording/doctor/en.ts';
import type { DoctorWorld } from './doctor-world.ts';

type CodeOf<Key> = Key extends `finding.${infer Code}` ? Code : never;
type RemedyOf<Key> = Key extends `remedy.${infer Code}` ? Code : never;
/** The findings there are; their words are in the catalogues. */
export type FindingCode = CodeOf<keyof typeof en>;
/** Those with something to do about them. */
type ProblemCode = RemedyOf<keyof typeof en>;

export type Group = 'local' | 'hosts' | 'hub' | 'identity' | 'inbox';

/** What a check has found out. */
export interface Finding {
  outcome: 'pass' | 'warn' | 'fail';
  code: FindingCode;
  args: ErrorArgs;
  /** A safe repair, for `--fix`; after it the check is run again. */
  repair?: (() => void | Promise<void>) | undefined;
}

/** Why there is nothing to check: the id of the check that says so. */
export interface Skip {
  because: string;
}

export interface Check {
  /** Equal to the name of its file. */
  id: string;
  group: Group;
  /** A proper name, where the catalogues have none. */
  title?: string;
  /** Checks that must not have failed for this one to mean anything. */
  needs?: readonly string[];
  /** Whether it goes over the network. */
  isOnline?: boolean;
  /** Throws a CliError where that says best what is wrong; `because`: there is nothing to check. */
  run(world: DoctorWorld): Finding | Skip | Promise<Finding | Skip>;
}

export interface CheckResult {
  check: Check;
  outcome: Finding['outcome'] | 'skipped';
  finding?: Finding;
  /** What was thrown in the place of a finding. */
  error?: CliError;
  /** Why it was skipped: the id of a check, or `offline`. */
  because?: string;
  /** What `--fix` has repaired. */
  fixed?: Finding;
  ms: number;
}

export function pass(code: FindingCode, args: ErrorArgs = {}): Finding {
  return { outcome: 'pass', code, args };
}

export function warn(code: ProblemCode, args: ErrorArgs = {}, repair?: Finding['repair']): Finding {
  return { outcome: 'warn', code, args, repair };
}

export function fail(code: ProblemCode, args: ErrorArgs = {}, repair?: Finding['repair']): Finding {
  return { outcome: 'fail', code, args, repair };
}
