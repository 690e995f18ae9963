import path from 'node:path';

/** One argument of a command line that a person may copy. */
export function quoteForShell(text: string): string {
  return /^[\w./@:,+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** The path as a person in this folder would type it. */
export function shortPath(cwd: string, file: string): string {
  const relative = path.relative(cwd, file);
  return relative !== '' && !relative.startsWith('..') ? relative : file;
}
