import nodeFs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { execaNode } from 'execa';
import fs from 'fs-extra';
import { describe, expect, it } from 'vitest';
import type { FileSystem } from '../../cli/io/files.ts';
import { installSkill } from '../../cli/scaffold/install.ts';
import { failAt } from '../failing-files.ts';
import { binary, makeFolder, readTree, root, runBinary } from '../run-binary.ts';

const install = (fileSystem: FileSystem, cwd: string, dir: string, force: boolean) =>
  installSkill(fileSystem, {
    cwd,
    dir,
    language: 'zh-CN',
    packageRoot: root,
    package: { name: '@chorus-protocol/skill', version: '9.9.9' },
    force,
    dryRun: false,
  });

describe('whichever step fails', () => {
  it('a fresh installation leaves nothing, not even the folders above it', async () => {
    let failures = 0;
    for (let n = 1; ; n++) {
      const cwd = await makeFolder();
      const broken = failAt(n, 'ENOSPC');
      let error: unknown;
      try {
        install(broken.fs, cwd, 'deep/er/chorus', false);
      } catch (caught) {
        error = caught;
      }
      if (!broken.reached()) break;
      if (error === undefined) {
        // Only making the rename durable may fail without harm: the folder is there, whole.
        expect(Object.keys(await readTree(path.join(cwd, 'deep/er/chorus')))).toHaveLength(8);
        continue;
      }
      failures++;
      expect(error).toMatchObject({ code: 'disk-full' });
      expect(await readTree(cwd)).toEqual({});
    }
    expect(failures).toBeGreaterThan(20);
  });

  /** A folder with an older installation in which a person has been at work. */
  async function makeOldFolder() {
    const cwd = await makeFolder();
    const folder = path.join(cwd, 'chorus');
    await runBinary(['init', '--lang', 'en'], { cwd });
    await fs.remove(path.join(folder, 'examples'));
    await fs.appendFile(path.join(folder, 'SKILL.md'), 'mine');
    return { cwd, folder, before: await readTree(folder) };
  }

  async function readWanted() {
    const cwd = await makeFolder();
    install(nodeFs, cwd, 'chorus', false);
    return readTree(path.join(cwd, 'chorus'));
  }

  it.each(['EACCES', 'EPERM'])(
    'an update leaves the old files exactly, or all of the new ones: %s',
    async (errno) => {
      const wanted = await readWanted();
      let failures = 0;
      for (let n = 1; ; n++) {
        const { cwd, folder, before } = await makeOldFolder();
        const broken = failAt(n, errno);
        let error: unknown;
        try {
          install(broken.fs, cwd, 'chorus', true);
        } catch (caught) {
          error = caught;
        }
        if (!broken.reached()) break;
        if (error !== undefined) {
          failures++;
          expect(error).toMatchObject({ code: 'no-permission' });
        }
        expect(await readTree(folder)).toEqual(error === undefined ? wanted : before);
      }
      expect(failures).toBeGreaterThan(30);
    },
  );

  it('an update that is killed there can be undone and finished by the next run', async () => {
    const wanted = await readWanted();
    let mixed = 0;
    const nothingNew = {
      ...nodeFs,
      mkdirSync: (file: string, options?: nodeFs.MakeDirectoryOptions) => {
        if (!file.endsWith(`${path.sep}new`)) return nodeFs.mkdirSync(file, options);
        throw Object.assign(new Error('EACCES'), { code: 'EACCES' });
      },
    } as FileSystem;
    for (let n = 1; ; n++) {
      const { cwd, folder, before } = await makeOldFolder();
      const dying = failAt(n, 'EIO', { forEver: true });
      try {
        install(dying.fs, cwd, 'chorus', true);
      } catch {
        // Nobody sees the error of a process that is gone.
      }
      if (!dying.reached()) break;
      const visible = async () =>
        Object.fromEntries(
          Object.entries(await readTree(folder)).filter(([name]) => !name.startsWith('.chorus-st')),
        );
      const after = await visible();
      const isWhole = [before, wanted].some((tree) => isDeepStrictEqual(tree, after));
      if (!isWhole) {
        mixed++;
        expect(() => install(nodeFs, cwd, 'chorus', false)).toThrow('folder-interrupted');
        // A run that gets no further than that still puts the old files back.
        expect(() => install(nothingNew, cwd, 'chorus', true)).toThrow('no-permission');
        expect(await visible()).toEqual(before);
      }
      install(nodeFs, cwd, 'chorus', true);
      expect(await readTree(folder)).toEqual(wanted);
    }
    expect(mixed).toBeGreaterThan(5);
  });

  it('an update that is killed while it takes over from a killed one is no obstacle', async () => {
    const wanted = await readWanted();
    for (let n = 1; ; n++) {
      const cwd = await makeFolder();
      const folder = path.join(cwd, 'chorus');
      install(nodeFs, cwd, 'chorus', false);
      await fs.appendFile(path.join(folder, 'SKILL.md'), 'mine');
      // Of a process that is at work now, its own number says that it was another's before.
      await fs.outputFile(
        path.join(folder, '.chorus-staging/owner'),
        `${process.pid} ${os.hostname()}`,
      );
      const dying = failAt(n, 'EIO', { forEver: true });
      try {
        install(dying.fs, cwd, 'chorus', true);
      } catch {
        // Nobody sees the error of a process that is gone.
      }
      if (!dying.reached()) break;
      install(nodeFs, cwd, 'chorus', true);
      expect(await readTree(folder)).toEqual(wanted);
    }
  });
});

