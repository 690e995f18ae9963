export interface AgentCard {
  readonly user_culture?: string;
  readonly supported_languages?: readonly string[];
  readonly [field: string]: unknown;
}

export interface AgentRecord {
  /** Never used again, so that whoever takes a freed id does not get another's messages. */
  readonly serial: number;
  /** As it was registered; two ids never differ only in case. */
  readonly id: string;
  readonly card: AgentCard | null;
  /** Where its webhook is, if it has one. */
  readonly endpoint: string | null;
  readonly keyHash: string;
  readonly registeredAt: number;
}
export type NewAgent = Omit<AgentRecord, 'serial'>;

export interface StoredMessage {
  readonly id: number;
  readonly traceId: string;
  readonly senderId: string;
  readonly receiverId: string;
  /** The envelope as JSON text: a hub passes it on and never looks into it again. */
  readonly envelope: string;
  readonly time: number;
}

export interface NewMessage extends Omit<StoredMessage, 'id'> {
  readonly sender: number;
  readonly receiver: number;
  readonly once?: OnceKey;
  /** How many may wait for the receiver. */
  readonly maxWaiting: number;
}

/** What makes the repeat of a request safe. */
export interface OnceKey {
  readonly key: string;
  /** Of the content, whatever the order of its members. */
  readonly hash: string;
  /** What a repeat is answered until `saveAnswer` says otherwise. */
  readonly answer: string;
}

export type Appended =
  | { readonly result: 'stored'; readonly id: number }
  | { readonly result: 'repeated'; readonly answer: string }
  | { readonly result: 'conflict' }
  | { readonly result: 'full' };

/** Messages just stored for the agent, in order. Only a hint: what counts is what `since` reads. */
export type Wake = (messages: readonly StoredMessage[]) => void;

export interface HubStore {
  close(): Promise<void>;

  /** What addresses on the hub end in, once it is settled. */
  readName(): Promise<string | undefined>;
  writeName(name: string): Promise<void>;

  /** `replacing`: the key hash that the record is known to have; nothing for a new one. */
  putAgent(agent: NewAgent, replacing: string | undefined): Promise<AgentRecord | 'changed'>;
  findAgent(id: string): Promise<AgentRecord | undefined>;
  findAgentByKeyHash(hash: string): Promise<AgentRecord | undefined>;
  /** Ordered by id, regardless of case. */
  listAgents(page: { after?: string | undefined; limit: number }): Promise<AgentRecord[]>;
  countAgents(): Promise<number>;
  removeAgent(serial: number): Promise<boolean>;

  /** Resolves once it is durable. */
  append(message: NewMessage): Promise<Appended>;
  saveAnswer(sender: number, key: string, answer: string): Promise<void>;
  /** What the agent sent and received, or only received, after an id; oldest first. */
  since(page: {
    agent: number;
    after: number;
    limit: number;
    received?: boolean;
  }): Promise<StoredMessage[]>;
  /** The greatest id that was ever given out. */
  lastId(): Promise<number>;
  /** Up to which id its messages have reached the agent. */
  delivered(agent: number): Promise<number>;
  /** Never moves back, and not past what exists. Durable a little later: a crash delivers again. */
  markDelivered(agent: number, id: number): void;
  watch(agent: number, wake: Wake): () => void;

  /** Deletes messages and answers older than these times; returns how many messages. */
  prune(before: { messages: number; answers: number }): Promise<number>;
}
