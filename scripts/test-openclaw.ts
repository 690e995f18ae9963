import os from 'node:os';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { execa, execaNode } from 'execa';
import fs from 'fs-extra';
import { validate } from 'skills-ref';
import { provideNode, providePackage } from './provide-package.ts';

/** Installs into the real OpenClaw, and asks it what it makes of it. */
const OPENCLAW = 'openclaw@2026.9.6';
/** The line of Node that this OpenClaw runs on. */
const NODE_LINE = '24';
const root = path.dirname(import.meta.dirname);
const bin = path.join(root, 'dist/bin.cjs');

interface Case {
  name: string;
  /** Below the home folder, which `HOME` stands for in texts. */
  files?: Record<string, string>;
  env?: Record<string, string>;
  /** Options of our `init`. */
  options?: string[];
  /** Where the skill must be, below the home folder. */
  folder: string;
  status: 'visible' | 'hidden' | 'disabled' | 'shadowed';
  /** Whether the command that we name makes it visible. */
  isMended?: boolean;
}

const CONFIG = '.openclaw/openclaw.json';
const SEVERAL = '{ agents: { ownership: "explicit", entries: { alpha: {}, beta: {} } } }\n';
const CASES: Case[] = [
  { name: 'no config', folder: '.openclaw/workspace/skills/chorus', status: 'visible' },
  {
    name: 'one agent with a workspace of its own',
    files: { [CONFIG]: '{ "agents": { "entries": { "solo": { "workspace": "~/ws" } } } }\n' },
    folder: 'ws/skills/chorus',
    status: 'visible',
  },
  {
    name: 'several agents that are owned explicitly',
    files: { [CONFIG]: SEVERAL },
    options: ['--agent', 'beta'],
    folder: '.openclaw/workspace-beta/skills/chorus',
    status: 'visible',
  },
  {
    name: 'an allow-list',
    files: { [CONFIG]: '{ agents: { defaults: { skills: ["github"] } } }\n' },
    folder: '.openclaw/workspace/skills/chorus',
    status: 'hidden',
    isMended: true,
  },
  {
    name: 'an allow-list of one agent',
    files: { [CONFIG]: SEVERAL.replace('beta: {}', 'beta: { skills: [] }') },
    options: ['--agent', 'beta'],
    folder: '.openclaw/workspace-beta/skills/chorus',
    status: 'hidden',
    isMended: true,
  },
  {
    name: 'a skill that is switched off',
    files: { [CONFIG]: '{ skills: { entries: { chorus: { enabled: false } } } }\n' },
    folder: '.openclaw/workspace/skills/chorus',
    status: 'disabled',
    isMended: true,
  },
  {
    name: 'JSON5 with comments, $include and a variable',
    files: {
      [CONFIG]: `// Ours, with care.
{
  agents: { $include: './agents.json5', /* trailing comma: */ },
}
`,
      '.openclaw/agents.json5': `{ entries: { "one": { workspace: '\${MY_PLACE}/ws' } } }\n`,
    },
    env: { MY_PLACE: 'HOME/mine' },
    folder: 'mine/ws/skills/chorus',
    status: 'visible',
  },
  {
    name: 'a profile',
    files: { '.openclaw-work/openclaw.json': '{ /* work */ agents: { entries: { w: {} } } }\n' },
    options: ['--profile', 'work'],
    folder: '.openclaw-work/workspace/skills/chorus',
    status: 'visible',
  },
  {
    name: 'another state folder, all agents',
    files: { 'state/openclaw.json': SEVERAL },
    env: { OPENCLAW_STATE_DIR: 'HOME/state' },
    options: ['--scope', 'user'],
    folder: 'state/skills/chorus',
    status: 'visible',
  },
  {
    name: 'a copy that comes after ours',
    files: {
      '.openclaw/workspace/skills/chorus.bak-1/SKILL.md':
        '---\nname: chorus\ndescription: An old copy.\n---\n',
    },
    folder: '.openclaw/workspace/skills/chorus',
    status: 'shadowed',
  },
];

