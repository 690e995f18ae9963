import nodeFs from 'node:fs';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import fs from 'fs-extra';
import { expect, it } from 'vitest';
import type { Context } from '../../cli/context.ts';
import { runCli } from '../../cli/run.ts';
import { collectOutput } from '../collect-output.ts';
import { makeFolder, root } from '../run-binary.ts';

/** Runs `init` for a person at a terminal who types these keys once they are asked. */
async function answer(
  keys: string,
  env: Record<string, string>,
  args: string[] = [],
  cwd?: string,
) {
  cwd ??= await makeFolder();
  const [stdout, stderr] = [collectOutput(), collectOutput()];
  const input = new PassThrough();
  const output = new PassThrough();
  let asked = '';
  output.on('data', (chunk) => {
    if (asked === '') setImmediate(() => (keys === END_OF_INPUT ? input.end() : input.write(keys)));
    asked += chunk;
  });
  const context: Context = {
    cwd,
    env,
    stdout,
    stderr,
    fs: nodeFs,
    packageRoot: root,
    dialogue: { input, output },
    takeStopSignal: () => new AbortController().signal,
  };
  const exitCode = await runCli(['init', ...args], context);
  const manifest = path.join(cwd, 'chorus/.chorus-skill.json');
  const language = (await fs.pathExists(manifest)) ? (await fs.readJson(manifest)).language : null;
  return { exitCode, stdout: stdout.text, stderr: stderr.text, asked, language, cwd };
}

const ENTER = '\r';
const DOWN = '\u001b[B';
const CONTROL_C = '\u0003';
const END_OF_INPUT = '';

it('suggests the language of the locale, and tells how to skip the question', async () => {
  const run = await answer(ENTER, { LANG: 'zh_CN.UTF-8' });
  expect(run).toMatchObject({ exitCode: 0, language: 'zh-CN' });
  expect(run.asked).toContain('简体中文 (zh-CN)');
  expect(run.stderr).toContain('chorus-skill init --lang zh-CN');
  expect(run.stdout).not.toContain('--lang');
});

it('takes what the user chooses', async () => {
  expect(await answer(DOWN + ENTER, { LANG: 'en_US.UTF-8' })).toMatchObject({ language: 'zh-CN' });
});

it('is not asked where the answer could not be used', async () => {
  const cwd = await makeFolder();
  await fs.outputFile(path.join(cwd, 'chorus/song.txt'), 'la');
  const run = await answer(ENTER, { LANG: 'C' }, [], cwd);
  expect(run).toMatchObject({ exitCode: 1, asked: '' });
});

it('repeats the other flags in the command that skips the question', async () => {
  const run = await answer(ENTER, { LANG: 'C' }, ['--dir', "my 'own'", '--dry-run']);
  expect(run.stderr).toContain(`init --lang en --dir 'my '\\''own'\\''' --dry-run`);
});

it('is cancelled by Ctrl-C with 130 and nothing written', async () => {
  const run = await answer(CONTROL_C, { LANG: 'en_US.UTF-8' });
  expect(run).toMatchObject({ exitCode: 130, language: null, stdout: '' });
  expect(run.stderr).toContain('Cancelled; nothing was changed.');
  expect(await fs.readdir(run.cwd)).toEqual([]);
});

it('is cancelled when the input ends', async () => {
  const run = await answer(END_OF_INPUT, { LANG: 'en_US.UTF-8' });
  expect(run).toMatchObject({ exitCode: 130, language: null });
});

it.each([
  ['--yes', 'zh-CN'],
  ['--json', 'en'],
  ['--lang=en', 'en'],
])('asks nothing with %s', async (flag, language) => {
  const run = await answer('', { LANG: 'zh_CN.UTF-8' }, [flag]);
  expect(run).toMatchObject({ exitCode: 0, asked: '', language });
});