describe('several runs at once', () => {
  it('one installs, the others are told that the folder exists', async () => {
    const cwd = await makeFolder();
    const languages = ['en', 'zh-CN', 'en', 'zh-CN'];
    const runs = await Promise.all(
      languages.map((lang) => runBinary(['init', '--lang', lang, '--json'], { cwd })),
    );
    expect(runs.map((run) => run.exitCode).sort()).toEqual([0, 1, 1, 1]);
    const winner = JSON.parse(runs.find((run) => run.exitCode === 0)?.stdout ?? '');
    const manifest = await fs.readJson(path.join(cwd, 'chorus/.chorus-skill.json'));
    expect(manifest.language).toBe(winner.language);
    expect(await fs.readdir(cwd)).toEqual(['chorus']);
  });

  it('with --force end in one language, whole', async () => {
    const cwd = await makeFolder();
    await runBinary(['init'], { cwd });
    const languages = ['en', 'zh-CN', 'zh-CN', 'en'];
    const runs = await Promise.all(
      languages.map((lang) => runBinary(['init', '--lang', lang, '--force', '--json'], { cwd })),
    );
    for (const run of runs.filter(({ exitCode }) => exitCode !== 0)) {
      expect(JSON.parse(run.stdout).error.code).toBe('folder-busy');
    }
    expect(runs.some((run) => run.exitCode === 0)).toBe(true);
    const { language } = await fs.readJson(path.join(cwd, 'chorus/.chorus-skill.json'));
    const other = await makeFolder();
    await runBinary(['init', '--lang', language], { cwd: other });
    expect(await readTree(cwd)).toEqual(await readTree(other));
  });
});

