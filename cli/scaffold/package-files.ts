import type { FileContent, FileSystem } from '../io/files.ts';
import { createManifest, formatManifest, MANIFEST_FILE } from './manifest.ts';
import { readSkillFiles } from './skill-files.ts';

/** The package that the skill is installed from. */
export interface SkillSource {
  packageRoot: string;
  package: { name: string; version: string };
}

/** Everything that belongs in the folder. The manifest is the last: it is true once it is there. */
export function readPackageFiles(
  fs: FileSystem,
  { packageRoot, package: info }: SkillSource,
  language: string,
): FileContent[] {
  const skill = readSkillFiles(fs, packageRoot, language);
  const manifest = createManifest(info, language, skill);
  return [...skill, { path: MANIFEST_FILE, content: formatManifest(manifest) }];
}
