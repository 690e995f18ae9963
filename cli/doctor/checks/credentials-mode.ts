import { type Check, fail, pass } from '../check.ts';

const PRIVATE = 0o600;

export const credentialsMode: Check = {
  id: 'credentials-mode',
  group: 'local',
  needs: ['credentials'],
  run({ fs, found, platform }) {
    const { file } = found();
    // Windows has no such modes; the folder's own rights protect the file there.
    if (platform === 'win32') return pass('mode-none');
    const mode = fs.statSync(file).mode & 0o777;
    const args = { file, mode: mode.toString(8).padStart(4, '0') };
    if ((mode & ~PRIVATE) === 0) return pass('mode-ok', args);
    return fail('mode-open', args, () => fs.chmodSync(file, PRIVATE));
  },
};
