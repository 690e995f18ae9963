import type { FoundInstallation } from '../hosts/find-installations.ts';
import type { Visibility } from '../hosts/openclaw/ask-openclaw.ts';
import type { Place } from '../hosts/place.ts';
import type { Connection, ConnectOptions } from '../hub-client/connect.ts';
import type { HubAnswer } from '../hub-client/hub-answer.ts';
import type { HubClient } from '../hub-client/hub-client.ts';
import { type ChosenHub, chooseHub, isKeyFor } from '../identity/choose-hub.ts';
import type { Credentials } from '../identity/credentials.ts';
import {
  type FoundCredentials,
  findCredentials,
  requireCredentials,
} from '../identity/find-credentials.ts';
import type { FileSystem } from '../io/files.ts';
import type { RunProgram } from '../io/run-program.ts';
import type { Environment } from '../io/terminal.ts';
import type { SkillSource } from '../scaffold/package-files.ts';

/** What the doctor is given: the outside world, and what the user said. */
export interface DoctorInput {
  fs: FileSystem;
  env: Environment;
  cwd: string;
  platform: string;
  nodeVersion: string;
  source: SkillSource;
  run: RunProgram;
  now(): Date;
  /** The addresses of a name. */
  lookup(host: string): Promise<readonly string[]>;
  connect(target: URL, options?: Pick<ConnectOptions, 'acceptAnyCertificate'>): Promise<Connection>;
  createClient(url: URL, key?: string): HubClient;
  /** The skill in every place it can be installed to from here; other projects have their own doctor. */
  findInstallations(): FoundInstallation[];
  /** What a host says about the skill in a place; nothing where it cannot be asked. */
  askHost(place: Place): Promise<Visibility[]>;
  signal: AbortSignal;
  hub?: string | undefined;
  credentials?: string | undefined;
  insecure: boolean;
  /** What the message of the round trip says, and in which language. */
  greeting: { text: string; culture: string };
}

/** The same, with what several checks want to know: each is found out once. */
export interface DoctorWorld extends DoctorInput {
  found(): FoundCredentials;
  identity(): Credentials;
  installations(): FoundInstallation[];
  /** After something has changed there. */
  lookAgain(): void;
  chosenHub(): ChosenHub;
  client(): HubClient;
  health(): Promise<HubAnswer<unknown>>;
}

export function createDoctorWorld(input: DoctorInput): DoctorWorld {
  const found = once(() => findCredentials(input, input.credentials));
  const chosenHub = once(() => {
    const current = found();
    const credentials = current.state === 'valid' ? current.credentials : undefined;
    // Whether it is safe is for a check to say.
    return chooseHub({ given: input.hub, env: input.env, credentials, insecure: true });
  });
  const client = once(() => {
    const { url } = chosenHub();
    const current = found();
    const hasKey = current.state === 'valid' && isKeyFor(current.credentials, url);
    return input.createClient(url, hasKey ? current.credentials.api_key : undefined);
  });
  let installations = once(input.findInstallations);
  return {
    ...input,
    found,
    chosenHub,
    client,
    identity: () => requireCredentials(found()),
    installations: () => installations(),
    lookAgain() {
      installations = once(input.findInstallations);
    },
    health: once(() => client().health()),
  };
}

function once<Value>(find: () => Value): () => Value {
  let kept: { value: Value } | undefined;
  return () => {
    kept ??= { value: find() };
    return kept.value;
  };
}
