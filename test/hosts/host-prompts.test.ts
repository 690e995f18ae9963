import nodeFs from 'node:fs';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import fs from 'fs-extra';
import { describe, expect, it } from 'vitest';
import type { Context } from '../../cli/context.ts';
import { PLAIN } from '../../cli/io/terminal.ts';
import { runCli } from '../../cli/run.ts';
import { readTree, root } from '../run-binary.ts';
import { createComputer } from './computer.ts';

const ENTER = '\r';
const SPACE = ' ';
const DOWN = '\u001b[B';
const RIGHT = '\u001b[C';
const CONTROL_C = '\u0003';

/** Runs the program for a person who answers each question with the next keys. */
async function answer(
  args: readonly string[],
  keys: readonly (readonly string[])[],
  { home, project }: { home: string; project: string },
) {
  const output = { out: '', err: '', asked: '' };
  const stream = (name: 'out' | 'err') => ({
    isTTY: true,
    columns: 80,
    colors: PLAIN,
    write: (text: string) => {
      output[name] += text;
    },
  });
  const [input, screen] = [new PassThrough(), new PassThrough()];
  const left = [...keys];
  screen.on('data', (chunk) => {
    const text = String(chunk);
    output.asked += text;
    // A question begins with this mark; what follows is only drawn again.
    if (text.includes('◆') && /\(.*(Enter|回车)/.test(text)) {
      const next = left.shift();
      if (next !== undefined) setImmediate(() => typeKeys(input, next));
    }
  });
  const context: Context = {
    cwd: project,
    env: { HOME: home, LANG: 'C', PATH: '' },
    stdout: stream('out'),
    stderr: stream('err'),
    fs: nodeFs,
    packageRoot: root,
    dialogue: { input, output: screen },
    takeStopSignal: () => new AbortController().signal,
  };
  const exitCode = await runCli(args, context);
  return { exitCode, ...output, left };
}

/** One key after the other, as a keyboard sends them. */
function typeKeys(input: PassThrough, [first, ...rest]: readonly string[]): void {
  if (first === undefined) return;
  input.write(first);
  setImmediate(() => typeKeys(input, rest));
}

describe('init on a terminal', () => {
  it('finds the hosts that are there and lets the user choose several', async () => {
    const computer = await createComputer();
    await fs.ensureDir(path.join(computer.home, '.cursor'));
    await fs.ensureDir(path.join(computer.project, '.claude'));
    const run = await answer(['init'], [[ENTER], [DOWN, ENTER], [ENTER]], computer);
    expect(run.exitCode).toBe(0);
    for (const shown of ['Claude Code', 'Cursor', './chorus']) expect(run.asked).toContain(shown);
    expect(run.asked).not.toContain('Windsurf');
    expect(run.err).toContain('init --target claude-code,cursor --scope user --lang en');
    for (const folder of ['.claude', '.cursor']) {
      expect(await fs.readdir(path.join(computer.home, folder, 'skills'))).toEqual(['chorus']);
    }
    expect(await fs.readdir(computer.project)).toEqual(['.claude']);
  });

  it('takes none of them for a plain folder', async () => {
    const computer = await createComputer();
    await fs.ensureDir(path.join(computer.home, '.claude'));
    const run = await answer(['init'], [[SPACE, DOWN, SPACE, ENTER], [ENTER]], computer);
    expect(run.exitCode).toBe(0);
    expect(await fs.readdir(computer.project)).toEqual(['chorus']);
  });

  it('asks for the agent where OpenClaw has several', async () => {
    const computer = await createComputer();
    await fs.outputFile(
      path.join(computer.home, '.openclaw/openclaw.json'),
      '{agents: {ownership: "explicit", entries: {x: {}, y: {}}}}',
    );
    const keys = [[ENTER], [ENTER], [DOWN, ENTER], [ENTER]];
    const run = await answer(['init'], keys, computer);
    expect(run.exitCode).toBe(0);
    expect(run.err).toContain('--target openclaw --scope project --agent y --lang en');
    const folder = path.join(computer.home, '.openclaw/workspace-y/skills/chorus');
    expect(await fs.pathExists(folder)).toBe(true);
  });

  it.each([['--yes'], ['--json'], ['--dir=x'], ['--target=codex']])(
    'asks for no host with %s',
    async (flag) => {
      const computer = await createComputer();
      await fs.ensureDir(path.join(computer.home, '.claude'));
      const run = await answer(['init', flag, '--lang', 'en'], [], computer);
      expect(run).toMatchObject({ exitCode: 0, asked: '' });
    },
  );

  it('is cancelled at any question with nothing written', async () => {
    for (const answered of [0, 1, 2]) {
      const keys = [...Array(answered).fill([ENTER]), [CONTROL_C]];
      const computer = await createComputer();
      await fs.ensureDir(path.join(computer.home, '.claude'));
      const before = await readTree(computer.home);
      expect(await answer(['init'], keys, computer)).toMatchObject({ exitCode: 130, out: '' });
      expect(await readTree(computer.home)).toEqual(before);
    }
  });
});

describe('uninstall on a terminal', () => {
  it('asks from where, and whether it is meant', async () => {
    const computer = await createComputer();
    await computer.run(['init', '--target', 'codex,claude-code']);
    const before = await readTree(computer.home);
    const no = await answer(['uninstall'], [[ENTER], [SPACE, ENTER], [ENTER]], computer);
    expect(no).toMatchObject({ exitCode: 130, left: [] });
    expect(no.asked).toContain('Choose at least one.');
    expect(no.asked).toMatch(/Remove the Chorus skill from \.\w+\/skills\/chorus\?/);
    expect(await readTree(computer.home)).toEqual(before);
    const yes = await answer(
      ['uninstall'],
      [
        [SPACE, ENTER],
        [RIGHT, ENTER],
      ],
      computer,
    );
    expect(yes.exitCode).toBe(0);
    expect(await fs.readdir(computer.project)).toEqual(['.agents']);
  });
});
