import nodeFs from 'node:fs';
import path from 'node:path';
import { execaSync } from 'execa';
import fs from 'fs-extra';
import { describe, expect, it } from 'vitest';
import type { FileSystem } from '../../cli/io/files.ts';
import { installSkills } from '../../cli/scaffold/install.ts';
import { removeSkills } from '../../cli/scaffold/remove.ts';
import { updateSkills } from '../../cli/scaffold/update.ts';
import { failAt } from '../failing-files.ts';
import { binary, makeFolder, readTree, root } from '../run-binary.ts';
import { createComputer } from './computer.ts';

const source = {
  packageRoot: root,
  package: { name: '@chorus-protocol/skill', version: '9.9.9' },
};
/** As the built program writes it. */
const ownPackage = {
  ...source.package,
  version: fs.readJsonSync(path.join(root, 'package.json')).version,
};
const FOLDERS = ['.claude/skills/chorus', '.agents/skills/chorus', 'plain'];

const install = (fileSystem: FileSystem, cwd: string, options: object = {}) =>
  installSkills(
    fileSystem,
    FOLDERS.map((dir) => ({
      ...source,
      cwd,
      dir,
      language: 'en',
      force: false,
      dryRun: false,
      ...options,
    })),
  );

const update = (fileSystem: FileSystem, cwd: string) =>
  updateSkills(
    fileSystem,
    FOLDERS.map((dir) => ({
      ...source,
      folder: path.join(cwd, dir),
      language: 'zh-CN',
      languages: ['en', 'zh-CN'],
      force: false,
      dryRun: false,
    })),
  );

const remove = (fileSystem: FileSystem, cwd: string) =>
  removeSkills(
    fileSystem,
    FOLDERS.map((dir) => {
      const folder = path.join(cwd, dir);
      return { folder, named: folder, base: cwd, force: false, dryRun: false };
    }),
  );

/** The built program, while this process stands still. */
const runSync = (args: readonly string[], cwd: string) =>
  execaSync(process.execPath, [binary, ...args], {
    cwd,
    env: { PATH: process.env.PATH ?? '', HOME: cwd },
    extendEnv: false,
    reject: false,
  });

/** Three installations, in one of which a person has been at work. */
async function makeInstalled(): Promise<string> {
  const cwd = await makeFolder();
  install(nodeFs, cwd);
  await fs.appendFile(path.join(cwd, FOLDERS[1] ?? '', 'PROTOCOL.md'), 'mine');
  await fs.outputFile(path.join(cwd, FOLDERS[1] ?? '', 'notes/mine.txt'), 'mine');
  return cwd;
}

/** Does the work once for every step of it, which fails; checks what each failure leaves. */
async function failEverywhere(
  prepare: () => Promise<string>,
  work: (fileSystem: FileSystem, cwd: string) => unknown,
): Promise<number> {
  const finished = await prepare();
  work(nodeFs, finished);
  const wanted = await readTree(finished);
  let failures = 0;
  for (let n = 1; ; n++) {
    const cwd = await prepare();
    const before = await readTree(cwd);
    const broken = failAt(n, 'ENOSPC');
    let error: unknown;
    try {
      work(broken.fs, cwd);
    } catch (caught) {
      error = caught;
    }
    if (!broken.reached()) return failures;
    if (error !== undefined) {
      failures++;
      expect(error).toMatchObject({ code: 'disk-full' });
    }
    expect(await readTree(cwd), `step ${n}`).toEqual(error === undefined ? wanted : before);
  }
}

describe('whichever step fails, several folders', () => {
  it('are all installed, or none is, and no folder above them stays', async () => {
    expect(await failEverywhere(makeFolder, (it, cwd) => install(it, cwd))).toBeGreaterThan(60);
  });

  it('are all updated, or all are as before', async () => {
    expect(await failEverywhere(makeInstalled, update)).toBeGreaterThan(60);
  });

  it('are all replaced under --force, or all are as before', async () => {
    const force = (it: FileSystem, cwd: string) =>
      install(it, cwd, { force: true, language: 'zh-CN' });
    expect(await failEverywhere(makeInstalled, force)).toBeGreaterThan(60);
  });

  it('are all removed, or all are there', async () => {
    expect(await failEverywhere(makeInstalled, remove)).toBeGreaterThan(40);
  });

  it('killed there, are put in order by the next update', async () => {
    const wanted = await makeInstalled();
    update(nodeFs, wanted);
    for (let n = 1; ; n += 3) {
      const cwd = await makeInstalled();
      const broken = failAt(n, 'EIO', { forEver: true });
      try {
        update(broken.fs, cwd);
      } catch {
        // As if the process had ended here.
      }
      update(nodeFs, cwd);
      expect(await readTree(cwd), `step ${n}`).toEqual(await readTree(wanted));
      if (!broken.reached()) return;
    }
  });
});

