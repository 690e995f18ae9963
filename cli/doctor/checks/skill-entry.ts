import path from 'node:path';
import { readOwnFile } from '../../io/files.ts';
import { ENTRY_FILE } from '../../scaffold/skill-files.ts';
import { type Check, fail, pass } from '../check.ts';

/** Hosts pass over a longer file, or a longer description. */
const MAX_BYTES = 256_000;
const MAX_DESCRIPTION = 1024;

/** Whether hosts will load SKILL.md, changed by somebody or not. */
export const skillEntry: Check = {
  id: 'skill-entry',
  group: 'local',
  run({ fs, installations }) {
    if (installations().length === 0) return { because: 'skill-files' };
    for (const { folder, missing } of installations()) {
      if (missing.includes(ENTRY_FILE)) continue; // told by the check of the files
      const file = path.join(folder, ENTRY_FILE);
      const problem = findProblem(readOwnFile(fs, file)?.toString('utf8'));
      if (problem) return fail('entry-unusable', { file, problem });
    }
    return pass('entry-ok');
  },
};

/** The name of what a host would stumble over. */
function findProblem(text: string | undefined): string | undefined {
  if (text === undefined || Buffer.byteLength(text) > MAX_BYTES) return `> ${MAX_BYTES} bytes`;
  if (text.startsWith('\ufeff')) return 'BOM';
  const [, frontmatter] = /^---\r?\n([\s\S]*?)\r?\n---(\r?\n|$)/.exec(text) ?? [];
  if (frontmatter === undefined) return '---';
  const field = (name: string) =>
    new RegExp(`^${name}:[ \\t]*["']?(.*?)["']?[ \\t]*$`, 'm').exec(frontmatter)?.[1];
  if (field('name') !== 'chorus') return 'name';
  const description = field('description') ?? '';
  return description === '' || description.length > MAX_DESCRIPTION ? 'description' : undefined;
}
