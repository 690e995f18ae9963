import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import standaloneCode from 'ajv/dist/standalone/index.js';
import fs from 'fs-extra';
import { envelopeSchema } from '../cli/protocol/envelope-schema.ts';

const root = path.dirname(import.meta.dirname);

export interface Comparison {
  name: string;
  ours: string[];
  peer: string[];
  peerName: string;
  /** ours : peer must be at most this, or peer : ours at least. */
  target: string;
}

/** `validate` beside ajv-cli, and beside the least a program can do. */
export async function prepareValidate(scratch: string, bin: string): Promise<Comparison[]> {
  const folder = path.join(scratch, 'files');
  for (let index = 0; index < 10_000; index++) {
    const file = path.join(folder, `${index}.json`);
    await fs.outputFile(file, JSON.stringify(makeLine(index).envelope, null, 2));
  }
  const lines = path.join(scratch, 'history.jsonl');
  await fs.writeFile(lines, makeLines(0, 10_000));
  const bare = path.join(scratch, 'bare.cjs');
  await fs.writeFile(bare, makeBareLoop());
  const three = [1, 2, 3].map((index) => path.join(folder, `${index}.json`));
  const schema = path.join(root, 'templates/shared/envelope.schema.json');
  const ajvCli = path.join(root, 'node_modules/ajv-cli/dist/index.js');
  const data = three.flatMap((file) => ['-d', file]);
  return [
    {
      name: '3 files',
      ours: [bin, 'validate', ...three],
      peer: [ajvCli, 'validate', '--spec=draft2020', '-s', schema, ...data],
      peerName: 'ajv-cli 5',
      target: '≤ 0.40',
    },
    {
      name: '10,000 files',
      ours: [bin, 'validate', folder],
      peer: [bare, folder],
      peerName: 'bare loop',
      target: '≤ 1.6',
    },
    {
      name: '10,000 lines',
      ours: [bin, 'validate', lines],
      peer: [bare, lines],
      peerName: 'bare loop',
      target: '≤ 1.6',
    },
  ];
}

/** How time and memory grow with the lines of a history. */
export async function measureGrowth(scratch: string, bin: string) {
  const results: { lines: number; seconds: number; megabytes: number }[] = [];
  for (const count of [100_000, 1_000_000]) {
    const file = path.join(scratch, `${count}.jsonl`);
    const stream = fs.createWriteStream(file);
    for (let from = 0; from < count; from += 10_000) {
      if (!stream.write(makeLines(from, 10_000))) {
        await new Promise<void>((resolve) => stream.once('drain', () => resolve()));
      }
    }
    await new Promise<void>((resolve) => stream.end(() => resolve()));
    const start = performance.now();
    const report = path.join(scratch, 'memory.cjs');
    await fs.writeFile(
      report,
      "process.on('exit', () => require('node:fs').writeSync(2, String(process.resourceUsage().maxRSS)));",
    );
    const { stderr, status } = spawnSync(process.execPath, ['-r', report, bin, 'validate', file], {
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`validate ended with ${status}: ${stderr}`);
    const seconds = (performance.now() - start) / 1000;
    results.push({ lines: count, seconds, megabytes: Number(stderr) / 1000 });
    await fs.remove(file);
  }
  return results;
}

function makeLine(index: number) {
  return {
    ts: '2026-11-18T09:30:00Z',
    dir: index % 2 ? 'sent' : 'received',
    peer: 'haruka.mori@agchorus',
    envelope: {
      chorus_version: '0.4',
      sender_id: 'lin.yue@agchorus',
      original_text: `这次多亏你帮忙盯着测试环境，太给力了，回头我请你吃饭！${index}`,
      sender_culture: 'zh-CN',
      cultural_context: '同事之间表达感谢的口语说法，“请你吃饭”是表示亲近和谢意。',
      conversation_id: `c-${index >> 2}`,
      turn_number: (index & 3) + 1,
    },
  };
}

function makeLines(from: number, count: number): string {
  return Array.from(
    { length: count },
    (_, index) => `${JSON.stringify(makeLine(from + index))}\n`,
  ).join('');
}

/** Reads, parses and asks the precompiled validator; tells nothing but how many are valid. */
function makeBareLoop(): string {
  const ajv = new Ajv2020({ code: { source: true } });
  const code = standaloneCode(ajv, ajv.compile(envelopeSchema));
  return `${code}
const fs = require('node:fs');
const path = require('node:path');
const target = process.argv[2];
let valid = 0;
if (target.endsWith('.jsonl')) {
  for (const line of fs.readFileSync(target, 'utf8').split('\\n')) {
    if (line !== '' && module.exports(JSON.parse(line).envelope)) valid++;
  }
} else {
  for (const name of fs.readdirSync(target)) {
    const text = fs.readFileSync(path.join(target, name), 'utf8');
    if (module.exports(JSON.parse(text))) valid++;
  }
}
console.log(valid);
`;
}
