import { type Check, fail, pass } from '../check.ts';

export const skillDuplicates: Check = {
  id: 'skill-duplicates',
  group: 'local',
  run({ installations }) {
    if (installations().length === 0) return { because: 'skill-files' };
    for (const { folder, shadowedBy } of installations()) {
      if (shadowedBy !== undefined) return fail('skill-shadowed', { folder, by: shadowedBy });
    }
    return pass('skill-single');
  },
};
