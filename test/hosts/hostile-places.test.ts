import path from 'node:path';
import { execa, execaNode } from 'execa';
import fs from 'fs-extra';
import { describe, expect, it } from 'vitest';
import { readTree, root, runBinary } from '../run-binary.ts';
import { createComputer } from './computer.ts';

const CODEX = ['--target', 'codex'];
const SKILL = '.agents/skills/chorus';

describe('a skills folder that is not a plain one', () => {
  it('is followed where it is a link, and the user is told where the files are', async () => {
    const { home, project, run, json } = await createComputer();
    await fs.ensureDir(path.join(home, 'dotfiles/skills'));
    await fs.ensureDir(path.join(project, '.agents'));
    await fs.symlink(path.join(home, 'dotfiles/skills'), path.join(project, '.agents/skills'));
    const { exitCode, stdout } = await run(['init', ...CODEX]);
    expect(exitCode).toBe(0);
    expect(stdout).toContain(path.join(home, 'dotfiles/skills/chorus'));
    expect((await json(['list'])).value.installations).toMatchObject([{ state: 'current' }]);
    await run(['uninstall', ...CODEX, '--yes']);
    // The link is the user's, and so is the folder behind it.
    expect(await fs.readlink(path.join(project, '.agents/skills'))).toContain('dotfiles');
    expect(await readTree(path.join(home, 'dotfiles'))).toEqual({ 'skills/': '' });
  });

  it('keeps what a link leads to, though it became empty, and names who loses it', async () => {
    const { home, project, run, json } = await createComputer();
    for (const name of ['dotfiles/claude', 'code/project/.agents/skills']) {
      await fs.ensureDir(path.join(home, name));
    }
    await fs.symlink('dotfiles/claude', path.join(home, '.claude'));
    await fs.ensureDir(path.join(project, '.claude'));
    await fs.symlink('../.agents/skills', path.join(project, '.claude/skills'));
    const before = await readTree(home);
    const targets = ['--target', 'claude-code'];
    for (const scope of ['user', 'project']) await run(['init', ...targets, '--scope', scope]);
    await run(['uninstall', ...targets, '--scope', 'user', '--yes']);
    const { value } = await json(['uninstall', ...targets, '--yes']);
    expect(value.removals[0].alsoReadBy).toContain('codex');
    expect(await readTree(home)).toEqual({ ...before, '.local/state/': '' });
  });

  it('counts once where two hosts meet in it by a link', async () => {
    const { project, json } = await createComputer();
    await fs.ensureDir(path.join(project, '.agents/skills'));
    await fs.ensureDir(path.join(project, '.claude'));
    await fs.symlink('../.agents/skills', path.join(project, '.claude/skills'));
    const { value } = await json(['init', '--target', 'codex,claude-code']);
    expect(value.targets).toMatchObject([{ hosts: ['codex', 'claude-code'] }]);
  });

  it('keeps up to date for the others what one of them has as a link', async () => {
    const { project, run, json } = await createComputer();
    await run(['init', ...CODEX]);
    await fs.ensureDir(path.join(project, '.claude/skills'));
    await fs.symlink(path.join(project, SKILL), path.join(project, '.claude/skills/chorus'));
    const { exitCode, value } = await json(['update', '--lang', 'zh-CN']);
    expect(exitCode).toBe(0);
    expect(value.updates).toMatchObject([{ path: path.join(project, SKILL), outcome: 'updated' }]);
    expect(value.updates[0].hosts).toContain('claude-code');
  });

  it.each([
    ['a link in place of the skill', 'symbolic-link'],
    ['a link that leads nowhere', 'broken-link'],
    ['a file in place of the skill', 'not-a-folder'],
    ['a file in place of the skills', 'not-a-folder'],
  ])('%s is refused: %s', async (what, code) => {
    const { home, project, json } = await createComputer();
    const place = path.join(project, what.endsWith('skills') ? '.agents/skills' : SKILL);
    await fs.ensureDir(path.dirname(place));
    if (what.startsWith('a file')) await fs.writeFile(place, 'x');
    else await fs.symlink(what.endsWith('nowhere') ? 'gone' : home, place);
    const before = await readTree(home);
    for (const flags of [[], ['--force']]) {
      const run = await json(['init', ...CODEX, ...flags]);
      expect([run.exitCode, run.value.error.code]).toEqual([1, code]);
    }
    for (const command of ['update', 'uninstall']) {
      const flags = command === 'uninstall' ? ['--yes'] : [];
      expect((await json([command, ...CODEX, ...flags])).exitCode).toBe(1);
    }
    expect(await readTree(home)).toEqual(before);
  });
});

it('never stages where a host would look', async () => {
  const { project } = await createComputer();
  const names = new Set<string>();
  const watched = path.join(project, '.agents/skills');
  await fs.ensureDir(watched);
  const watcher = fs.watch(watched, (_, name) => {
    if (name !== null) names.add(name);
  });
  for (const args of [['init'], ['init', '--force'], ['update', '--lang', 'zh-CN']]) {
    expect((await runBinary([...args, ...CODEX], { cwd: project })).exitCode).toBe(0);
  }
  await expect.poll(() => names.has('chorus')).toBe(true);
  watcher.close();
  expect([...names].filter((name) => !name.startsWith('.'))).toEqual(['chorus']);
});

