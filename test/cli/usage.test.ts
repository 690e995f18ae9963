import nodeFs from 'node:fs';
import path from 'node:path';
import { execa } from 'execa';
import fs from 'fs-extra';
import { describe, expect, it } from 'vitest';
import { measureWidth, PLAIN } from '../../cli/io/terminal.ts';
import { runCli } from '../../cli/run.ts';
import { binary, makeFolder, root, runBinary } from '../run-binary.ts';

const run = (args: string[], env: Record<string, string> = {}) =>
  runBinary(args, { cwd: root, env });

describe('usage', () => {
  it('is shown by the bare program, help and --help alike', async () => {
    const bare = await run([]);
    expect(bare).toMatchObject({ exitCode: 0, stderr: '' });
    expect(bare.stdout).toContain('Usage: chorus-skill');
    expect(bare.stdout).toContain('init');
    expect(await run(['help'])).toEqual(bare);
    expect(await run(['--help'])).toEqual(bare);
  });

  it('of a command names every option', async () => {
    const help = await run(['help', 'init']);
    for (const flag of [
      '--lang',
      '--dir',
      '--dry-run',
      '--force',
      '--yes',
      '--json',
      '--ui-lang',
    ]) {
      expect(help.stdout).toContain(flag);
    }
    expect(await run(['init', '--help'])).toEqual(help);
  });

  it('is Chinese for a Chinese locale', async () => {
    const { stdout } = await run(['--help'], { LANG: 'zh_CN.UTF-8' });
    expect(stdout).toContain('用法');
    expect(stdout).not.toMatch(/Usage|Options|Commands/);
    expect(await run(['--help', '--ui-lang', 'zh'])).toMatchObject({ stdout });
  });

  it('fits the width of a narrow pipe: no line is longer than 80 columns', async () => {
    for (const language of ['en', 'zh-CN']) {
      const { stdout } = await run(['help', 'init', '--ui-lang', language]);
      for (const line of stdout.split('\n')) {
        const wide = line.match(/[\u2e80-\uffe6]/g)?.length ?? 0;
        expect(line.length + wide).toBeLessThanOrEqual(80);
      }
    }
  });

  it.each(['en', 'zh-CN'])('fits a narrow terminal, in %s', async (language) => {
    for (const name of ['init', 'register', 'send', 'inbox', 'list']) {
      let shown = '';
      const screen = {
        isTTY: true,
        columns: 60,
        colors: PLAIN,
        write: (text: string) => {
          shown += text;
        },
      };
      await runCli(['help', name, '--ui-lang', language], {
        cwd: root,
        env: {},
        stdout: screen,
        stderr: screen,
        fs: nodeFs,
        packageRoot: root,
        dialogue: undefined,
        takeStopSignal: () => new AbortController().signal,
      });
      const lines = shown.split('\n').filter((line) => !line.startsWith('  chorus-skill '));
      expect(lines.length).toBeGreaterThan(8);
      for (const line of lines) expect(measureWidth(line)).toBeLessThanOrEqual(60);
    }
  });

  it('gives examples, of which every option exists', async () => {
    const names = (await run([])).stdout.match(/^ {2}[a-z]+(?= {2})/gm) ?? [];
    const examples: string[] = [];
    for (const name of names) {
      const { stdout } = await run(['help', name.trim()]);
      const [usage = '', after = ''] = stdout.split('\nExamples:\n');
      const [shown = ''] = after.split('\n\n');
      for (const line of shown.split('\n').filter((it) => it !== '')) {
        examples.push(line);
        expect(line).toMatch(new RegExp(`^ {2}chorus-skill ${name.trim()}( |$)`));
        for (const option of line.match(/ --[a-z-]+/g) ?? []) expect(usage).toContain(option);
      }
    }
    expect(examples.length).toBeGreaterThan(10);
  });

  it('names npx where npx ran us', async () => {
    const { stdout } = await run([], { npm_command: 'exec' });
    expect(stdout).toContain('npx @chorus-protocol/skill');
  });

  it('--version prints the version only', async () => {
    const { version } = await fs.readJson(path.join(root, 'package.json'));
    expect(await run(['--version'])).toEqual({ exitCode: 0, stdout: version, stderr: '' });
    expect(await run(['-v'])).toMatchObject({ stdout: version });
  });
});

