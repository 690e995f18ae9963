import { type Credentials, maskKey } from '../identity/credentials.ts';
import type { CredentialsPlace } from '../identity/find-credentials.ts';
import type { Registration } from '../identity/registration.ts';
import { shortPath } from '../io/shell-text.ts';
import { measureWidth, printJson } from '../io/terminal.ts';
import type { RegisterFlags, RegisterTools } from './register-flags.ts';
import type { Ignoring } from './register-ignoring.ts';

type Identity = Partial<Credentials> & Pick<Credentials, 'agent_id' | 'hub_url'>;

/** An identity with where it lies and what is to be said about it. */
export interface IdentityReport {
  identity: Identity;
  place: CredentialsPlace;
  /** Shown after the key. */
  keyNote?: string;
  keptCopy?: string | undefined;
  gitNote?: string | undefined;
}

/** The identity in rows, as `register` and `whoami` show it. */
function formatIdentity(report: IdentityReport, { context, wording }: RegisterTools): string {
  const { say } = wording;
  const { identity, place, keyNote, keptCopy, gitNote } = report;
  const short = (file: string) => shortPath(context.cwd, file);
  const noted = (value: string, note?: string) =>
    note === undefined ? value : say('register.with-note', { value, note });
  const { user_culture: culture, supported_languages: languages = [], api_key: key } = identity;
  const rows: [string, string][] = [
    [say('register.row-hub'), identity.hub_url],
    [say('register.row-culture'), culture ?? say('register.culture-unknown')],
  ];
  if (languages.length > 0) {
    rows.push([say('register.row-languages'), languages.join(say('list.separator'))]);
  }
  const why = say(`register.why-${place.source}`);
  rows.push([say('register.row-credentials'), noted(short(place.file), why)]);
  if (key !== undefined) rows.push([say('register.row-key'), noted(maskKey(key), keyNote)]);
  if (keptCopy !== undefined) rows.push([say('register.row-copy'), short(keptCopy)]);
  if (gitNote !== undefined) rows.push([say('register.row-gitignore'), gitNote]);
  const width = Math.max(...rows.map(([name]) => measureWidth(name)));
  return rows
    .map(([name, value]) => {
      const gap = ' '.repeat(width - measureWidth(name) + 2);
      return `  ${context.stdout.colors.dim(name)}${gap}${value}\n`;
    })
    .join('');
}

/** The same for a program; of the key only what a person may see. */
function describeIdentity({ identity, place }: IdentityReport): Record<string, unknown> {
  return {
    agent_id: identity.agent_id,
    hub_url: identity.hub_url,
    culture: identity.user_culture ?? null,
    languages: identity.supported_languages ?? [],
    endpoint: identity.endpoint ?? null,
    credentials: place.file,
    source: place.source,
    keyEnding: identity.api_key === undefined ? null : maskKey(identity.api_key).slice(1),
  };
}

export function printIdentity(
  report: IdentityReport,
  { title, json, isJson }: { title: string; json: Record<string, unknown>; isJson: boolean },
  tools: RegisterTools,
): void {
  const { stdout } = tools.context;
  stdout.write(
    isJson
      ? printJson({ ok: true, ...json, ...describeIdentity(report) })
      : `${title}\n\n${formatIdentity(report, tools)}`,
  );
}

/** What a dry run would have done. */
export function printPlan(
  registration: Registration,
  place: CredentialsPlace,
  ignoring: Ignoring,
  flags: RegisterFlags,
  tools: RegisterTools,
): void {
  const { context, wording } = tools;
  const { agentId, hubUrl, culture, languages, mode, endpoint } = registration;
  const identity = {
    agent_id: agentId,
    hub_url: hubUrl,
    user_culture: culture,
    supported_languages: languages,
    ...(endpoint === undefined ? {} : { endpoint }),
  };
  const title = wording.say(`register.planned-${mode}`, { agent: agentId });
  printIdentity(
    { identity, place, gitNote: ignoring.planned },
    {
      title: context.stdout.colors.bold(title),
      json: { dryRun: true, mode, gitignore: ignoring.state },
      isJson: flags.json ?? false,
    },
    tools,
  );
}

/** On standard error: it is not part of the result. */
export function warn(text: string, { context, wording }: RegisterTools): void {
  const label = context.stderr.colors.cyan(wording.say('register.warning-label'));
  context.stderr.write(`${label}${wording.say('sentence.colon')}${text}\n`);
}