const started = performance.now();
const node = await provideNode(NODE_LINE);
const modules = await providePackage('openclaw', OPENCLAW, ['--ignore-scripts']);
const scratch = await fs.realpath(await fs.mkdtemp(path.join(os.tmpdir(), 'chorus-openclaw-')));
try {
  await fs.outputFile(
    path.join(scratch, 'bin/openclaw'),
    `#!/bin/sh\nexec "${node}" "${path.join(modules, 'openclaw/openclaw.mjs')}" "$@"\n`,
    { mode: 0o755 },
  );
  const installed = performance.now();
  // Two at a time: each takes a processor.
  const waiting = [...CASES.entries()];
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      await runCase(next[1], path.join(scratch, String(next[0])));
      console.log(`ok: ${next[1].name}`);
    }
  };
  await Promise.all([work(), work()]);
  const seconds = (from: number) => ((performance.now() - from) / 1000).toFixed(0);
  console.log(
    `${OPENCLAW}: ${CASES.length} cases in ${seconds(installed)} s, all in ${seconds(started)} s`,
  );
} finally {
  await fs.remove(scratch);
}

async function runCase(it: Case, home: string): Promise<void> {
  const fill = (text: string) => text.replaceAll('HOME', home);
  await fs.ensureDir(home);
  for (const [name, text] of Object.entries(it.files ?? {})) {
    await fs.outputFile(path.join(home, name), fill(text));
  }
  const own = Object.entries(it.env ?? {}).map(([name, value]) => [name, fill(value)]);
  const env = {
    PATH: `${path.join(scratch, 'bin')}${path.delimiter}${process.env.PATH}`,
    HOME: home,
    ...Object.fromEntries(own),
  };
  const options = { cwd: home, env, extendEnv: false, reject: false } as const;
  const ours = (args: string[]) =>
    execaNode(bin, [...args, ...(it.options ?? []), '--json'], options);
  const expectSame = (what: string, got: unknown, wanted: unknown) => {
    if (isDeepStrictEqual(got, wanted)) return;
    throw new Error(
      `${it.name}: ${what}: wanted ${JSON.stringify(wanted)}, got ${JSON.stringify(got)}`,
    );
  };
  const readConfigs = () =>
    Promise.all(
      Object.keys(it.files ?? {}).map((name) => fs.readFile(path.join(home, name), 'utf8')),
    );

  const before = await readConfigs();
  const init = await ours(['init', '--target', 'openclaw']);
  if (init.exitCode !== 0) throw new Error(`${it.name}: ${init.stdout}`);
  const [target] = JSON.parse(init.stdout).targets;
  const folder = path.join(home, it.folder);
  expectSame('the folder', target.dir, folder);
  expectSame('the config', await readConfigs(), before);
  expectSame('what skills-ref finds', await validate(folder), []);
  const agents: { status: string; agent: string; command?: string; by?: string }[] =
    target.openclaw;
  for (const { status } of agents) expectSame('what we say', status, it.status);

  // What OpenClaw itself says, without our reading of it.
  const profile = readOption(it, '--profile');
  const askAll = async () => {
    const answers = [];
    for (const { agent } of agents) answers.push(await ask(agent));
    return answers;
  };
  const ask = async (agent: string) => {
    const args = ['skills', 'info', 'chorus', '--json', '--agent', agent];
    const { stdout } = await execa(
      'openclaw',
      [...(profile ? ['--profile', profile] : []), ...args],
      options,
    );
    return JSON.parse(stdout.slice(stdout.indexOf('{')));
  };
  for (const info of await askAll()) {
    expectSame('modelVisible', info.modelVisible, ['visible', 'shadowed'].includes(it.status));
    const isOurs = info.filePath === path.join(folder, 'SKILL.md');
    expectSame('the path', isOurs, it.status !== 'shadowed');
  }
  if (it.isMended) {
    for (const { command = '' } of agents) await execa('sh', ['-c', command], options);
    for (const info of await askAll()) expectSame('modelVisible then', info.modelVisible, true);
  }
  const uninstall = await ours(['uninstall', '--target', 'openclaw', '--yes']);
  expectSame('uninstall', uninstall.exitCode, 0);
  if (it.status !== 'shadowed') {
    for (const info of await askAll()) expectSame('the end', info.ok, false);
  }
}

function readOption({ options = [] }: Case, name: string): string | undefined {
  const index = options.indexOf(name);
  return index === -1 ? undefined : options[index + 1];
}
