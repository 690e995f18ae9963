import { addIgnoreLines, readGitState } from '../../identity/keep-out-of-git.ts';
import { type Check, fail, pass } from '../check.ts';

export const credentialsGit: Check = {
  id: 'credentials-git',
  group: 'local',
  needs: ['credentials'],
  async run({ fs, run, found }) {
    const { file: path } = found();
    const git = await readGitState({ fs, run }, path);
    if (git.state === 'outside') return pass('git-outside');
    const { file } = git;
    const line = git.lines.join('", "');
    if (git.state === 'ignored') return pass('git-ignored');
    if (git.state === 'tracked') return fail('git-tracked', { path });
    return fail('git-exposed', { path, file, line }, () => addIgnoreLines(fs, git));
  },
};
