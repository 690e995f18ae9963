import { formatHubUrl, isSafeUrl } from '../../hub-client/hub-url.ts';
import { isKeyFor } from '../../identity/choose-hub.ts';
import { type Check, fail, pass, warn } from '../check.ts';

export const hubUrl: Check = {
  id: 'hub-url',
  group: 'hub',
  run({ chosenHub, found, insecure }) {
    const { url, source } = chosenHub();
    const args = { url: formatHubUrl(url), source };
    const current = found();
    if (current.state === 'valid' && !isKeyFor(current.credentials, url)) {
      return fail('hub-other', { ...args, hub: current.credentials.hub_url });
    }
    if (isSafeUrl(url)) return pass('hub-url-ok', args);
    return insecure ? warn('hub-plain', args) : fail('hub-plain', args);
  },
};
