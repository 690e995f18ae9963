import { CliError } from '../../cli/errors.ts';
import type { Environment } from '../../cli/io/terminal.ts';
import { environmentName, type HubLimits, LIMIT_NAMES, LIMIT_OPTIONS } from '../limits.ts';

/** Each limit from its flag, else from the environment, else as it is by default. */
export function readLimits(flags: Readonly<Record<string, unknown>>, env: Environment): HubLimits {
  const limits = {} as HubLimits;
  for (const name of LIMIT_NAMES) {
    const { flag, default: standard, min, max } = LIMIT_OPTIONS[name];
    const given = flags[flag.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())];
    const variable = environmentName(flag);
    const inherited = env[variable];
    if (typeof given === 'string') limits[name] = parseNumber(`--${flag}`, given, min, max);
    else if (inherited) limits[name] = parseNumber(variable, inherited, min, max);
    else limits[name] = standard;
  }
  return limits;
}

export function parseNumber(option: string, given: string, min: number, max: number): number {
  const number = /^\d{1,15}$/.test(given) ? Number(given) : Number.NaN;
  if (number >= min && number <= max) return number;
  throw new CliError('bad-number', { option, given, min, max });
}
