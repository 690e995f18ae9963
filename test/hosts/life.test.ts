import { createHash } from 'node:crypto';
import path from 'node:path';
import fs from 'fs-extra';
import { validate } from 'skills-ref';
import { describe, expect, it } from 'vitest';
import { makeFolder, readTree, root, runBinary } from '../run-binary.ts';
import { type Computer, createComputer } from './computer.ts';

const MANIFEST = '.chorus-skill.json';
const CLAUDE = '.claude/skills/chorus';
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** What a fresh installation in this language has in its folder. */
async function readFresh(language: string) {
  const cwd = await makeFolder();
  await runBinary(['init', '--lang', language], { cwd });
  return readTree(path.join(cwd, 'chorus'));
}

/** Makes an installation look as an older version left it. */
async function makeOld(folder: string, version = '0.3.9') {
  const file = path.join(folder, MANIFEST);
  const manifest = await fs.readJson(file);
  const old = 'old words\n';
  await fs.writeFile(path.join(folder, 'TRANSPORT.md'), old);
  manifest.files['TRANSPORT.md'] = sha256(old);
  for (const name of ['gone.md', 'gone-changed.md']) {
    await fs.writeFile(path.join(folder, name), old);
    manifest.files[name] = sha256(old);
  }
  await fs.appendFile(path.join(folder, 'gone-changed.md'), 'mine');
  await fs.writeJson(file, { ...manifest, version });
}

async function readState({ json }: Computer, folder: string) {
  const { value } = await json(['list']);
  return value.installations.find((it: { path: string }) => it.path.endsWith(folder));
}

it('init, edit, update, switch the language, uninstall: leaves what was there before', async () => {
  const computer = await createComputer();
  const { home, project, run, json } = computer;
  await fs.outputFile(path.join(home, 'chorus-credentials.json'), '{"api_key": "ca_secret"}');
  await fs.outputFile(path.join(home, 'chorus-history/a@b.jsonl'), '{}\n');
  await fs.outputFile(path.join(project, '.claude/settings.json'), '{}');
  const before = await readTree(home);
  const folder = path.join(project, CLAUDE);

  await run(['init', '--target', 'claude-code,openclaw', '--lang', 'en']);
  expect(await readState(computer, CLAUDE)).toMatchObject({ state: 'current', language: 'en' });
  await fs.appendFile(path.join(folder, 'PROTOCOL.md'), 'My own line.\n');
  await fs.outputFile(path.join(folder, 'examples/mine.json'), '{}');
  expect(await readState(computer, CLAUDE)).toMatchObject({
    state: 'changed',
    changed: ['PROTOCOL.md'],
  });

  const same = await json(['update']);
  expect(same.value.updates).toMatchObject([{ outcome: 'unchanged', hosts: ['claude-code'] }]);

  const switched = await json(['update', '--target', 'claude-code', '--lang', 'zh-CN']);
  expect(switched.exitCode).toBe(0);
  const [update] = switched.value.updates;
  expect(update).toMatchObject({ outcome: 'updated', language: 'zh-CN' });
  const kept = update.files.find((file: { path: string }) => file.path === 'PROTOCOL.md');
  expect(kept.action).toBe('keep-changed');
  expect(kept.diff).toContain('-My own line.');
  const chinese = await readFresh('zh-CN');
  expect(await readTree(folder)).toEqual({
    ...chinese,
    'PROTOCOL.md': `${(await readFresh('en'))['PROTOCOL.md']}My own line.\n`,
    'examples/mine.json': '{}',
  });
  expect(await validate(folder)).toEqual([]);

  const forced = await run(['update', '--force']);
  expect(forced.stdout).toContain('replaced, had been changed');
  expect(await readTree(folder)).toEqual({ ...chinese, 'examples/mine.json': '{}' });

  await fs.remove(path.join(folder, 'examples/mine.json'));
  const gone = await run(['uninstall', '--target', 'claude-code,openclaw', '--yes']);
  expect(gone.exitCode).toBe(0);
  expect(gone.stdout).toContain(path.join(home, 'chorus-credentials.json'));
  expect(gone.stdout).toContain(path.join(home, 'chorus-history'));
  expect(gone.stdout).not.toContain('ca_secret');
  const after = await readTree(home);
  // OpenClaw's workspace is not ours to remove, nor is the place for the state of programs.
  expect(after).toEqual({ ...before, '.openclaw/workspace/': '', '.local/state/': '' });
});

