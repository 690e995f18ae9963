import path from 'node:path';
import { CliError } from '../errors.ts';
import type { Registration as IssuedKey } from '../hub-client/hub-data.ts';
import { errnoOf } from '../io/files.ts';
import { resolveLinks } from '../io/real-files.ts';
import { unlockFolder } from '../io/staging.ts';
import { ADDRESS_PATTERN } from '../protocol/constants.ts';
import { type AskWorld, askForKey } from './ask-for-key.ts';
import { assertSameIdentity } from './choose-hub.ts';
import { type Credentials, formatCredentials } from './credentials.ts';
import { type CredentialsWorld, findCredentials, pendingFile } from './find-credentials.ts';
import { formatPending, readPending } from './pending-registration.ts';
import type { Registration } from './registration.ts';
import { type ReservedFile, reserveFile } from './reserve-file.ts';
import { keepCopy, lockWhenFree, storeElsewhere } from './safe-keeping.ts';

export interface RegisterWorld extends CredentialsWorld, AskWorld {
  /** From now on a wish to stop must wait until it does no harm. */
  begin(): void;
  now(): Date;
  createId(): string;
  wait(ms: number): Promise<void>;
  /** Where a key goes that cannot be written to its place. */
  fallbackFolders: readonly string[];
}

export type RegisterResult =
  | { outcome: 'already'; credentials: Credentials }
  | {
      /** `completed`: an earlier run had been killed after the hub's answer. */
      outcome: 'registered' | 'rotated' | 'replaced' | 'completed';
      credentials: Credentials;
      /** Where the old file is now. */
      keptCopy?: string;
    };

/**
 * Registers and stores the key, so that it is never only in memory: the place is taken before
 * the hub is asked, and a run that is killed leaves what the next one needs to go on.
 */
export async function register(
  world: RegisterWorld,
  file: string,
  wanted: Registration | undefined,
): Promise<RegisterResult> {
  const { fs } = world;
  world.begin();
  const real = resolveLinks(fs, file);
  const folder = path.dirname(real);
  await inPlace(real, async () => {
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    await lockWhenFree(world, folder);
  });
  try {
    return await registerLocked(world, real, wanted);
  } finally {
    unlockFolder(fs, folder);
  }
}

async function registerLocked(
  world: RegisterWorld,
  file: string,
  wanted: Registration | undefined,
): Promise<RegisterResult> {
  const { fs } = world;
  const pending = readPending(fs, file);
  if (pending?.state === 'answered') {
    await inPlace(file, async () => fs.renameSync(pendingFile(file), file));
    return { outcome: 'completed', credentials: requireValid(world, file) };
  }
  const resumed = pending && concerns(pending.registration, wanted) ? pending : undefined;
  if (resumed === undefined) {
    await inPlace(file, async () => fs.rmSync(pendingFile(file), { force: true }));
  }
  const registration = resumed?.registration ?? wanted;
  const current = findCredentials(world, file);
  // Somebody may have registered since we looked.
  if (current.state === 'valid' && (registration?.mode ?? 'new') === 'new') {
    const { credentials } = current;
    if (registration) {
      const { agentId, hubUrl } = registration;
      assertSameIdentity(file, credentials, { agentId, hub: new URL(hubUrl) });
    }
    return { outcome: 'already', credentials };
  }
  if (current.state === 'damaged' && registration?.mode !== 'new-identity') throw current.damage;
  if (registration === undefined) throw new CliError('credentials-missing', { path: file });

  const old = current.state === 'valid' ? current.credentials : undefined;
  const idempotencyKey = resumed?.idempotencyKey ?? world.createId();
  const note = formatPending(registration, idempotencyKey, world.now());
  const room = old ? formatCredentials(old).length : 0;
  const isThere = resumed !== undefined;
  const reserved = await inPlace(file, async () => reserveFile(fs, file, note, { room, isThere }));
  let copy: string | undefined;
  try {
    if (current.state !== 'missing') {
      copy = await inPlace(file, async () => keepCopy(fs, file, world.now()));
    }
    const held = { file, credentials: old };
    const issued = await askForKey(world, registration, held, idempotencyKey);
    const credentials = describe(registration, old, issued);
    store(world, file, reserved, credentials);
    const outcome = OUTCOMES[registration.mode];
    return { outcome, credentials, ...(copy === undefined ? {} : { keptCopy: copy }) };
  } catch (error) {
    const code = error instanceof CliError ? error.code : 'bug';
    // What answers in the place of a hub for a while says nothing of an earlier request.
    const isOpen = OPEN_ENDS.includes(code) || (isThere && code === 'no-hub');
    if (isOpen) reserved.keep();
    else reserved.release();
    // Unless the hub has made the old file obsolete, it is still in use where it was.
    if (copy !== undefined && !ISSUED.includes(code)) fs.rmSync(copy, { force: true });
    const isLost = resumed !== undefined && ['id-taken', 'key-refused'].includes(code);
    if (!isLost) throw error;
    const { startedAt } = resumed;
    throw new CliError('register-lost', { agent: registration.agentId, startedAt }, error);
  }
}

/** The next run needs the note, or finds the key in its place. */
const OPEN_ENDS: readonly string[] = ['register-uncertain', 'register-interrupted', 'key-lost'];
const ISSUED: readonly string[] = ['credentials-elsewhere', 'key-lost'];

const OUTCOMES = { new: 'registered', rotate: 'rotated', 'new-identity': 'replaced' } as const;

/** One that was begun is ended first, unless the user now wants another id. */
function concerns(begun: Registration, wanted: Registration | undefined): boolean {
  if (wanted === undefined) return true;
  return begun.agentId === wanted.agentId && begun.hubUrl === wanted.hubUrl;
}

function describe(
  registration: Registration,
  old: Credentials | undefined,
  issued: IssuedKey,
): Credentials {
  const { agentId, hubUrl, culture, languages, endpoint, mode } = registration;
  // A hub may write the id in another way; what is no address at all is not taken over.
  const isAddress = new RegExp(ADDRESS_PATTERN).test(issued.agent_id);
  return {
    agent_id: isAddress ? issued.agent_id : agentId,
    api_key: issued.api_key,
    hub_url: hubUrl,
    user_culture: culture,
    supported_languages: languages,
    ...(endpoint === undefined ? {} : { endpoint }),
    others: mode === 'rotate' ? (old?.others ?? {}) : {},
  };
}

function store(
  world: RegisterWorld,
  file: string,
  reserved: ReservedFile,
  credentials: Credentials,
): void {
  const text = formatCredentials(credentials);
  try {
    reserved.fill(text);
  } catch (error) {
    const { agent_id: agent } = credentials;
    const errno = errnoOf(error) ?? 'unknown';
    const elsewhere = storeElsewhere(world.fs, world.fallbackFolders, text, world.now());
    if (elsewhere === undefined)
      throw new CliError('key-lost', { agent, path: file, errno }, error);
    throw new CliError('credentials-elsewhere', { agent, path: file, elsewhere, errno }, error);
  }
}

function requireValid(world: RegisterWorld, file: string): Credentials {
  const found = findCredentials(world, file);
  if (found.state === 'damaged') throw found.damage;
  if (found.state === 'valid') return found.credentials;
  throw new CliError('credentials-missing', { path: file });
}

/** File work before the hub is asked: when it fails, nothing has happened. */
async function inPlace<Result>(file: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const errno = errnoOf(error);
    if (error instanceof CliError || errno === undefined) throw error;
    throw new CliError('credentials-unwritable', { path: file, errno }, error);
  }
}
