import os from 'node:os';
import path from 'node:path';
import fs from 'fs-extra';
import {
  type BenchAgent,
  type Figures,
  measureHistory,
  measureInboxes,
  measureLoad,
  registerAgent,
} from './hub-bench/measure.ts';
import { startBareServer, startHub } from './hub-bench/processes.ts';

/** The hub under load, beside a server that does the least one can do. */
const SENDERS = 32;
const SECONDS = Number(process.env.BENCH_SECONDS) || 10;

const scratch = await fs.mkdtemp(path.join(os.tmpdir(), 'chorus-hub-bench-'));
try {
  console.log(`Node ${process.version}, ${SENDERS} senders, ${SECONDS} s each\n`);
  await benchMessages();
  await benchInboxes();
  await benchHistory();
} finally {
  await fs.remove(scratch);
}

async function benchMessages(): Promise<void> {
  const keys = Array.from({ length: SENDERS }, (_, index) => `ca_bare-${index}`);
  const bare = await startBareServer(path.join(scratch, 'bare.db'), keys);
  const hub = await startHub(path.join(scratch, 'messages'));
  const senders: BenchAgent[] = [];
  const receivers: BenchAgent[] = [];
  for (let index = 0; index < SENDERS; index++) {
    senders.push(await registerAgent(hub.port, `sender-${index}`));
    receivers.push(await registerAgent(hub.port, `receiver-${index}`));
  }
  const offline = await registerAgent(hub.port, 'offline');
  const to = (receivers: readonly BenchAgent[]) =>
    senders.map((sender, index) => ({
      ...sender,
      receiver: receivers[index % receivers.length]?.id ?? '',
    }));
  const online = receivers.slice(0, 1);
  const inboxesOf = (agents: readonly BenchAgent[]) => agents.map(({ key }) => key);
  const bareLoad = {
    senders: keys.map((key) => ({ id: 'a@b', key, receiver: 'c@d' })),
    inboxes: [],
  };
  const figures: [string, Figures][] = [
    ['bare server', await measureLoad(bare, SECONDS, bareLoad)],
    [
      'one online receiver',
      await measureLoad(hub, SECONDS, { senders: to(online), inboxes: inboxesOf(online) }),
    ],
    [
      `${SENDERS} online receivers`,
      await measureLoad(hub, SECONDS, { senders: to(receivers), inboxes: inboxesOf(receivers) }),
    ],
    [
      'one offline receiver',
      await measureLoad(hub, SECONDS, { senders: to([offline]), inboxes: [] }),
    ],
    // Once more: what else the machine does may have changed meanwhile.
    ['bare server again', await measureLoad(bare, SECONDS, bareLoad)],
  ];
  await bare.stop();
  await hub.stop();
  const base = figures.filter(([name]) => name.startsWith('bare')).map(([, it]) => it);
  console.log('| | messages/s | p50 ms | p99 ms | CPU ms | MB | rate ÷ bare | CPU ÷ bare |');
  console.log('| --- | --- | --- | --- | --- | --- | --- | --- |');
  for (const [name, it] of figures) console.log(formatRow(name, it, base));
  console.log('| target | ≥ 12,000 | | < 15 | ≤ 0.090 | | | |\n');
}

function formatRow(name: string, figures: Figures, bases: readonly Figures[]): string {
  const rate = (it: Figures) => it.messages / it.seconds;
  const mean = (of: (it: Figures) => number) =>
    bases.reduce((sum, it) => sum + of(it), 0) / bases.length;
  const cells = [
    name,
    Math.round(rate(figures)).toLocaleString('en'),
    figures.p50.toFixed(1),
    figures.p99.toFixed(1),
    figures.cpu.toFixed(3),
    figures.memory.toFixed(0),
    (rate(figures) / mean(rate)).toFixed(2),
    (figures.cpu / mean((it) => it.cpu)).toFixed(2),
  ];
  return `| ${cells.join(' | ')} |`;
}

async function benchInboxes(): Promise<void> {
  console.log('| open inboxes | MB before | MB | kB an inbox | target |');
  console.log('| --- | --- | --- | --- | --- |');
  for (const count of [1_000, 10_000]) {
    const { before, after } = await measureInboxes(path.join(scratch, `inboxes-${count}`), count);
    const each = ((after - before) * 1024) / count;
    const cells = [
      count.toLocaleString('en'),
      before.toFixed(0),
      after.toFixed(0),
      each.toFixed(1),
    ];
    console.log(`| ${cells.join(' | ')} | ${count === 10_000 ? '< 250 MB' : ''} |`);
  }
  console.log();
}

async function benchHistory(): Promise<void> {
  console.log('| messages in the mailbox | first page, ms | last page, ms |');
  console.log('| --- | --- | --- |');
  const results = await measureHistory(path.join(scratch, 'history'), [100, 1_000_000]);
  for (const { count, first, last } of results) {
    console.log(`| ${count.toLocaleString('en')} | ${first.toFixed(2)} | ${last.toFixed(2)} |`);
  }
}
