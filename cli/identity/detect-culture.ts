import type { FileSystem } from '../io/files.ts';
import type { RunProgram } from '../io/run-program.ts';
import type { Environment } from '../io/terminal.ts';
import { normaliseCulture } from './culture.ts';

export interface SystemWorld {
  platform: string;
  fs: FileSystem;
  env: Environment;
  run: RunProgram;
}

export interface DetectedCulture {
  culture: string;
  /** Where it comes from, as people know that place. */
  source: string;
}

/** Debian keeps it in the second. */
const LOCALE_FILES = ['/etc/locale.conf', '/etc/default/locale'];
const VARIABLES = ['LC_ALL', 'LC_MESSAGES', 'LANG'];

/** What the operating system says about its user: a suggestion, never an answer. */
export async function detectCulture(world: SystemWorld): Promise<DetectedCulture | undefined> {
  for await (const [source, text] of listSources(world)) {
    const culture = text === undefined ? undefined : normaliseCulture(text);
    if (culture !== undefined) return { culture, source };
  }
  return undefined;
}

async function* listSources(world: SystemWorld): AsyncGenerator<[string, string | undefined]> {
  const { platform, env, run } = world;
  if (platform === 'darwin') {
    const answer = await run('defaults', ['read', '-g', 'AppleLanguages']);
    yield ['AppleLanguages', /"?([A-Za-z]{2,3}(?:[-_]\w+)*)"?/.exec(answer?.stdout ?? '')?.[1]];
  }
  if (platform === 'win32') {
    const key = 'HKCU\\Control Panel\\International';
    const answer = await run('reg', ['query', key, '/v', 'LocaleName']);
    yield ['Windows', /LocaleName\s+REG_SZ\s+(\S+)/.exec(answer?.stdout ?? '')?.[1]];
  }
  if (platform === 'linux') {
    for (const file of LOCALE_FILES) yield [file, readLocaleFile(world.fs, file)];
  }
  for (const name of VARIABLES) yield [name, env[name]];
}

function readLocaleFile(fs: FileSystem, file: string): string | undefined {
  let text: string;
  try {
    text = fs.readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
  // Both files are shell assignments; messages come before the rest.
  const values = VARIABLES.flatMap((name) => {
    const value = new RegExp(`^\\s*${name}=["']?([^"'\\n]*)`, 'm').exec(text)?.[1];
    return value !== undefined && normaliseCulture(value) ? [value] : [];
  });
  return values[0];
}