describe('update', () => {
  it('replaces what is untouched, keeps what is changed, removes what is no longer shipped', async () => {
    const computer = await createComputer();
    const { project, json, run } = computer;
    await run(['init', '--target', 'claude-code']);
    const folder = path.join(project, CLAUDE);
    await makeOld(folder);
    await fs.appendFile(path.join(folder, 'SKILL.md'), 'mine\n');
    expect(await readState(computer, CLAUDE)).toMatchObject({
      state: 'outdated',
      version: '0.3.9',
    });

    const planned = await json(['update', '--dry-run']);
    const before = await readTree(folder);
    const { value } = await json(['update']);
    expect(before).toMatchObject({ 'gone.md': 'old words\n' });
    expect(planned.value.updates[0].files).toEqual(value.updates[0].files);
    const actions = value.updates[0].files.map((file: { path: string; action: string }) => [
      file.path,
      file.action,
    ]);
    expect(Object.fromEntries(actions)).toMatchObject({
      'SKILL.md': 'keep-changed',
      'TRANSPORT.md': 'replace',
      'gone.md': 'remove',
      'gone-changed.md': 'leave',
      [MANIFEST]: 'replace',
    });
    const fresh = await readFresh('en');
    expect(await readTree(folder)).toEqual({
      ...fresh,
      'SKILL.md': `${fresh['SKILL.md']}mine\n`,
      'gone-changed.md': 'old words\nmine',
    });
    expect(await readState(computer, CLAUDE)).toMatchObject({ state: 'changed' });
  });

  it('shows what is new in a file that stays', async () => {
    const { project, run } = await createComputer();
    await run(['init']);
    const file = path.join(project, 'chorus/PROTOCOL.md');
    const text = await fs.readFile(file, 'utf8');
    const [first = ''] = text.split('\n');
    await fs.writeFile(file, text.replace(first, 'Another title'));
    const { exitCode, stdout } = await run(['update']);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('kept, because you changed it');
    expect(stdout).toContain('    -Another title\n');
    expect(stdout).toContain(`    +${first}\n`);
    expect(stdout).toMatch(/@@ -1,4 \+1,4 @@/);
  });

  it('does not go back to an older version unless it is told to', async () => {
    const { project, json, run } = await createComputer();
    await run(['init', '--target', 'codex']);
    const folder = path.join(project, '.agents/skills/chorus');
    const file = path.join(folder, MANIFEST);
    await fs.writeJson(file, { ...(await fs.readJson(file)), version: '99.0.0' });
    expect((await json(['update'])).value.updates[0]).toMatchObject({ outcome: 'newer' });
    expect((await json(['update', '--force'])).value.updates[0]).toMatchObject({
      outcome: 'updated',
    });
    expect(await readTree(folder)).toEqual(await readFresh('en'));
  });

  it('restores missing files, and mends what a killed run left', async () => {
    const computer = await createComputer();
    const { project, run } = computer;
    await run(['init', '--target', 'codex']);
    const folder = path.join(project, '.agents/skills/chorus');
    await fs.remove(path.join(folder, 'SKILL.md'));
    await fs.move(
      path.join(folder, 'PROTOCOL.md'),
      path.join(folder, '.chorus-staging/old/PROTOCOL.md'),
    );
    const journal = { saved: ['PROTOCOL.md'], created: [], folders: [] };
    await fs.writeJson(path.join(folder, '.chorus-staging/journal.json'), journal);
    expect(await readState(computer, '.agents/skills/chorus')).toMatchObject({ state: 'damaged' });
    expect((await run(['update', '--dry-run'])).exitCode).toBe(1);
    expect((await run(['update'])).exitCode).toBe(0);
    expect(await readTree(folder)).toEqual(await readFresh('en'));
  });

  it('--all finds every place: of the user, of agents, of other projects and folders', async () => {
    const { home, json, run } = await createComputer();
    const other = path.join(home, 'other');
    await fs.ensureDir(other);
    await fs.outputFile(
      path.join(home, '.openclaw/openclaw.json'),
      '{agents: {ownership: "explicit", entries: {x: {}, y: {}}}}',
    );
    await run(['init', '--target', 'claude-code', '--scope', 'user']);
    await run(['init', '--target', 'openclaw', '--agent', 'y']);
    const env = { HOME: home };
    await runBinary(['init', '--target', 'codex'], { cwd: other, env });
    await runBinary(['init', '--dir', 'deep/folder'], { cwd: other, env });
    const folders = [
      path.join(home, '.claude/skills/chorus'),
      path.join(home, '.openclaw/workspace-y/skills/chorus'),
      path.join(other, '.agents/skills/chorus'),
      path.join(other, 'deep/folder'),
    ];
    for (const folder of folders) await makeOld(folder);
    await fs.appendFile(path.join(folders[0] ?? '', 'PROTOCOL.md'), 'mine');
    await fs.remove(path.join(folders[3] ?? '', 'SKILL.md'));
    await fs.symlink('elsewhere', path.join(folders[3] ?? '', 'SKILL.md'));

    expect((await json(['update'])).value.error.code).toBe('nothing-installed');
    const { exitCode, value } = await json(['update', '--all']);
    const outcomes = value.updates.map((it: { path: string; outcome: string }) => [
      it.path,
      it.outcome,
    ]);
    expect(Object.fromEntries(outcomes)).toEqual(
      Object.fromEntries(folders.map((it, index) => [it, index === 3 ? 'failed' : 'updated'])),
    );
    // What could not be updated is told, and does not keep the others old.
    expect(exitCode).toBe(1);
    const text = await run(['update', '--all']);
    expect(text.stdout).toContain('symbolic link');
  });

  it.each([
    [['--all', '--target', 'codex'], 2, 'options-conflict'],
    [['--scope', 'user'], 2, 'option-needs'],
    [['--all', '--scope', 'user'], 2, 'option-needs'],
    [['--target', 'codex'], 1, 'nothing-installed'],
    [['--all'], 1, 'nothing-known'],
    [['--lang', 'xx'], 2, 'unknown-language'],
  ])('with %j ends with %i: %s', async (args, exitCode, code) => {
    const { json } = await createComputer();
    expect(await json(['update', ...args])).toMatchObject({ exitCode, value: { error: { code } } });
  });
});

