import { Refusal } from '../refusal.ts';
import type { AgentRecord, HubStore } from '../store/hub-store.ts';
import type { Inboxes } from './inboxes.ts';

/** What the directory shows of an agent. */
export interface DirectoryEntry {
  agent_id: string;
  culture: string | null;
  languages: readonly string[];
  online: boolean;
}

export interface DirectoryFilter {
  culture?: string | undefined;
  language?: string | undefined;
  online?: boolean | undefined;
  after?: string | undefined;
  limit: number;
}

export interface Page<Item> {
  items: Item[];
  /** What to ask for next with `after`, where there may be more. */
  next?: string;
}

const BATCH = 500;
/** Agents looked at for one page: a filter that nobody passes must not keep the hub busy. */
const MAX_LOOKED_AT = 1000;
const MAX_PAGE = 500;

export class Directory {
  readonly #store: HubStore;
  readonly #inboxes: Inboxes;

  constructor(store: HubStore, inboxes: Inboxes) {
    this.#store = store;
    this.#inboxes = inboxes;
  }

  describe({ id, serial, card }: AgentRecord): DirectoryEntry {
    return {
      agent_id: id,
      culture: card?.user_culture ?? null,
      languages: card?.supported_languages ?? [],
      online: this.#inboxes.isOnline(serial),
    };
  }

  /** Agents in the order of their ids, and what the directory shows of each. */
  async list(
    filter: DirectoryFilter,
  ): Promise<Page<{ agent: AgentRecord; entry: DirectoryEntry }>> {
    const items: { agent: AgentRecord; entry: DirectoryEntry }[] = [];
    let after = filter.after;
    for (let looked = 0; ; looked += BATCH) {
      if (looked >= MAX_LOOKED_AT && after !== undefined) return { items, next: after };
      const agents = await this.#store.listAgents({ after, limit: BATCH });
      for (const agent of agents) {
        const entry = this.describe(agent);
        if (!matches(entry, filter)) continue;
        if (items.length === filter.limit) return { items, ...nextOf(items) };
        items.push({ agent, entry });
      }
      after = agents.at(-1)?.id;
      if (agents.length < BATCH || after === undefined) return { items };
    }
  }
}

function nextOf(items: readonly { agent: AgentRecord }[]): { next?: string } {
  const last = items.at(-1);
  return last === undefined ? {} : { next: last.agent.id };
}

function matches(entry: DirectoryEntry, { culture, language, online }: DirectoryFilter): boolean {
  return (
    (online === undefined || entry.online === online) &&
    (culture === undefined || covers(culture, entry.culture ?? '')) &&
    (language === undefined || entry.languages.some((tag) => covers(language, tag)))
  );
}

/** `zh` covers `zh-CN`, in whatever case. */
function covers(wanted: string, tag: string): boolean {
  return `${tag.toLowerCase()}-`.startsWith(`${wanted.toLowerCase()}-`);
}

export function parseLimit(given: string | null): number {
  if (given === null) return MAX_PAGE;
  const limit = /^\d{1,4}$/.test(given) ? Number(given) : 0;
  if (limit >= 1 && limit <= MAX_PAGE) return limit;
  throw new Refusal('ERR_VALIDATION', `limit must be a number from 1 to ${MAX_PAGE}.`);
}
