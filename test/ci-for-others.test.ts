import os from 'node:os';
import path from 'node:path';
import { execa } from 'execa';
import fs from 'fs-extra';
import { beforeAll, describe, expect, it } from 'vitest';
import { binary, makeFolder, root, runBinary } from './run-binary.ts';

const action = fs.readFileSync(path.join(root, 'action.yml'), 'utf8');
const hooks = fs.readFileSync(path.join(root, '.pre-commit-hooks.yaml'), 'utf8');
/** The lines of the block below `run: |`, without their indentation; it ends the file. */
const script = (/^ {6}run: \|\n((?: {8}.*\n)+)$/m.exec(action)?.[1] ?? '').replace(/^ {8}/gm, '');

const envelope = {
  chorus_version: '0.4',
  sender_id: 'lin.yue@agchorus',
  original_text: '明天十点见',
  sender_culture: 'zh-CN',
};

/** The value of a `key: value` line, wherever it is. */
function readValue(text: string, key: string): string | undefined {
  return new RegExp(`^[ -]*${key}: (.+)$`, 'm').exec(text)?.[1];
}

/** No parser is at hand: every line is of a form that YAML reads as it looks. */
function findOddLines(text: string): string[] {
  const plain = /^(?: {2})*(?:- )?[\w-]+:(?: (?!.*(?:: | #))[^\s"'&*!|>%@`[{].*| '[^']*')?$/;
  return text
    .replace(/^ {6}run: \|\n(?: {8}.*\n)+/m, '')
    .split('\n')
    .filter((line) => line.trim() !== '' && !/^\s*#/.test(line) && !plain.test(line));
}

describe.each([
  ['action.yml', action],
  ['.pre-commit-hooks.yaml', hooks],
])('%s', (_, text) => {
  it('has only plain lines', () => {
    expect(findOddLines(text)).toEqual([]);
    expect(text).not.toContain('\t');
  });

  it('uses options that validate has', async () => {
    const { stdout } = await runBinary(['help', 'validate'], { cwd: root });
    const known = stdout.match(/--[a-z-]+/g) ?? [];
    const used = (text.match(/--[a-z-]+/g) ?? []).filter((option) => option !== '--yes');
    expect(used).toContain('--format');
    for (const option of used) expect(known).toContain(option);
  });
});

describe('the pre-commit hook', () => {
  it('runs the version that its commit is of', async () => {
    const { version } = await fs.readJson(path.join(root, 'package.json'));
    expect(readValue(hooks, 'id')).toBe('chorus-validate');
    expect(readValue(hooks, 'entry')).toMatch(
      `npx --yes @chorus-protocol/skill@${version} validate `,
    );
  });

  it('takes the documents of Chorus, and no other JSON', () => {
    const files = new RegExp(readValue(hooks, 'files') ?? '');
    const taken = ['chorus/examples/a.json', 'x/chorus/examples/b/c.json', 'a.envelope.jsonl'];
    const left = ['chorus/envelope.schema.json', 'chorus/.chorus-skill.json', 'package.json'];
    expect([...taken, ...left].filter((file) => files.test(file))).toEqual(taken);
  });
});

describe('the action', () => {
  let npx: string;
  beforeAll(async () => {
    npx = await fs.mkdtemp(path.join(os.tmpdir(), 'chorus-npx-'));
    // Shows what it was asked for, and runs the built program in place of the published one.
    const stub = `#!/bin/sh\necho "asked for $1 $2" >&2\nshift 2\nexec "${process.execPath}" "${binary}" "$@"\n`;
    await fs.writeFile(path.join(npx, 'npx'), stub, { mode: 0o755 });
    return () => fs.remove(npx);
  });

  async function runAction(cwd: string, inputs: Record<string, string>) {
    const given = Object.entries(inputs).map(([name, value]) => [
      `CHORUS_${name.toUpperCase()}`,
      value,
    ]);
    const env = {
      PATH: `${npx}${path.delimiter}${process.env.PATH}`,
      GITHUB_ACTIONS: 'true',
      CHORUS_PATHS: 'chorus/examples',
      CHORUS_STRICT: 'false',
      CHORUS_VERSION: 'latest',
      ...Object.fromEntries(given),
    };
    // As GitHub starts `shell: bash`.
    return execa('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script], {
      cwd,
      env,
      extendEnv: false,
      reject: false,
    });
  }

  it('hands every input to the script as a variable, never as a part of it', () => {
    expect(script).toContain('npx --yes');
    expect(script).not.toContain('${{');
    for (const input of ['paths', 'strict', 'version']) {
      expect(action).toMatch(
        new RegExp(`^ {2}${input}:\n {4}description: .+\n {4}default: .+$`, 'm'),
      );
      expect(readValue(action, `CHORUS_${input.toUpperCase()}`)).toBe(`\${{ inputs.${input} }}`);
    }
  });

  it('passes over what init wrote', async () => {
    const cwd = await makeFolder();
    await runBinary(['init', '--lang', 'en'], { cwd });
    expect(await runAction(cwd, {})).toMatchObject({
      exitCode: 0,
      stdout: 'all valid (files: 3, documents: 3)',
      stderr: 'asked for --yes @chorus-protocol/skill@latest',
    });
  });

  it('annotates what is wrong and fails', async () => {
    const cwd = await makeFolder();
    await fs.outputJson(path.join(cwd, 'a b.json'), { ...envelope, sender_id: undefined });
    await fs.outputJson(path.join(cwd, 'good/c.json'), envelope);
    const run = await runAction(cwd, { paths: 'a b.json\n  good\n\n', version: '0.4.0' });
    expect(run.exitCode).toBe(1);
    expect(run.stdout).toMatch(
      /^::error file=a b\.json,line=1,.*title=missing-field::.*\nfiles: 2, .*$/,
    );
    expect(run.stderr).toBe('asked for --yes @chorus-protocol/skill@0.4.0');
  });

  it('counts warnings only when it is to be strict', async () => {
    const cwd = await makeFolder();
    await fs.outputJson(path.join(cwd, 'a.json'), { ...envelope, turn_number: 1 });
    expect(await runAction(cwd, { paths: 'a.json' })).toMatchObject({ exitCode: 0 });
    const strict = await runAction(cwd, { paths: 'a.json', strict: 'true' });
    expect(strict).toMatchObject({ exitCode: 1, stdout: expect.stringMatching(/^::error /) });
    expect(await runAction(cwd, { paths: 'a.json', strict: 'yes' })).toMatchObject({ exitCode: 2 });
  });

  it('takes inputs for what they are: no command, no option', async () => {
    const cwd = await makeFolder();
    const paths = '$(touch owned)\n`touch owned`\n"; touch owned; "\n--rules';
    const run = await runAction(cwd, { paths, version: '$(touch owned)' });
    expect(run.exitCode).toBe(2);
    expect(run.stdout.match(/^::error /gm)).toHaveLength(4);
    expect(await fs.readdir(cwd)).toEqual([]);
  });
});
