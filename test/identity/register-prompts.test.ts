import nodeFs from 'node:fs';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { execa } from 'execa';
import fs from 'fs-extra';
import { describe, expect, it } from 'vitest';
import type { Context } from '../../cli/context.ts';
import { runCli } from '../../cli/run.ts';
import { collectOutput } from '../collect-output.ts';
import { makeFolder, readTree, root } from '../run-binary.ts';
import { startLiveHub } from './live-hub.ts';

const FILE = 'chorus-credentials.json';
const ENTER = '\r';
const DOWN = '\u001b[B';
const RIGHT = '\u001b[C';
const CONTROL_C = '\u0003';
const CONTROL_U = '\u0015';

/** Runs a command for a person who answers each question, named by a word in it, with keys. */
async function answer(args: string[], cwd: string, answers: readonly [string, string][]) {
  const [stdout, stderr] = [collectOutput(), collectOutput()];
  const input = new PassThrough();
  const output = new PassThrough();
  let asked = '';
  const left = [...answers];
  let from = 0;
  output.on('data', (chunk) => {
    asked += chunk;
    const [word = '', keys = ''] = left[0] ?? [];
    if (left.length === 0 || !asked.slice(from).includes(word)) return;
    left.shift();
    from = asked.length;
    setImmediate(() => input.write(keys));
  });
  const context: Context = {
    cwd,
    env: { LANG: 'ja_JP.UTF-8', HOME: cwd, PATH: process.env.PATH },
    stdout,
    stderr,
    fs: nodeFs,
    packageRoot: root,
    dialogue: { input, output },
    takeStopSignal: () => new AbortController().signal,
  };
  const exitCode = await runCli(args, context);
  return { exitCode, stdout: stdout.text, stderr: stderr.text, asked, left };
}

describe('register at a terminal', () => {
  it('asks for what no flag gave, with a source for what it suggests', async () => {
    const hub = await startLiveHub();
    const cwd = await makeFolder();
    await execa('git', ['init', '-q'], { cwd });
    const run = await answer(['register', '--hub', hub.url, '--ui-lang', 'en'], cwd, [
      ['Which name', `haruka${ENTER}`],
      ['culture', `${CONTROL_U}zh_cn${ENTER}`],
      ['languages', DOWN + ENTER],
      ['.gitignore', ENTER],
    ]);
    expect(run).toMatchObject({ exitCode: 0, left: [] });
    expect(run.asked).toMatch(/(LANG|\/etc\/\S+) says [a-z]{2}-[A-Z]{2}/);
    expect(await fs.readJson(path.join(cwd, FILE))).toMatchObject({
      agent_id: 'haruka@127.0.0.1',
      user_culture: 'zh-CN',
      supported_languages: ['zh-CN', 'en'],
    });
    expect(await fs.readFile(path.join(cwd, '.gitignore'), 'utf8')).toContain(FILE);
    const command = `register haruka@127.0.0.1 --culture zh-CN --languages zh-CN,en --hub ${hub.url} --yes`;
    expect(run.stderr).toContain(command);
  });

  it('asks in Chinese, and no for .gitignore means no', async () => {
    const hub = await startLiveHub();
    const cwd = await makeFolder();
    await execa('git', ['init', '-q'], { cwd });
    const args = ['register', 'haruka', '--hub', hub.url, '--ui-lang', 'zh-CN'];
    const run = await answer(args, cwd, [
      ['文化', `${CONTROL_U}ja${ENTER}`],
      ['语言', ENTER],
      ['.gitignore', RIGHT + ENTER],
    ]);
    expect(run).toMatchObject({ exitCode: 0, left: [] });
    expect(run.stderr).toContain('git 会提交私密文件');
    expect(run.stderr).not.toContain('--yes\n'); // it would agree
    expect(await fs.pathExists(path.join(cwd, '.gitignore'))).toBe(false);
    expect(run.asked + run.stdout).not.toMatch(/\b(Yes|No|culture|key)\b/);
  });

  it('asks again before it gives up an identity', async () => {
    const hub = await startLiveHub();
    const cwd = await makeFolder();
    const base = ['--hub', hub.url, '--culture', 'ja', '--ui-lang', 'en'];
    await answer(['register', 'haruka', ...base], cwd, []);
    const before = await readTree(cwd);
    const no = await answer(['register', 'kenji', '--new-identity', ...base], cwd, [
      ['Really', ENTER],
    ]);
    expect(no.exitCode).toBe(130);
    expect(await readTree(cwd)).toEqual(before);
    const args = ['register', 'kenji', '--new-identity', ...base];
    const yes = await answer(args, cwd, [['Really', `\u001b[D${ENTER}`]]);
    expect(yes.exitCode).toBe(0);
    expect((await fs.readJson(path.join(cwd, FILE))).agent_id).toBe('kenji@127.0.0.1');
  });

  it.each([
    ['the first question', [['Which name', CONTROL_C]]],
    [
      'the last question',
      [
        ['Which name', `haruka${ENTER}`],
        ['culture', `${CONTROL_U}ja${ENTER}`],
        ['languages', CONTROL_C],
      ],
    ],
  ] as [string, [string, string][]][])('Ctrl-C at %s leaves nothing', async (_, answers) => {
    const hub = await startLiveHub();
    const cwd = await makeFolder();
    const run = await answer(['register', '--hub', hub.url, '--ui-lang', 'en'], cwd, answers);
    expect(run).toMatchObject({ exitCode: 130, left: [], stdout: '' });
    expect(await readTree(cwd)).toEqual({});
    expect(hub.issued).toEqual([]);
  });

  it('does not take what is no name or no culture', async () => {
    const hub = await startLiveHub();
    const cwd = await makeFolder();
    const run = await answer(['register', '--hub', hub.url, '--ui-lang', 'en'], cwd, [
      ['Which name', `my-agent${ENTER}`],
      ['no placeholder', `${CONTROL_U}haruka${ENTER}`],
      ['culture', `${CONTROL_U}jp${ENTER}`],
      ['no culture', `${CONTROL_U}en-GB${ENTER}`],
    ]);
    expect(run).toMatchObject({ exitCode: 0, left: [] });
    // Somebody whose culture is English is not asked whether English is fine.
    expect((await fs.readJson(path.join(cwd, FILE))).supported_languages).toEqual(['en-GB']);
  });
});
