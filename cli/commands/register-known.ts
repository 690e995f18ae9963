import { CliError } from '../errors.ts';
import { checkKey } from '../hub-client/check-key.ts';
import { toRefusalError } from '../identity/ask-for-key.ts';
import { assertSameIdentity, chooseHub } from '../identity/choose-hub.ts';
import type { Credentials } from '../identity/credentials.ts';
import { type FoundCredentials, requireCredentials } from '../identity/find-credentials.ts';
import { isKeyRefused, refusedKey } from '../identity/refused-key.ts';
import { wordError } from '../wording/word-error.ts';
import type { Network } from './network.ts';
import {
  parseTraits,
  type RegisterFlags,
  type RegisterTools,
  type Traits,
} from './register-flags.ts';
import { printIdentity, warn } from './register-report.ts';

/** There is an identity: unless the user wants another, it is shown and its key is checked. */
export async function showKnownIdentity(
  found: FoundCredentials,
  wantedId: string | undefined,
  network: Network,
  flags: RegisterFlags,
  tools: RegisterTools,
): Promise<void> {
  const { context, wording, program } = tools;
  const { say } = wording;
  const credentials = requireCredentials(found);
  const { agent_id: agent } = credentials;
  const unused = listUnused(parseTraits(flags), credentials);
  const wanted = chooseHub({ given: flags.hub, env: context.env, credentials, insecure: true });
  assertSameIdentity(found.file, credentials, { agentId: wantedId, hub: wanted.url });
  const problem = await checkKnownKey(found, network, flags);
  const facts = { program, package: tools.package.name, version: tools.package.version };
  const keyNote = problem
    ? say('register.key-unchecked', { reason: wordError(problem, facts, wording.language).message })
    : say('register.key-accepted');
  const check = problem ? { keyAccepted: null, keyCheck: problem.code } : { keyAccepted: true };
  printIdentity(
    { identity: credentials, place: found, keyNote },
    {
      title: context.stdout.colors.bold(say('register.done-already', { agent })),
      json: { outcome: 'already', ...check, unused },
      isJson: flags.json ?? false,
    },
    tools,
  );
  if (unused.length > 0) {
    warn(say('register.warn-unused', { options: unused.join(say('list.separator')) }), tools);
  }
}

/** The options that would have made the identity another one than it is. */
function listUnused({ culture, languages, endpoint }: Traits, known: Credentials): string[] {
  const differs: [string, boolean][] = [
    ['--culture', culture !== undefined && culture !== known.user_culture],
    ['--languages', languages !== undefined && !sameList(languages, known.supported_languages)],
    ['--endpoint', endpoint !== undefined && endpoint !== known.endpoint],
  ];
  return differs.flatMap(([option, isUnused]) => (isUnused ? [option] : []));
}

function sameList(left: readonly string[], right: readonly string[] = []): boolean {
  return left.join() === right.join();
}

/** Nothing when the hub accepts the key; throws when it does not; else why it is not known. */
async function checkKnownKey(
  found: FoundCredentials,
  network: Network,
  { insecure }: RegisterFlags,
): Promise<CliError | undefined> {
  const credentials = requireCredentials(found);
  try {
    const { url } = chooseHub({ env: {}, credentials, insecure });
    const { host } = url;
    const check = await checkKey(network.createClient(url, credentials.api_key), new Date());
    if (check.accepted) return undefined;
    if (!isKeyRefused(check.refusal)) return toRefusalError(check.refusal, host);
    throw refusedKey(credentials, found.file, check.refusal);
  } catch (error) {
    const isUnknown = error instanceof CliError && error.code !== 'key-refused';
    if (!isUnknown || error.code === 'cancelled') throw error;
    return error;
  }
}
