import { CliError } from '../../cli/errors.ts';
import { ADDRESS_PATTERN } from '../../cli/protocol/constants.ts';
import type { HubStore } from '../store/hub-store.ts';

export const DEFAULT_NAME = 'localhost';
const MAX_LENGTH = 200;

/** What addresses end in: as it was settled before, as it is given now, or the default. */
export async function settleName(
  store: HubStore,
  given: string | undefined,
  dataFolder: string,
): Promise<string> {
  if (given !== undefined && !isName(given)) throw new CliError('hub-bad-name', { given });
  const stored = await store.readName();
  const name = given ?? stored ?? DEFAULT_NAME;
  if (stored === name) return name;
  if (stored !== undefined && (await store.countAgents()) > 0) {
    throw new CliError('hub-name-changed', { path: dataFolder, stored, given: name });
  }
  await store.writeName(name);
  return name;
}

function isName(text: string): boolean {
  return text.length <= MAX_LENGTH && new RegExp(ADDRESS_PATTERN).test(`name@${text}`);
}

/** The URL others use, without a slash at its end. */
export function parsePublicUrl(given: string): string {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  const isPlain =
    url !== undefined &&
    /^https?:$/.test(url.protocol) &&
    url.search === '' &&
    url.hash === '' &&
    url.username === '';
  if (!isPlain) throw new CliError('bad-hub-url', { given });
  return url.href.replace(/\/+$/, '');
}
