import fs from 'node:fs';
import path from 'node:path';
import { loadSqlite } from '../../cli/io/sqlite.ts';
import { hashKey } from '../../hub/service/keys.ts';
import { SqliteStore } from '../../hub/store/sqlite/sqlite-store.ts';

const BATCH = 10_000;

export interface FilledAgent {
  key: string;
  count: number;
  lastId: number;
}

/** A data folder with agents that have so many messages; a mailbox after the other. */
export async function fillMailboxes(
  folder: string,
  counts: readonly number[],
): Promise<FilledAgent[]> {
  const open = loadSqlite(path.dirname(path.dirname(import.meta.dirname)));
  if (open === undefined) throw new Error('no SQLite');
  const store = new SqliteStore(fs, folder, open);
  const filled: FilledAgent[] = [];
  for (const count of counts) {
    const key = `ca_with-${count}`;
    const id = `with-${count}@localhost`;
    const record = { id, card: null, endpoint: null, keyHash: hashKey(key), registeredAt: 0 };
    const agent = await store.putAgent(record, undefined);
    if (agent === 'changed') throw new Error(`${id} is there already`);
    const message = {
      traceId: '9d5e4a0c-6f0e-4d57-9a3e-2f6f1f0f8a11',
      sender: agent.serial,
      senderId: id,
      receiver: agent.serial,
      receiverId: id,
      envelope: JSON.stringify({
        chorus_version: '0.4',
        sender_id: id,
        original_text: "Could we move Thursday's call to Friday at ten?",
        sender_culture: 'en-GB',
      }),
      time: Date.now(),
      maxWaiting: Number.POSITIVE_INFINITY,
    };
    for (let done = 0; done < count; done += BATCH) {
      const size = Math.min(BATCH, count - done);
      await Promise.all(Array.from({ length: size }, () => store.append(message)));
    }
    filled.push({ key, count, lastId: await store.lastId() });
  }
  await store.close();
  return filled;
}
