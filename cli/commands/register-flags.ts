import { CliError } from '../errors.ts';
import { parseCulture, parseCultures } from '../identity/culture.ts';
import { quoteForShell } from '../io/shell-text.ts';
import type { identityTexts } from '../wording/identity/texts.ts';
import type { CommandTools } from './command.ts';

export type RegisterTools = CommandTools<typeof identityTexts.en>;

export interface RegisterFlags {
  hub?: string;
  culture?: string;
  languages?: string;
  endpoint?: string;
  credentials?: string;
  rotate?: boolean;
  newIdentity?: boolean;
  insecure?: boolean;
  yes?: boolean;
  dryRun?: boolean;
  json?: boolean;
}

/** What an identity says of its user, as far as it was given. */
export interface Traits {
  culture?: string | undefined;
  languages?: string[] | undefined;
  endpoint?: string | undefined;
}

export function parseTraits({ culture, languages, endpoint }: RegisterFlags): Traits {
  return {
    culture: culture === undefined ? undefined : parseCulture('--culture', culture),
    languages: languages === undefined ? undefined : parseCultures('--languages', languages),
    endpoint: endpoint === undefined ? undefined : parseEndpoint(endpoint),
  };
}

function parseEndpoint(given: string): string {
  const isUsable = !/[\s\p{Cc}]/u.test(given) && /^https?:\/\/[^/]/.test(given);
  if (!isUsable || !URL.canParse(given)) throw new CliError('bad-endpoint', { given });
  return given;
}

/** The command that does the same without a question. */
export function formatCommand(
  { program }: Pick<RegisterTools, 'program'>,
  flags: RegisterFlags,
  { agentId, culture, languages }: { agentId: string; culture: string; languages?: string },
): string {
  const values: [string, string | undefined][] = [
    ['--culture', culture],
    ['--languages', languages ?? flags.languages],
    ['--hub', flags.hub],
    ['--endpoint', flags.endpoint],
    ['--credentials', flags.credentials],
  ];
  const switches: [string, boolean | undefined][] = [
    ['--new-identity', flags.newIdentity],
    ['--insecure', flags.insecure],
    ['--yes', flags.yes],
    ['--dry-run', flags.dryRun],
    ['--json', flags.json],
  ];
  return [
    program,
    'register',
    agentId,
    ...values.flatMap(([flag, value]) => (value === undefined ? [] : [flag, quote(value)])),
    ...switches.flatMap(([flag, isSet]) => (isSet ? [flag] : [])),
  ].join(' ');
}

/** A gap that the reader fills in is left readable. */
function quote(value: string): string {
  return /^<\w+>$/.test(value) ? value : quoteForShell(value);
}