describe('list', () => {
  it('knows every state', async () => {
    const computer = await createComputer();
    const { project, home, run } = computer;
    await run(['init', '--target', 'claude-code,codex,qwen-code,windsurf,openclaw']);
    await makeOld(path.join(project, CLAUDE));
    await fs.appendFile(path.join(project, '.agents/skills/chorus/SKILL.md'), 'mine');
    await fs.remove(path.join(project, '.qwen/skills/chorus/SKILL.md'));
    const copy = path.join(home, '.openclaw/workspace/skills/chorus.bak-1');
    await fs.copy(path.join(home, '.openclaw/workspace/skills/chorus'), copy);
    const states = Object.fromEntries(
      (await computer.json(['list'])).value.installations.map(
        (it: { hosts: string[]; state: string }) => [it.hosts[0], it.state],
      ),
    );
    expect(states).toEqual({
      'claude-code': 'outdated',
      codex: 'changed',
      'qwen-code': 'damaged',
      windsurf: 'current',
      openclaw: 'shadowed',
    });
    const { stdout } = await run(['list']);
    expect(stdout).toContain(path.join(copy, 'SKILL.md'));
    expect(stdout).toContain('missing: SKILL.md');
    expect(stdout).toContain('chorus-skill update --all');
    const chinese = await run(['list', '--ui-lang', 'zh-CN']);
    expect(chinese.stdout).toMatch(/被遮蔽 {2}/);
  });

  it('tells this project from others', async () => {
    const { project, home, run } = await createComputer();
    const other = path.join(home, 'code/other');
    await fs.ensureDir(other);
    await run(['init', '--target', 'claude-code']);
    await runBinary(['init', '--target', 'claude-code'], { cwd: other, env: { HOME: home } });
    const { stdout } = await run(['list']);
    expect(stdout).toMatch(/ \.claude\/skills\/chorus {2,}.*Claude Code, this project\n/);
    expect(stdout).toMatch(/\/other\/.*Claude Code, another project$/);
    expect(await fs.readdir(project)).toEqual(['.claude']);
  });

  it('knows OpenClaw skills of the user that ~/.agents/skills comes before', async () => {
    const computer = await createComputer();
    await computer.run(['init', '--target', 'openclaw,agents', '--scope', 'user']);
    expect(await readState(computer, '.openclaw/skills/chorus')).toMatchObject({
      state: 'shadowed',
      shadowedBy: path.join(computer.home, '.agents/skills/chorus/SKILL.md'),
    });
  });

  it('says when there is nothing, and what it could not look at', async () => {
    const { home, run, json } = await createComputer();
    await fs.outputFile(path.join(home, '.openclaw/openclaw.json'), '{');
    const { exitCode, stdout, stderr } = await run(['list']);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('not installed anywhere');
    expect(stderr).toContain('openclaw.json is not JSON5');
    expect((await json(['list'])).value).toMatchObject({
      installations: [],
      problems: [{ code: 'openclaw-config-syntax' }],
    });
  });

  it('takes a folder of the same name by somebody else for what it is', async () => {
    const computer = await createComputer();
    await fs.outputFile(path.join(computer.project, 'chorus/song.txt'), 'la');
    const skill = path.join(computer.project, CLAUDE, 'SKILL.md');
    await fs.outputFile(skill, '---\nname: chorus\ndescription: by hand\n---\n');
    const { value } = await computer.json(['list']);
    expect(value.installations).toMatchObject([
      { hosts: ['claude-code'], state: 'damaged', damage: 'no-manifest' },
    ]);
  });
});