describe('what a run killed at the end of a removal left', () => {
  const prepare = async () => {
    const computer = await createComputer();
    const folder = path.join(computer.project, '.agents/skills/chorus');
    await fs.outputFile(path.join(folder, '.chorus-staging/old/SKILL.md'), 'old');
    await fs.ensureDir(path.join(folder, 'examples'));
    return { ...computer, folder };
  };

  it('is listed as damaged, and installed over', async () => {
    const { folder, json, run } = await prepare();
    expect((await json(['list'])).value.installations).toMatchObject([
      { state: 'damaged', damage: 'interrupted' },
    ]);
    expect((await run(['init', '--target', 'codex'])).exitCode).toBe(0);
    expect(Object.keys(await readTree(folder))).toHaveLength(8);
  });

  it.each([['uninstall', '--target', 'codex', '--yes'], ['update']])(
    'goes with %s',
    async (...args) => {
      const { project, folder, run } = await prepare();
      expect((await run(args)).exitCode).toBe(0);
      expect(Object.keys(await readTree(project)).filter((name) => !name.endsWith('/'))).toEqual(
        [],
      );
      expect(await fs.pathExists(folder)).toBe(false);
    },
  );
});

it('what reads back otherwise than it was written is taken back', async () => {
  const cwd = await makeFolder();
  const lying = {
    ...nodeFs,
    readFileSync: (file: string, ...rest: unknown[]) => {
      const isOurs = file === path.join(cwd, FOLDERS[2] ?? '', 'SKILL.md');
      return isOurs ? Buffer.from('something else') : nodeFs.readFileSync(file, ...(rest as []));
    },
  } as unknown as FileSystem;
  expect(() => install(lying, cwd)).toThrow(expect.objectContaining({ code: 'not-readable-back' }));
  expect(await readTree(cwd)).toEqual({});
});

it('when the second place cannot be written, the first is put back', async () => {
  const { home, project, json } = await createComputer();
  await fs.outputFile(path.join(project, '.agents'), 'a file');
  const before = await readTree(home);
  const { exitCode, value } = await json(['init', '--target', 'claude-code,codex']);
  expect([exitCode, value.error.code]).toEqual([1, 'not-a-folder']);
  expect(await readTree(home)).toEqual(before);
});

describe('several runs at once', () => {
  it('a folder that may still be taken back is not yet there for others', async () => {
    const cwd = await makeFolder();
    const [, first = ''] = FOLDERS;
    let other: { exitCode?: number; stdout: string } | undefined;
    const slow = {
      ...nodeFs,
      renameSync: (from: string, to: string) => {
        if (to === path.join(cwd, 'plain')) {
          other = runSync(['init', '--target', 'codex', '--lang', 'en', '--json'], cwd);
          throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' });
        }
        nodeFs.renameSync(from, to);
      },
    } as unknown as FileSystem;
    expect(() => install(slow, cwd, { package: ownPackage })).toThrow(
      expect.objectContaining({ code: 'disk-full' }),
    );
    expect(other?.exitCode).toBe(1);
    expect(JSON.parse(other?.stdout ?? '').error).toMatchObject({
      code: 'folder-busy',
      args: { dir: path.join(cwd, first), pid: process.pid },
    });
    expect(await readTree(cwd)).toEqual({});
  });

  it('install whole: one wins, or all find the same', async () => {
    const { project, json } = await createComputer();
    const languages = ['en', 'zh-CN', 'en', 'zh-CN', 'en', 'zh-CN'];
    const runs = await Promise.all(
      languages.map((lang) => json(['init', '--target', 'codex,claude-code', '--lang', lang])),
    );
    const winners = runs.filter((run) => run.exitCode === 0);
    expect(winners.length).toBeGreaterThan(0);
    const [language, ...others] = new Set(winners.map((run) => run.value.language));
    expect(others).toEqual([]);
    for (const dir of ['.agents', '.claude']) {
      expect(await fs.readdir(path.join(project, dir, 'skills'))).toEqual(['chorus']);
      const manifest = path.join(project, dir, 'skills/chorus/.chorus-skill.json');
      expect((await fs.readJson(manifest)).language).toBe(language);
    }
  });

  it('update and remove without mixing', async () => {
    const { project, run, json } = await createComputer();
    await run(['init', '--target', 'codex,claude-code']);
    const commands = ['en', 'zh-CN', 'en', 'zh-CN'].map((lang) => ['update', '--lang', lang]);
    const runs = await Promise.all(commands.map((args) => json(args)));
    for (const { exitCode, value } of runs.filter((it) => it.exitCode !== 0)) {
      expect([exitCode, value.error.code]).toEqual([1, 'folder-busy']);
    }
    const states = (await json(['list'])).value.installations;
    expect(states.map((it: { state: string }) => it.state)).toEqual(['current', 'current']);
    const removals = await Promise.all(
      [1, 2, 3].map(() => json(['uninstall', '--target', 'codex,claude-code', '--yes'])),
    );
    expect(removals.some((it) => it.exitCode === 0)).toBe(true);
    expect(await readTree(project)).toEqual({});
  });

  it('do not bring back what one of them removes', async () => {
    const { project, run, json } = await createComputer();
    await run(['init', '--target', 'codex']);
    const runs = await Promise.all([
      json(['uninstall', '--target', 'codex', '--yes']),
      ...['en', 'zh-CN', 'en'].map((lang) => json(['update', '--lang', lang])),
    ]);
    const [removal] = runs;
    const files = Object.keys(await readTree(project)).filter((name) => !name.endsWith('/'));
    expect(files).toHaveLength(removal?.exitCode === 0 ? 0 : 8);
    const codes = runs.flatMap(({ value }) => value.error?.code ?? []);
    for (const code of codes) expect(['folder-busy', 'nothing-installed']).toContain(code);
  });
});
