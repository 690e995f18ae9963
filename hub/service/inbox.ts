import type { AgentRecord, HubStore, StoredMessage } from '../store/hub-store.ts';
import { formatMessageEvent } from './format-message.ts';

/** Where an inbox writes to: a Node response, or what stands for it in a test. */
export interface InboxStream {
  /** False when the reader does not keep up; then `drain` follows. */
  write(text: string): boolean;
  end(): void;
  destroy(): void;
}

const PAGE = 100;
const PIECE = 65_536;

/** One open stream of an agent: first what it has not got, then what comes, always in order. */
export class Inbox {
  readonly agent: AgentRecord;
  readonly #store: HubStore;
  readonly #stream: InboxStream;
  readonly #unwatch: () => void;
  /** The last message written. */
  #cursor: number;
  #isReading = false;
  #hasMore = false;
  #isClosed = false;
  #blockedSince: number | undefined;

  constructor(agent: AgentRecord, after: number, store: HubStore, stream: InboxStream) {
    this.agent = agent;
    this.#cursor = after;
    this.#store = store;
    this.#stream = stream;
    this.#unwatch = store.watch(agent.serial, (messages) => this.#wake(messages));
  }

  /** Since when the reader has not taken what was written to it. */
  get blockedSince(): number | undefined {
    return this.#blockedSince;
  }

  /** Writes what is in the mailbox, until nothing is left or the reader does not keep up. */
  async catchUp(): Promise<void> {
    if (this.#isReading) {
      this.#hasMore = true;
      return;
    }
    this.#isReading = true;
    try {
      do {
        this.#hasMore = false;
        const messages = await this.#store.since({
          agent: this.agent.serial,
          after: this.#cursor,
          limit: PAGE,
          received: true,
        });
        this.#write(messages);
        if (messages.length === PAGE) this.#hasMore = true;
      } while (this.#hasMore && this.#canWrite);
    } catch {
      // Unreadable now; the agent reconnects and reads on from where it was.
      this.close(true);
    }
    this.#isReading = false;
  }

  ping(): void {
    if (this.#canWrite) this.#stream.write(': ping\n\n');
  }

  /** The reader has taken everything. */
  drained(): void {
    this.#blockedSince = undefined;
    this.#store.markDelivered(this.agent.serial, this.#cursor);
    void this.catchUp();
  }

  /** Ends it; `now`: without waiting for a reader who still takes something. */
  close(now = false): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#unwatch();
    // One who takes nothing would not take the end either, and hold what is left for ever.
    if (now || this.#blockedSince !== undefined) this.#stream.destroy();
    else this.#stream.end();
  }

  get #canWrite(): boolean {
    return !this.#isClosed && this.#blockedSince === undefined;
  }

  #wake(messages: readonly StoredMessage[]): void {
    // Nothing older is missing when no reading is under way: then what is new is enough.
    if (this.#isReading) this.#hasMore = true;
    else this.#write(messages);
  }

  #write(messages: readonly StoredMessage[]): void {
    let text = '';
    for (const message of messages) {
      if (!this.#canWrite) return;
      if (message.id <= this.#cursor) continue;
      this.#cursor = message.id;
      text += formatMessageEvent(message);
      // In pieces, so that a reader who stops leaves little behind.
      if (text.length < PIECE) continue;
      this.#flush(text);
      text = '';
    }
    if (text !== '') this.#flush(text);
  }

  #flush(text: string): void {
    if (this.#stream.write(text)) this.#store.markDelivered(this.agent.serial, this.#cursor);
    else this.#blockedSince = Date.now();
  }
}
