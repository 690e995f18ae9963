import type { HubLimits } from '../limits.ts';
import type { HubPages } from '../pages/hub-pages.ts';
import type { Agents } from '../service/agents.ts';
import type { FindCaller } from '../service/caller.ts';
import type { Directory } from '../service/directory.ts';
import type { Inboxes } from '../service/inboxes.ts';
import type { Messages } from '../service/messages.ts';
import type { RecentRegistrations } from '../service/recent-registrations.ts';
import type { SessionTokens } from '../service/session-tokens.ts';
import type { HubStore } from '../store/hub-store.ts';

/** What the routes work with. */
export interface HubParts {
  host: string;
  title: string;
  limits: HubLimits;
  store: HubStore;
  agents: Agents;
  directory: Directory;
  messages: Messages;
  inboxes: Inboxes;
  tokens: SessionTokens;
  recent: RecentRegistrations;
  pages: HubPages;
  findCaller: FindCaller;
  limitMessages: (agent: string) => void;
  limitRegistrations: (address: string) => void;
}