describe('a run that was killed', () => {
  const deadProcess = async () => {
    const child = execaNode({ nodeOptions: ['-e', '0'] })`-`;
    const { pid } = child;
    child.kill('SIGKILL');
    await child.catch(() => undefined);
    return pid;
  };

  it('while it made a folder: the next one clears up after it', async () => {
    const cwd = await makeFolder();
    const left = path.join(cwd, `.chorus-staging-${await deadProcess()}-${os.hostname()}`);
    await fs.outputFile(path.join(left, 'SKILL.md'), 'half');
    expect((await runBinary(['init'], { cwd })).exitCode).toBe(0);
    expect(await fs.readdir(cwd)).toEqual(['chorus']);
  });

  it('while it changed a folder: said plainly, and mended by --force', async () => {
    const cwd = await makeFolder();
    await runBinary(['init'], { cwd });
    const folder = path.join(cwd, 'chorus');
    await fs.outputFile(
      path.join(folder, '.chorus-staging/owner'),
      `${await deadProcess()} ${os.hostname()}`,
    );
    await fs.move(path.join(folder, 'SKILL.md'), path.join(folder, '.chorus-staging/old/SKILL.md'));
    const journal = { saved: ['SKILL.md'], created: [], folders: [] };
    await fs.writeJson(path.join(folder, '.chorus-staging/journal.json'), journal);
    const plain = await runBinary(['init', '--json'], { cwd });
    expect(JSON.parse(plain.stdout).error.code).toBe('folder-interrupted');
    expect((await runBinary(['init', '--force'], { cwd })).exitCode).toBe(0);
    const other = await makeFolder();
    await runBinary(['init'], { cwd: other });
    expect(await readTree(cwd)).toEqual(await readTree(other));
  });

  it('cannot make the next one write outside the folder', async () => {
    const cwd = await makeFolder();
    await runBinary(['init'], { cwd });
    await fs.writeFile(path.join(cwd, 'precious'), 'x');
    const journal = { saved: [], created: ['../precious'], folders: [] };
    await fs.outputJson(path.join(cwd, 'chorus/.chorus-staging/journal.json'), journal);
    expect((await runBinary(['init', '--force'], { cwd })).exitCode).toBe(0);
    expect(await fs.readFile(path.join(cwd, 'precious'), 'utf8')).toBe('x');
  });

  it('is not confused with one that is still at work', async () => {
    const cwd = await makeFolder();
    await runBinary(['init'], { cwd });
    const owner = `${process.pid} ${os.hostname()}`;
    await fs.outputFile(path.join(cwd, 'chorus/.chorus-staging/owner'), owner);
    const before = await readTree(cwd);
    const run = await runBinary(['init', '--force', '--json'], { cwd });
    expect([run.exitCode, JSON.parse(run.stdout).error.code]).toEqual([1, 'folder-busy']);
    expect(await readTree(cwd)).toEqual(before);
  });

  it('cannot lead the next one through a link either', async () => {
    const cwd = await makeFolder();
    const staging = path.join(cwd, 'chorus/.chorus-staging');
    await fs.outputFile(path.join(cwd, 'victim/precious'), 'x');
    await fs.outputFile(path.join(staging, 'old/link/other'), 'evil');
    await fs.symlink('../victim', path.join(cwd, 'chorus/link'));
    const journal = { saved: ['link/other'], created: ['link/precious'], folders: [] };
    await fs.outputJson(path.join(staging, 'journal.json'), journal);
    const run = await runBinary(['init', '--force', '--json'], { cwd });
    expect([run.exitCode, JSON.parse(run.stdout).error.code]).toEqual([1, 'symbolic-link']);
    expect(await readTree(path.join(cwd, 'victim'))).toEqual({ precious: 'x' });
  });

  it('keeps the language it had', async () => {
    const cwd = await makeFolder();
    await runBinary(['init', '--lang', 'zh-CN'], { cwd });
    const folder = path.join(cwd, 'chorus');
    const staging = path.join(folder, '.chorus-staging');
    const name = '.chorus-skill.json';
    await fs.move(path.join(folder, name), path.join(staging, 'old', name));
    const journal = { saved: [name], created: [], folders: [] };
    await fs.writeJson(path.join(staging, 'journal.json'), journal);
    const planned = await runBinary(['init', '--force', '--dry-run', '--json'], { cwd });
    expect(JSON.parse(planned.stdout).error.code).toBe('folder-interrupted');
    const run = await runBinary(['init', '--force', '--json'], { cwd });
    expect(JSON.parse(run.stdout).language).toBe('zh-CN');
  });

  it('on another machine is taken for one that is still at work', async () => {
    const cwd = await makeFolder();
    await runBinary(['init'], { cwd });
    await fs.outputFile(path.join(cwd, 'chorus/.chorus-staging/owner'), '1 elsewhere');
    const run = await runBinary(['init', '--force', '--json'], { cwd });
    expect(JSON.parse(run.stdout).error.code).toBe('folder-busy');
  });

  it.each(['SIGINT', 'SIGTERM', 'SIGKILL'] as const)(
    'by %s at any moment leaves all or nothing visible',
    async (signal) => {
      for (let round = 0; round < 12; round++) {
        const cwd = await makeFolder();
        const run = execaNode(binary, ['init'], { cwd, reject: false, stdio: 'ignore' });
        // The moment differs: with every round the signal comes a little later.
        const moment = new Promise((resolve) => setTimeout(resolve, 30 + round * 3));
        await Promise.race([moment, run]);
        run.kill(signal);
        await run;
        const files = Object.keys(await readTree(cwd));
        const visible = files.filter((file) => !file.includes('.chorus-staging'));
        expect([0, 8]).toContain(visible.length);
        if (signal !== 'SIGKILL') expect(files).toEqual(visible);
        // Whatever is left of the killed run, the next one clears up.
        expect((await runBinary(['init', '--force'], { cwd })).exitCode).toBe(0);
        expect(Object.keys(await readTree(cwd))).toHaveLength(8);
      }
    },
  );
});