describe('uninstall', () => {
  it('keeps changed files unless it is told to remove them, and says who still reads them', async () => {
    const computer = await createComputer();
    const { home, project, run, json } = computer;
    const before = await readTree(home);
    await run(['init', '--target', 'claude-code']);
    const folder = path.join(project, CLAUDE);
    await fs.appendFile(path.join(folder, 'SKILL.md'), 'mine');
    const kept = await json(['uninstall', '--target', 'claude-code', '--yes']);
    expect(kept).toMatchObject({ exitCode: 1, value: { ok: false } });
    expect(Object.keys(await readTree(folder)).sort()).toEqual([MANIFEST, 'SKILL.md']);
    expect(await readState(computer, CLAUDE)).toMatchObject({ state: 'changed' });
    const forced = await run(['uninstall', '--target', 'claude-code', '--yes', '--force']);
    expect(forced.exitCode).toBe(0);
    expect(await readTree(home)).toEqual({ ...before, '.local/state/': '' });
  });

  it('removes with --force what it left, also where nothing reads it any more', async () => {
    const { home, project, run } = await createComputer();
    const before = await readTree(home);
    await run(['init', '--target', 'claude-code']);
    const folder = path.join(project, CLAUDE);
    await fs.appendFile(path.join(folder, 'PROTOCOL.md'), 'mine');
    const kept = await run(['uninstall', '--target', 'claude-code', '--yes']);
    expect(kept).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('--force') });
    expect((await run(['list'])).stdout).toContain('not installed');
    expect((await run(['update', '--target', 'claude-code'])).exitCode).toBe(1);
    const forced = await run(['uninstall', '--target', 'claude-code', '--yes', '--force']);
    expect(forced.exitCode).toBe(0);
    expect(await readTree(home)).toEqual({ ...before, '.local/state/': '' });
  });

  it('completes one that was killed', async () => {
    const { home, project, run } = await createComputer();
    const before = await readTree(home);
    await run(['init', '--target', 'claude-code']);
    const folder = path.join(project, CLAUDE);
    await fs.move(path.join(folder, 'SKILL.md'), path.join(folder, '.chorus-staging/old/SKILL.md'));
    const journal = { saved: ['SKILL.md', 'PROTOCOL.md'], created: [], folders: [] };
    await fs.writeJson(path.join(folder, '.chorus-staging/journal.json'), journal);
    const again = await run(['uninstall', '--target', 'claude-code', '--yes']);
    expect(again).toMatchObject({ exitCode: 0, stderr: '' });
    expect(await readTree(home)).toEqual({ ...before, '.local/state/': '' });
  });

  it('goes on where a run before it left something, as that run advised', async () => {
    const { home, project, run, json } = await createComputer();
    const before = await readTree(home);
    const targets = ['--target', 'claude-code,codex'];
    await run(['init', ...targets]);
    await fs.appendFile(path.join(project, CLAUDE, 'SKILL.md'), 'mine');
    const again = await run(['init', ...targets]);
    expect(again.stderr).toContain('--force');
    expect(again.stderr).not.toContain('--dir');
    expect((await run(['uninstall', ...targets, '--yes'])).exitCode).toBe(1);
    const forced = await json(['uninstall', ...targets, '--yes', '--force']);
    expect(forced).toMatchObject({
      exitCode: 0,
      value: { removals: [{ hosts: ['claude-code'] }] },
    });
    expect(await readTree(home)).toEqual({ ...before, '.local/state/': '' });
  });

  it('never touches a file of somebody else', async () => {
    const { project, run } = await createComputer();
    await run(['init', '--target', 'codex']);
    const folder = path.join(project, '.agents/skills/chorus');
    const mine = { 'notes.txt': 'mine', 'chorus-credentials.json': '{}' };
    for (const [name, text] of Object.entries(mine)) {
      await fs.writeFile(path.join(folder, name), text);
    }
    const { exitCode, stdout } = await run(['uninstall', '--target', 'codex', '--yes', '--force']);
    expect(exitCode).toBe(0);
    expect(stdout).toContain(path.join(folder, 'chorus-credentials.json'));
    expect(await readTree(folder)).toEqual(mine);
  });

  it('tells which other hosts lose a shared folder, and forgets it', async () => {
    const { run, json } = await createComputer();
    await run(['init', '--target', 'codex']);
    const { stdout } = await run(['uninstall', '--target', 'codex', '--yes']);
    expect(stdout).toMatch(/loses it too: Cursor, Gemini CLI/);
    expect((await json(['list'])).value.installations).toEqual([]);
  });

  it('plans without touching anything', async () => {
    const { home, run } = await createComputer();
    await run(['init', '--target', 'codex,claude-code']);
    const before = await readTree(home);
    const planned = await run(['uninstall', '--target', 'codex,claude-code', '--dry-run']);
    expect(planned.exitCode).toBe(0);
    expect(planned.stdout).toContain('Would be removed from .agents/skills/chorus');
    expect(await readTree(home)).toEqual(before);
  });

  it.each([
    [[], 2, 'missing-option'],
    [['--dir', 'by-hand', '--scope', 'user', '--yes'], 2, 'option-needs'],
    [['--target', 'codex'], 2, 'not-confirmed'],
    [['--target', 'claude-code,windsurf', '--yes'], 1, 'nothing-installed'],
    [['--dir', 'by-hand', '--yes'], 1, 'not-ours'],
  ])('with %j ends with %i: %s', async (args, exitCode, code) => {
    const { home, project, json, run } = await createComputer();
    await run(['init', '--target', 'codex']);
    await fs.copy(path.join(root, 'templates/en'), path.join(project, 'by-hand'));
    const before = await readTree(home);
    expect(await json(['uninstall', ...args])).toMatchObject({
      exitCode,
      value: { error: { code } },
    });
    expect(await readTree(home)).toEqual(before);
  });
});
