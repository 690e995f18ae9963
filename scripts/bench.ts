import { spawnSync } from 'node:child_process';
import os from 'node:os';
import path from 'node:path';
import fs from 'fs-extra';
import { type Comparison, measureGrowth, prepareValidate } from './bench-validate.ts';
import { installPacked, packPackage } from './pack.ts';

const root = path.dirname(import.meta.dirname);

/** Start-up and `init` as ratios to the smallest program Node can run; the size of the package. */
const ROUNDS = Math.max(20, Number(process.env.BENCH_ROUNDS) || 40);
const WARM_UP = 3;

interface Case {
  name: string;
  args: string[];
  bound?: number;
  after?: () => void;
}

const scratch = await fs.mkdtemp(path.join(os.tmpdir(), 'chorus-bench-'));
try {
  const packed = await packPackage(scratch);
  const installed = await installPacked(packed.file, scratch);
  const bin = path.join(installed.root, 'dist/bin.cjs');
  const target = path.join(scratch, 'chorus');
  const cases: Case[] = [
    { name: 'node -e 0', args: ['-e', '0'] },
    { name: '--version', args: [bin, '--version'], bound: 1.2 },
    { name: '--help', args: [bin, '--help'] },
    {
      name: 'init',
      args: [bin, 'init', '--dir', target],
      bound: 1.3,
      after: () => fs.removeSync(target),
    },
  ];
  report(cases, measure(cases, ROUNDS));
  const comparisons = await prepareValidate(scratch, bin);
  reportComparisons(comparisons);
  for (const { lines, seconds, megabytes } of await measureGrowth(scratch, bin)) {
    const rate = Math.round(lines / seconds / 1000);
    console.log(
      `validate, ${lines} lines: ${seconds.toFixed(1)} s (${rate},000 a second), ${megabytes.toFixed(0)} MB resident`,
    );
  }
  console.log(`\npacked size: ${(packed.size / 1000).toFixed(1)} kB`);
  console.log(`installed packages: ${installed.packages.length}`);
} finally {
  await fs.remove(scratch);
}

/** The cases take turns, so that a change of the machine's speed reaches all of them. */
function measure(cases: readonly Case[], rounds: number): Map<string, number[]> {
  const times = new Map<string, number[]>(cases.map(({ name }) => [name, []]));
  for (let round = -WARM_UP; round < rounds; round++) {
    for (const { name, args, after } of cases) {
      const start = performance.now();
      // Not execa here: its own work would be counted into the times, and shrink the ratios.
      const { status } = spawnSync(process.execPath, args, {
        cwd: scratch,
        stdio: ['ignore', 'pipe', 'pipe'],
        // The bare loop finds ajv's runtime by it.
        env: { ...process.env, NODE_PATH: path.join(root, 'node_modules') },
      });
      const time = performance.now() - start;
      if (status !== 0) throw new Error(`${name} ended with ${status}`);
      after?.();
      if (round >= 0) times.get(name)?.push(time);
    }
  }
  return times;
}

function report(cases: readonly Case[], times: ReadonlyMap<string, number[]>): void {
  const base = median(times.get('node -e 0'));
  console.log(`Node ${process.version}, ${ROUNDS} rounds in turns, medians\n`);
  console.log('| command | ms | ratio | target |\n| --- | --- | --- | --- |');
  for (const { name, bound } of cases) {
    const time = median(times.get(name));
    const target = bound === undefined ? '' : `≤ ${bound}`;
    console.log(`| \`${name}\` | ${time.toFixed(1)} | ${(time / base).toFixed(2)} | ${target} |`);
  }
}

function reportComparisons(comparisons: readonly Comparison[]): void {
  const cases = comparisons.flatMap(({ name, ours, peer }) => [
    { name: `${name}: ours`, args: ours },
    { name: `${name}: peer`, args: peer },
  ]);
  const times = measure(cases, 20);
  console.log(
    '\n| validate | ours, ms | peer, ms | ratio | target |\n| --- | --- | --- | --- | --- |',
  );
  for (const { name, peerName, target } of comparisons) {
    const ours = median(times.get(`${name}: ours`));
    const peer = median(times.get(`${name}: peer`));
    const figures = `${ours.toFixed(0)} | ${peer.toFixed(0)} (${peerName})`;
    console.log(`| ${name} | ${figures} | ${(ours / peer).toFixed(2)} | ${target} |`);
  }
  console.log();
}

function median(values: readonly number[] = []): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}
