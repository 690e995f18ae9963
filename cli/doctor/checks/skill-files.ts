import { readLanguages } from '../../scaffold/languages.ts';
import { updateSkills } from '../../scaffold/update.ts';
import { type Check, fail, pass, warn } from '../check.ts';

/** The worst of all places is told; `list` shows each. */
export const skillFiles: Check = {
  id: 'skill-files',
  group: 'local',
  run({ fs, source, installations, lookAgain }) {
    const found = installations();
    if (found.length === 0) return warn('skill-none');
    const incomplete = found.find(({ damage }) => damage === 'missing-files');
    if (incomplete) {
      const { folder, missing, version } = incomplete;
      const repair = () => {
        const languages = readLanguages(fs, source.packageRoot);
        const request = { ...source, folder, language: undefined, languages };
        updateSkills(fs, [{ ...request, force: false, dryRun: false }]);
        lookAgain();
      };
      // The files of another version would not fit to the rest.
      const isOurs = version === source.package.version;
      const args = { folder, files: missing };
      return isOurs
        ? fail('skill-incomplete', args, repair)
        : fail('skill-incomplete-other', { ...args, version: version ?? '?' });
    }
    const damaged = found.find(({ damage }) => damage !== undefined);
    if (damaged) return fail('skill-damaged', { folder: damaged.folder });
    const outdated = found.find(({ state }) => state === 'outdated');
    if (outdated) {
      const { folder, version = '?' } = outdated;
      return warn('skill-outdated', { folder, version, ours: source.package.version });
    }
    const changed = found.find(({ changed: files }) => files.length > 0);
    if (changed) return warn('skill-changed', { folder: changed.folder, files: changed.changed });
    const newer = found.find(({ isNewer }) => isNewer);
    if (newer) {
      const { folder, version = '?' } = newer;
      return warn('skill-newer', { folder, version, ours: source.package.version });
    }
    const folders = found.map(({ folder }) => folder);
    return pass('skill-ok', { version: source.package.version, folders });
  },
};
