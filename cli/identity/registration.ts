import type { RegisterBody } from '../hub-client/hub-client.ts';
import { CARD_VERSION } from '../protocol/constants.ts';

/** What the hub is asked for. `rotate`: a new key for the same id. */
export interface Registration {
  mode: 'new' | 'rotate' | 'new-identity';
  agentId: string;
  hubUrl: string;
  culture: string;
  languages: readonly string[];
  endpoint?: string | undefined;
}

export function formatRegisterBody(registration: Registration): RegisterBody {
  const { agentId, culture, languages, endpoint } = registration;
  return {
    agent_id: agentId,
    agent_card: {
      card_version: CARD_VERSION,
      user_culture: culture,
      supported_languages: languages,
    },
    ...(endpoint === undefined ? {} : { endpoint }),
  };
}
