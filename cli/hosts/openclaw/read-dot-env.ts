import { type FileSystem, readOwnFile } from '../../io/files.ts';

/** The variables of a `.env` file, one `NAME=value` a line; nothing where there is no such file. */
export function readDotEnv(fs: FileSystem, file: string): Record<string, string> {
  const variables: Record<string, string> = {};
  for (const line of readText(fs, file).split(/\r?\n/)) {
    const [, name, raw = ''] = /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=\s*(.*)$/.exec(line) ?? [];
    if (name === undefined) continue;
    const [, , quoted] = /^(['"`])(.*)\1/.exec(raw) ?? [];
    variables[name] = quoted ?? raw.replace(/(^|\s+)#.*$/, '').trim();
  }
  return variables;
}

function readText(fs: FileSystem, file: string): string {
  try {
    return readOwnFile(fs, file)?.toString('utf8') ?? '';
  } catch {
    return ''; // not ours to complain about
  }
}
