import os from 'node:os';
import path from 'node:path';
import { execa } from 'execa';
import fs from 'fs-extra';
import { beforeAll, describe, expect, it } from 'vitest';
import { GENERATED } from '../scripts/generate.ts';
import { installPacked, type Packed, packPackage } from '../scripts/pack.ts';
import { makeFolder, root, runBinary } from './run-binary.ts';

const MAX_SIZE = 250_000;

describe('the published package', () => {
  let packed: Packed;
  let installed: { root: string; packages: string[] };
  let folder: string;
  beforeAll(async () => {
    folder = await fs.mkdtemp(path.join(os.tmpdir(), 'chorus-pack-'));
    packed = await packPackage(folder);
    installed = await installPacked(packed.file, folder);
    return () => fs.remove(folder);
  });

  it('contains what users need and nothing else', () => {
    const expected =
      /^(dist\/[\w-]+\.cjs|templates\/.+\.(md|json)|package\.json|LICENSE|THIRD-PARTY-NOTICES|README(\.zh-CN)?\.md)$/;
    expect(packed.paths.filter((file) => !expected.test(file))).toEqual([]);
    expect(packed.paths).toEqual(
      expect.arrayContaining([
        'dist/bin.cjs',
        'LICENSE',
        'README.md',
        'README.zh-CN.md',
        'THIRD-PARTY-NOTICES',
        'templates/en/SKILL.md',
        'templates/zh-CN/SKILL.md',
        'templates/shared/envelope.schema.json',
      ]),
    );
  });

  it(`is at most ${MAX_SIZE / 1000} kB and brings no other package`, () => {
    expect(packed.size).toBeLessThanOrEqual(MAX_SIZE);
    expect(installed.packages).toEqual(['node_modules/@chorus-protocol/skill']);
  });

  it('works where it was installed, by the name it is installed under', async () => {
    const cwd = await makeFolder();
    const command = path.join(installed.root, '../../.bin/chorus-skill');
    const env = { HOME: cwd, XDG_STATE_HOME: '' };
    const { exitCode } = await execa(command, ['init', '--lang', 'en'], { cwd, env });
    expect(exitCode).toBe(0);
    expect(await fs.pathExists(path.join(cwd, 'chorus/SKILL.md'))).toBe(true);
  });

  // Later Nodes bring their own SQLite.
  it.runIf(process.version.startsWith('v20.'))(
    'says what hub needs where there is no SQLite, and runs without it in memory',
    async () => {
      const cwd = await makeFolder();
      const bin = path.join(installed.root, 'dist/bin.cjs');
      const { exitCode, stdout } = await runBinary(['hub', '--json', '--data', cwd], { cwd, bin });
      expect(exitCode).toBe(2);
      const { error } = JSON.parse(stdout);
      expect(error).toMatchObject({ code: 'hub-no-database' });
      expect(error.hint).toContain('npm install -g libsql');
      const hub = execa(bin, ['hub', '--json', '--memory', '--port', '0'], { cwd });
      for await (const line of hub) {
        expect(JSON.parse(line)).toMatchObject({ ok: true });
        hub.kill('SIGTERM');
      }
      expect((await hub).exitCode).toBe(0);
    },
  );

  it('names every package in the bundle with its licence', async () => {
    const notices = await fs.readFile(path.join(installed.root, 'THIRD-PARTY-NOTICES'), 'utf8');
    for (const name of ['commander', '@clack/prompts', '@clack/core', 'picocolors']) {
      expect(notices).toContain(`\n${name} `);
    }
    expect(notices).toContain('Permission is hereby granted');
  });
});

it.each(Object.entries(GENERATED))('%s is up to date: npm run generate', async (file, make) => {
  expect(await fs.readFile(path.join(root, file), 'utf8')).toBe(make());
});