describe('a mistake in the command line', () => {
  it.each([
    [['inti'], 'There is no command "inti". Did you mean init?'],
    [['install'], 'There is no command "install". Did you mean init?'],
    [['instal'], 'There is no command "instal". Did you mean init?'],
    [['whoami', '--json=1'], '--json takes no value'],
    [['inti', '--help'], 'There is no command "inti". Did you mean init?'],
    [['help', 'inti'], 'There is no command "inti". Did you mean init?'],
    [['frobnicate'], 'There is no command "frobnicate".\n'],
    [['init', '--forse'], 'There is no option --forse. Did you mean --force?'],
    [['init', '--dry'], 'There is no option --dry. Did you mean --dry-run?'],
    [['init', '--langauge=zh'], 'There is no option --langauge=zh.'],
    [['--versoin'], 'There is no option --versoin. Did you mean --version?'],
    [['init', '--lang'], '--lang needs a value.'],
    [['init', '--dir', '--force'], '--dir needs a value.'],
    [['init', 'here'], '"init" takes no argument "here".'],
    [['init', '--ui-lang', 'fr'], '--ui-lang does not know "fr". It takes: en, zh-CN.'],
  ])('%j exits 2 and says what to do', async (args, message) => {
    const cwd = await makeFolder();
    const result = await runBinary(args, { cwd });
    expect(result).toMatchObject({ exitCode: 2, stdout: '' });
    expect(result.stderr).toContain(message);
    expect(result.stderr).not.toMatch(/\n\s+at /);
    expect(await fs.readdir(cwd)).toEqual([]);
  });

  it('is told in Chinese to a Chinese user', async () => {
    const { stderr } = await run(['inti', '--ui-lang', 'zh-CN']);
    expect(stderr).toMatch(/[\u4e00-\u9fff]/);
    expect(stderr).not.toMatch(/error|try:/);
    const wrong = await run(['--ui-lang', 'xx'], { LANG: 'zh_CN.UTF-8' });
    expect(wrong.stderr).toContain('--ui-lang 不支持 "xx"');
  });

  it('cannot put control sequences on the terminal', async () => {
    const { stderr } = await run(['\u001b[2Jinit\u202e']);
    expect(stderr).toContain('\\u001b[2Jinit\\u202e');
    expect(stderr).not.toContain('\u001b');
  });
});

describe('output', () => {
  it('is plain without a terminal, coloured on demand, and NO_COLOR wins', async () => {
    const plain = await run(['--help']);
    const forced = await run(['--help'], { FORCE_COLOR: '1' });
    const refused = await run(['--help'], { FORCE_COLOR: '1', NO_COLOR: '1' });
    expect(plain.stdout).not.toContain('\u001b');
    expect(forced.stdout).toContain('\u001b[');
    expect(refused).toEqual(plain);
  });

  it('to a reader who has left is no failure', async () => {
    const script = '("$0" "$1" --help; echo $? >&2) | true';
    const { stderr } = await execa('sh', ['-c', script, process.execPath, binary]);
    expect(stderr).toBe('0');
  });
});

it.each([
  [['init', '--dir', 'a'], 1],
  [['init', '--json', '--dir', 'b'], 1],
  [['--help'], 1],
])('%j to a full disk says so in place of a stack trace', async (args, exitCode) => {
  const cwd = await makeFolder();
  const script = 'exec "$0" "$@" > /dev/full';
  const result = await execa('sh', ['-c', script, process.execPath, binary, ...args], {
    cwd,
    env: { LANG: 'C' },
    reject: false,
  });
  expect(result.exitCode).toBe(exitCode);
  expect(result.stderr).toContain('could not be written to standard output (ENOSPC)');
  expect(result.stderr).not.toMatch(/\n\s+at /);
});

it('without its package.json it says that it is damaged', async () => {
  const copy = await makeFolder();
  await fs.copy(path.join(root, 'dist'), path.join(copy, 'dist'));
  const bin = path.join(copy, 'dist/bin.cjs');
  const result = await runBinary(['init', '--json'], { cwd: copy, bin });
  expect(JSON.parse(result.stdout).error.code).toBe('package-damaged');
});

it('a damaged installation is named, without a stack trace', async () => {
  const copy = await makeFolder();
  await fs.copy(path.join(root, 'dist'), path.join(copy, 'dist'));
  await fs.copy(path.join(root, 'package.json'), path.join(copy, 'package.json'));
  const result = await runBinary(['init'], { cwd: copy, bin: path.join(copy, 'dist/bin.cjs') });
  expect(result).toMatchObject({ exitCode: 1, stdout: '' });
  expect(result.stderr).toContain('is incomplete');
  expect(result.stderr).toContain('Install the package again.');
});
