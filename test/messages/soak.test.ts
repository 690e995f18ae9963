import path from 'node:path';
import { expect, it } from 'vitest';
import { startHub } from '../hub/start-hub.ts';
import { makeAgent, post, readLines, until } from './agent.ts';
import { startCuttingProxy } from './cutting-proxy.ts';

/** `npm run soak` (mode "soak") sends ten thousand; with the other tests it is a taste of it. */
const isWhole = process.env.MODE === 'soak';
const COUNT = isWhole ? 10_000 : 600;
/** A connection brings at most so many bytes: a page of the history, about 45,000, must fit at times. */
const CUT_WITHIN = 120_000;
const SENDERS = 4;
const MINUTES = 60_000;

it(
  `${COUNT} messages through --exec over a bad line: all there, in order, once`,
  async () => {
    const hub = await startHub({ args: ['--max-waiting', '1000000'] });
    const bob = await makeAgent('bob', { url: hub.url });
    const senders = await Promise.all(
      Array.from({ length: SENDERS }, (_, index) => makeAgent(`s${index}`, { url: hub.url })),
    );
    const proxy = await startCuttingProxy(
      hub.url,
      () => 1 + Math.floor(Math.random() * CUT_WITHIN),
    );
    await bob.moveTo(proxy.url);
    const out = path.join(bob.folder, 'out.jsonl');
    const inbox = bob.start(['inbox', '--follow', '--exec', `tee -a ${out}`]);
    const all = Array.from({ length: COUNT / SENDERS }, (_, index) => String(index));
    await Promise.all(
      senders.map(async (sender) => {
        for (const text of all) await post(hub.url, sender, bob, text);
      }),
    );
    await until(async () => inbox.lines.length >= COUNT);
    expect(await inbox.stop()).toBe(0);
    const got = await readLines(out);
    for (const sender of senders) {
      const mine = got.filter(({ envelope }) => envelope.sender_id === sender.id);
      expect(mine.map(({ envelope }) => envelope.original_text)).toEqual(all);
      const kept = (await bob.history(sender.id)).map(({ envelope }) => envelope.original_text);
      expect(kept).toEqual(all);
    }
    expect(proxy.cuts()).toBeGreaterThan(0);
    console.log(`${COUNT} messages, ${proxy.cuts()} disconnections`);
  },
  10 * MINUTES,
);
