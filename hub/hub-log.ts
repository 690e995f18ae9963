/** Something worth telling the operator: a name and facts, never a key, a hash or a message's text. */
export type HubEvent =
  | { event: 'registered' | 'updated' | 'key-replaced' | 'unregistered'; agent: string }
  | { event: 'inbox-dropped'; agent: string; reason: 'slow' | 'replaced' }
  | { event: 'webhook-failed'; agent: string; reason: string; attempt: number }
  | { event: 'webhook-recovered'; agent: string }
  | { event: 'pruned'; messages: number }
  | { event: 'request'; method: string; path: string; status: number; ms: number }
  | { event: 'internal-error'; detail: string }
  | { event: 'stopping' };

export type HubLog = (event: HubEvent) => void;
