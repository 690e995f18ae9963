import path from 'node:path';
import type { Context } from './context.ts';
import { CliError } from './errors.ts';
import { errnoOf } from './io/files.ts';

export interface PackageInfo {
  name: string;
  version: string;
}

/** Until package.json is read, or where it cannot be. */
export const UNKNOWN_PACKAGE: PackageInfo = { name: '@chorus-protocol/skill', version: '' };

export function readPackageInfo({
  fs,
  packageRoot,
}: Pick<Context, 'fs' | 'packageRoot'>): PackageInfo {
  const file = path.join(packageRoot, 'package.json');
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8'));
  } catch (error) {
    const errno = errnoOf(error) ?? 'JSON';
    throw new CliError('package-damaged', { path: file, errno }, error);
  }
}
