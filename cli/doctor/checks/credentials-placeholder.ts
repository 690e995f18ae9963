import { isPlaceholder } from '../../identity/agent-id.ts';
import { KEY_PREFIX } from '../../protocol/constants.ts';
import { type Check, fail, pass, warn } from '../check.ts';

/** Copied from a document: `ca_...`, `ca_xxxx`, `ca_your_key`, `<key>`; long random keys have words in them, too. */
const KEY_PLACEHOLDERS =
  /^<|\.\.\.|^(ca_)?(x+|\*+|0+|1+|(.*[-_])?(your|example|placeholder|secret)([-_].*)?)$|^(?=.{1,20}$).*(your|example|placeholder|secret)/i;

export const credentialsPlaceholder: Check = {
  id: 'credentials-placeholder',
  group: 'local',
  needs: ['credentials'],
  run({ found, identity }) {
    const { file } = found();
    const { agent_id: agent, api_key: secret } = identity();
    if (isPlaceholder(agent)) return fail('id-placeholder', { file, agent });
    if (KEY_PLACEHOLDERS.test(secret)) return fail('key-placeholder', { file });
    return secret.startsWith(KEY_PREFIX)
      ? pass('no-placeholder')
      : warn('key-unusual', { file, prefix: KEY_PREFIX });
  },
};
