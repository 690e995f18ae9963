import { expect, it } from 'vitest';
import { makeFolder } from '../run-binary.ts';
import { call, register, send, type TestAgent } from './hub-api.ts';
import { startHub } from './start-hub.ts';

const ROUNDS = 20;
const SENDERS = 8;

/** Sends one after the other until the hub is gone; what had no answer is sent again later. */
async function keepSending(
  url: string,
  sender: TestAgent,
  receiver: string,
  texts: Iterator<string>,
  acknowledged: Set<string>,
  unanswered: Set<string>,
): Promise<void> {
  const again = [...unanswered];
  for (;;) {
    const text = again.shift() ?? texts.next().value;
    unanswered.add(text);
    try {
      const { status } = await send(url, sender, receiver, text, { 'Idempotency-Key': text });
      if (status !== 202) throw new Error(`answered ${status}`);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === undefined) throw error;
      return; // the hub was killed
    }
    unanswered.delete(text);
    acknowledged.add(text);
  }
}

function* numberTexts(prefix: string): Generator<string, string> {
  for (let index = 0; ; index++) yield `${prefix}-${index}`;
}

async function readTexts(url: string, { key }: TestAgent): Promise<string[]> {
  const texts: string[] = [];
  for (let since = 0; ; ) {
    const { json } = await call(url, 'GET', `/agent/messages?since=${since}`, { key });
    if (json.data.length === 0) return texts;
    for (const message of json.data) texts.push(message.envelope.original_text);
    since = json.data.at(-1).id;
  }
}

it(`after ${ROUNDS} kills nothing acknowledged is missing and nothing is there twice`, async () => {
  const args = ['--data', await makeFolder(), '--max-waiting', '1000000'];
  let hub = await startHub({ args });
  const receiver = await register(hub.url, 'receiver');
  const senders = await Promise.all(
    Array.from({ length: SENDERS }, async (_, index) => ({
      agent: await register(hub.url, `sender-${index}`),
      texts: numberTexts(`${index}`),
      unanswered: new Set<string>(),
    })),
  );
  const acknowledged = new Set<string>();
  for (let round = 0; round < ROUNDS; round++) {
    const sending = senders.map(({ agent, texts, unanswered }) =>
      keepSending(hub.url, agent, receiver.id, texts, acknowledged, unanswered),
    );
    await new Promise((resolve) => setTimeout(resolve, 20 + Math.random() * 200));
    await hub.kill();
    await Promise.all(sending);
    hub = await startHub({ args });
    const stored = await readTexts(hub.url, receiver);
    const unique = new Set(stored);
    expect(stored).toHaveLength(unique.size);
    expect([...acknowledged].filter((text) => !unique.has(text))).toEqual([]);
  }
  expect(acknowledged.size).toBeGreaterThan(ROUNDS * SENDERS);
});
