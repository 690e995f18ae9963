import { CliError } from '../errors.ts';
import { checkKey } from '../hub-client/check-key.ts';
import { toRefusalError } from '../identity/ask-for-key.ts';
import { assertSameIdentity, chooseHub } from '../identity/choose-hub.ts';
import { type FoundCredentials, requireCredentials } from '../identity/find-credentials.ts';
import { isKeyRefused, refusedKey } from '../identity/refused-key.ts';
import { wordError } from '../wording/word-error.ts';
import type { Network } from './network.ts';
import type { RegisterFlags, RegisterTools } from './register-flags.ts';
import { printIdentity } from './register-report.ts';

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
      json: { outcome: 'already', ...check },
      isJson: flags.json ?? false,
    },
    tools,
  );
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
