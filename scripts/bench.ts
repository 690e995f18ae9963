import os from 'node:os';
import path from 'node:path';
import { execaNode } from 'execa';
import fs from 'fs-extra';

/** Start-up and `init`, as ratios to the smallest program Node can run. */
const root = path.dirname(import.meta.dirname);
const bin = path.join(root, 'dist/bin.cjs');
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 40);

const scratch = await fs.mkdtemp(path.join(os.tmpdir(), 'chorus-bench-'));
let count = 0;

interface Case {
  name: string;
  bound?: number;
  run: () => Promise<unknown>;
}

const node = (script: string, args: string[]) => execaNode(script, args, { cwd: scratch });

const emptyFile = path.join(scratch, 'empty.cjs');
await fs.writeFile(emptyFile, '');

const cases: Case[] = [
  { name: 'node -e 0', run: () => execaNode({ nodeOptions: ['-e', '0'], cwd: scratch })`${emptyFile}` },
  { name: '--version', bound: 1.2, run: () => node(bin, ['--version']) },
  { name: '--help', run: () => node(bin, ['--help']) },
  { name: 'init', bound: 1.3, run: () => node(bin, ['init', '--dir', `out-${count++}`]) },
];

const times = new Map<string, number[]>(cases.map(({ name }) => [name, []]));
for (let round = -2; round < ROUNDS; round++) {
  for (const { name, run } of cases) {
    const start = performance.now();
    await run();
    // The first two rounds only warm the caches.
    if (round >= 0) times.get(name)?.push(performance.now() - start);
  }
}
await fs.remove(scratch);

const median = (values: number[] = []) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
const base = median(times.get('node -e 0'));
console.log(`Node ${process.version}, ${ROUNDS} alternating rounds, medians\n`);
console.log('| what | ms | ratio | bound |\n| --- | --- | --- | --- |');
for (const { name, bound } of cases) {
  const time = median(times.get(name));
  console.log(`| \`${name}\` | ${time.toFixed(1)} | ${(time / base).toFixed(2)} | ${bound ?? ''} |`);
}
