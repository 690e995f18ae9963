import path from 'node:path';
import type { Context } from './context.ts';

export interface PackageInfo {
  name: string;
  version: string;
}

export function readPackageInfo({
  fs,
  packageRoot,
}: Pick<Context, 'fs' | 'packageRoot'>): PackageInfo {
  return JSON.parse(fs.readFileSync(path.join(packageRoot, 'package.json'), 'utf8'));
}
