import type { Command } from 'commander';
import { CliError } from '../errors.ts';
import { ALIASES, LOCAL, OPENCLAW, SCOPES, TARGETS } from '../hosts/host-table.ts';
import type { HostTarget } from '../hosts/place.ts';
import type { hostsTexts } from '../wording/hosts/texts.ts';
import type { Wording } from '../wording/wording.ts';
import { parseChoice, valueOption } from './command.ts';

/** The folder that the target `local` stands for. */
export const DEFAULT_DIR = 'chorus';

/** What the commands about hosts have in common. */
export interface TargetFlags {
  target?: string;
  scope?: string;
  agent?: string;
  profile?: string;
  dir?: string;
}

export function addTargetOptions(
  command: Command,
  { say }: Wording<(typeof hostsTexts)['en']>,
): Command {
  return command
    .addOption(valueOption('-t, --target <hosts>', say('hosts.target', { targets: TARGETS })))
    .addOption(valueOption('-s, --scope <scope>', say('hosts.scope', { scopes: SCOPES })))
    .addOption(valueOption('--agent <id>', say('hosts.agent')))
    .addOption(valueOption('--profile <name>', say('hosts.profile')));
}

/** What `--target` and `--scope` name; undefined without `--target`. */
export function parseTargets(flags: TargetFlags): HostTarget[] | undefined {
  const scope = flags.scope === undefined ? undefined : parseChoice('--scope', flags.scope, SCOPES);
  const targets = flags.target
    ?.split(',')
    .map((given) => given.trim())
    .map((given) => parseTarget(given, scope));
  const names = new Set(targets?.map((target) => target.name));
  for (const option of ['agent', 'profile'] as const) {
    if (flags[option] !== undefined && !names.has(OPENCLAW)) {
      throw new CliError('option-needs-openclaw', { option: `--${option}` });
    }
  }
  if (targets !== undefined && flags.dir !== undefined && !names.has(LOCAL)) {
    throw new CliError('dir-without-local');
  }
  return targets;
}

/** Where no host is named there is nothing that `--scope` could be about. */
export function refuseScope({ scope }: TargetFlags): void {
  if (scope === undefined) return;
  throw new CliError('option-needs', { option: '--scope', needed: '--target' });
}

function parseTarget(given: string, scope: HostTarget['scope'] | undefined): HostTarget {
  const choice = parseChoice('--target', given, [...TARGETS, ...Object.keys(ALIASES)]);
  const alias = ALIASES[choice];
  if (alias === undefined) return { name: choice, scope: scope ?? 'project' };
  if (scope !== undefined && scope !== alias.scope) {
    throw new CliError('scope-conflict', { target: choice, scope, name: alias.name });
  }
  return alias;
}
