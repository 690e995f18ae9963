import path from 'node:path';
import fs from 'fs-extra';
import { describe, expect, it } from 'vitest';
import { makeFolder, root, runBinary } from './run-binary.ts';

const NPX = 'npx @chorus-protocol/skill ';
const SHORTEN = " | jq 'del(.files[1:])'";

interface Shown {
  command: string;
  output: string;
}

function readShown(file: string): Shown[] {
  const text = fs.readFileSync(path.join(root, file), 'utf8');
  return [...text.matchAll(/```console\n\$ (.+)\n([\s\S]*?)```/g)].map(
    ([, command = '', output = '']) => ({ command, output: output.trimEnd() }),
  );
}

/** What the command prints in a folder that is named as in the README. */
async function runShown(command: string, language: string): Promise<string> {
  const cwd = await makeFolder();
  const run = (line: string) =>
    runBinary(line.split(' '), { cwd, env: { npm_command: 'exec', LANG: language } });
  if (command.includes('--force')) {
    await run(`init --lang ${language}`);
    await fs.appendFile(path.join(cwd, 'chorus/SKILL.md'), 'changed');
  }
  const { stdout, stderr } = await run(command.replace(NPX, '').replace(SHORTEN, ''));
  const printed = (stdout + stderr).replaceAll(cwd, '/srv');
  if (!command.endsWith(SHORTEN)) return printed;
  const value = JSON.parse(printed);
  return JSON.stringify({ ...value, files: value.files.slice(0, 1) }, null, 2);
}

describe.each([
  ['README.md', 'en'],
  ['README.zh-CN.md', 'zh-CN'],
])('%s', (file, language) => {
  it.each(readShown(file))('shows what `$command` prints', async ({ command, output }) => {
    expect(await runShown(command, language)).toBe(output);
  });

  it('names every option of init and every exit code', async () => {
    const text = await fs.readFile(path.join(root, file), 'utf8');
    const { stdout } = await runBinary(['help', 'init'], { cwd: root });
    for (const option of stdout.match(/--[a-z-]+/g) ?? []) expect(text).toContain(option);
    for (const code of [0, 1, 2, 70, 130]) expect(text).toContain(`| ${code} |`);
  });
});

it('both have the same sections, tables and blocks', async () => {
  const shape = async (file: string) =>
    (await fs.readFile(path.join(root, file), 'utf8'))
      .split('\n')
      .flatMap((line) => /^(#+|```\w*|\|)/.exec(line)?.[0] ?? []);
  expect(await shape('README.zh-CN.md')).toEqual(await shape('README.md'));
});
