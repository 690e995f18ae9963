import path from 'node:path';
import { checkText } from '../../envelope/check-text.ts';
import { isMissing, readOwnFile } from '../../io/files.ts';
import { type Check, pass, warn } from '../check.ts';
import type { DoctorWorld } from '../doctor-world.ts';

export const examples: Check = {
  id: 'examples',
  group: 'local',
  run(world) {
    if (world.installations().length === 0) return { because: 'skill-files' };
    let count = 0;
    for (const { folder } of world.installations()) {
      for (const file of listExamples(world, path.join(folder, 'examples'))) {
        const text = readOwnFile(world.fs, file)?.toString('utf8') ?? '';
        const { findings } = checkText(text, { detect: () => 'example' });
        const isWrong = findings.some(({ severity }) => severity === 'error');
        if (isWrong) return warn('example-invalid', { file });
        count++;
      }
    }
    return pass('examples-ok', { count });
  },
};

function listExamples({ fs }: DoctorWorld, folder: string): string[] {
  try {
    const names = fs.readdirSync(folder).filter((name) => name.endsWith('.json'));
    return names.map((name) => path.join(folder, name));
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}
