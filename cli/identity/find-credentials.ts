import path from 'node:path';
import { CliError } from '../errors.ts';
import { findOpenclawWorkspace } from '../hosts/openclaw/find-workspace.ts';
import { errnoOf, type FileSystem, isMissing } from '../io/files.ts';
import { expandHome, readHome } from '../io/home-folder.ts';
import { isOurs } from '../io/owner.ts';
import { resolveLinks } from '../io/real-files.ts';
import type { Environment } from '../io/terminal.ts';
import { CREDENTIALS_FILE, CREDENTIALS_HOME } from '../protocol/constants.ts';
import { type Credentials, parseCredentials, salvageHubUrl } from './credentials.ts';

/** What the place of the credentials depends on. */
export interface CredentialsWorld {
  fs: FileSystem;
  env: Environment;
  cwd: string;
}

/** Why the file is looked for where it is. */
type CredentialsSource =
  | 'option'
  | 'environment'
  | 'openclaw'
  /** In the current folder or the nearest one above that has it. */
  | 'folder'
  | 'home'
  /** Found nowhere: the current folder is where it would be written. */
  | 'nowhere';

export interface CredentialsPlace {
  file: string;
  source: CredentialsSource;
}

interface FoundPlace extends CredentialsPlace {
  /** A registration was killed there; `register` will complete it. */
  isInterrupted: boolean;
}

export type FoundCredentials = FoundPlace &
  (
    | { state: 'valid'; credentials: Credentials }
    /** What is wrong, ready to be thrown. */
    | { state: 'damaged'; damage: CliError; hubUrl?: string | undefined }
    | { state: 'missing' }
  );

const MAX_BYTES = 1 << 16;

/** The credentials in use. A file that is damaged is told as such; no other is taken in its place. */
export function findCredentials(world: CredentialsWorld, given?: string): FoundCredentials {
  const located = locateCredentials(world, given);
  const isInterrupted = exists(world.fs, pendingFile(resolveLinks(world.fs, located.file)));
  const place = { ...located, isInterrupted };
  let text: string | undefined;
  try {
    text = readText(world, place);
    if (text !== undefined) {
      return { ...place, state: 'valid', credentials: parseCredentials(text, place.file) };
    }
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    return { ...place, state: 'damaged', damage: error, hubUrl: salvageHubUrl(text ?? '') };
  }
  return { ...place, state: 'missing' };
}

/** For commands that are nothing without an identity. */
export function requireCredentials(found: FoundCredentials): Credentials {
  if (found.state === 'valid') return found.credentials;
  if (found.state === 'damaged') throw found.damage;
  const code = found.isInterrupted ? 'credentials-interrupted' : 'credentials-missing';
  throw new CliError(code, { path: found.file });
}

/** Lies beside the credentials while they are being made. */
export function pendingFile(file: string): string {
  return `${file}.pending`;
}

function locateCredentials(world: CredentialsWorld, given?: string): CredentialsPlace {
  const { fs, env, cwd } = world;
  const home = readHome(env, cwd);
  const resolve = (file: string) => expandHome(file, home, cwd);
  if (given !== undefined) return { file: resolve(given), source: 'option' };
  const named = env.CHORUS_CREDENTIALS?.trim();
  if (named) return { file: resolve(named), source: 'environment' };
  const workspace = findOpenclawWorkspace(world, cwd);
  if (workspace) return { file: path.join(workspace.root, CREDENTIALS_FILE), source: 'openclaw' };
  const isThere = (file: string) => exists(fs, file) || exists(fs, pendingFile(file));
  for (const folder of ancestors(cwd)) {
    const file = path.join(folder, CREDENTIALS_FILE);
    if (isThere(file)) return { file, source: 'folder' };
  }
  const atHome = home && path.join(home, CREDENTIALS_HOME, CREDENTIALS_FILE);
  if (atHome && isThere(atHome)) return { file: atHome, source: 'home' };
  return { file: path.join(cwd, CREDENTIALS_FILE), source: 'nowhere' };
}

/** Nothing where there is no file; throws what keeps us from using it. */
function readText({ fs, cwd }: CredentialsWorld, { file, source }: CredentialsPlace) {
  try {
    if (!exists(fs, file)) return undefined;
    // Before it is opened: a pipe would keep us waiting for ever.
    const entry = fs.statSync(file);
    if (!entry.isFile()) throw new CliError('credentials-not-a-file', { path: file });
    if (entry.size > MAX_BYTES) throw new CliError('credentials-too-large', { path: file });
    // Whoever puts a file into a folder above ours would decide who we are.
    if (source === 'folder' && entry.uid !== fs.statSync(cwd).uid && !isOurs(entry.uid)) {
      throw new CliError('credentials-foreign', { path: file });
    }
    return fs.readFileSync(file, 'utf8');
  } catch (error) {
    if (isMissing(error)) throw new CliError('credentials-broken-link', { path: file }, error);
    const errno = errnoOf(error);
    if (error instanceof CliError || errno === undefined) throw error;
    throw new CliError('credentials-unreadable', { path: file, errno }, error);
  }
}

function exists(fs: FileSystem, file: string): boolean {
  try {
    fs.lstatSync(file);
    return true;
  } catch (error) {
    return !isMissing(error) && errnoOf(error) !== 'ENOTDIR';
  }
}

function* ancestors(folder: string): Generator<string> {
  for (let current = folder; ; current = path.dirname(current)) {
    yield current;
    if (current === path.dirname(current)) return;
  }
}