it('unicode, spaces and quotes in paths are nothing special', async () => {
  const { home, json } = await createComputer();
  const project = path.join(home, "项目 🎵 it's");
  await fs.ensureDir(project);
  const env = { HOME: home, CLAUDE_CONFIG_DIR: path.join(home, '配置 dir') };
  const args = ['init', '--target', 'claude-code,codex', '--scope', 'user'];
  expect((await runBinary(args, { cwd: project, env })).exitCode).toBe(0);
  expect((await runBinary(['init', ...CODEX], { cwd: project, env })).exitCode).toBe(0);
  const { value } = await json(['list'], env);
  const paths = value.installations.map((it: { path: string }) => it.path);
  expect(paths).toContain(path.join(home, '配置 dir/skills/chorus'));
  expect(paths).toContain(path.join(project, SKILL));
});

it.runIf(process.platform === 'linux').each(['/sys/chorus', '/proc/chorus'])(
  '%s cannot be made, which is not the fault of another run',
  async (dir) => {
    const { json } = await createComputer();
    const { exitCode, value } = await json(['init', '--dir', dir]);
    expect(exitCode).toBe(1);
    expect(value.error.code).toMatch(/^(no-permission|file-error)$/);
  },
);

it('control characters in a path reach no terminal', async () => {
  const { home } = await createComputer();
  const project = path.join(home, 'a\u001b[2Jb');
  await fs.ensureDir(project);
  const { stdout } = await runBinary(['init', ...CODEX, '--scope', 'user'], {
    cwd: project,
    env: { HOME: project },
  });
  const listed = await runBinary(['list'], { cwd: home, env: { HOME: project } });
  expect(stdout + listed.stdout).not.toContain('\u001b');
  expect(listed.stdout).toContain('\\u001b');
});

it('a pipe among the skills of others keeps nobody waiting', async () => {
  const { project, run, json } = await createComputer();
  await run(['init', ...CODEX]);
  const other = path.join(project, '.agents/skills/other');
  await fs.ensureDir(other);
  await execa('mkfifo', [path.join(other, 'SKILL.md')]);
  expect((await json(['list'])).value.installations).toMatchObject([{ state: 'current' }]);
});

it('what is remembered is data: it cannot lead anywhere', async () => {
  const { home, project, run, json } = await createComputer();
  await run(['init', '--dir', 'mine']);
  const store = path.join(home, '.local/state/chorus-skill/places');
  const [name = ''] = await fs.readdir(store);
  const place = await fs.readJson(path.join(store, name));
  expect(place).toMatchObject({ folder: path.join(project, 'mine') });
  const victim = path.join(home, 'victim');
  await fs.copy(path.join(project, 'mine'), victim);
  // Under another place's name, not a path, not JSON, a pipe.
  await fs.writeJson(path.join(store, name), { ...place, folder: victim, base: home });
  await fs.writeJson(path.join(store, 'b.json'), { ...place, folder: '../../x' });
  await fs.writeFile(path.join(store, 'c.json'), '{');
  await execa('mkfifo', [path.join(store, 'd.json')]);
  expect((await json(['list'])).value.installations).toEqual([]);
});

it('a home that the user may not write to is told, and nothing is changed', async () => {
  const { home, project } = await createComputer();
  // Root may write anywhere, so it runs as nobody; nobody may not read root's folders, perhaps.
  const asNobody = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
  const copy = path.join(path.dirname(home), 'package');
  for (const name of ['dist', 'templates', 'package.json']) {
    await fs.copy(path.join(root, name), path.join(copy, name));
  }
  await fs.chmod(path.dirname(home), 0o755);
  await fs.chmod(home, 0o555);
  await fs.chmod(project, 0o777);
  const run = (args: readonly string[], cwd = project) =>
    execaNode(path.join(copy, 'dist/bin.cjs'), [...args, '--json'], {
      cwd,
      env: { PATH: process.env.PATH ?? '', HOME: home },
      extendEnv: false,
      reject: false,
      ...asNobody,
    });
  const refused = await run(['init', '--target', 'codex', '--scope', 'user']);
  expect(JSON.parse(refused.stdout).error).toMatchObject({ code: 'no-permission' });
  // What may not be looked at is not called damaged.
  await fs.chmod(home, 0o000);
  expect(JSON.parse((await run(['list'], copy)).stdout).installations).toEqual([]);
  await fs.chmod(home, 0o555);
  // Together with a place that could be written: that one is put back.
  const both = await run(['init', '--target', 'claude-project,openclaw']);
  expect(both.exitCode).toBe(1);
  expect(await fs.readdir(project)).toEqual([]);
  // It cannot be remembered either, and is none the worse for it.
  expect((await run(['init', '--target', 'codex'])).exitCode).toBe(0);
  await fs.chmod(home, 0o755);
});
