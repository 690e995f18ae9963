import nodeFs from 'node:fs';
import path from 'node:path';
import fs from 'fs-extra';
import { validate } from 'skills-ref';
import { describe, expect, it } from 'vitest';
import { findHosts } from '../../cli/hosts/find-hosts.ts';
import { HOSTS } from '../../cli/hosts/host-table.ts';
import { readTree } from '../run-binary.ts';
import { createComputer } from './computer.ts';

/** Target, scope, environment and where the skill must be; `~` is the home folder. */
const FOLDERS: [string, 'project' | 'user', Record<string, string>, string][] = [
  ['claude-code', 'project', {}, '~/code/project/.claude/skills'],
  ['claude-code', 'user', {}, '~/.claude/skills'],
  ['claude-code', 'user', { CLAUDE_CONFIG_DIR: '~/cc' }, '~/cc/skills'],
  ['claude-code', 'user', { CLAUDE_CONFIG_DIR: 'relative' }, '~/code/project/relative/skills'],
  ['claude-code', 'user', { CLAUDE_CONFIG_DIR: ' ' }, '~/.claude/skills'],
  ['codex', 'project', {}, '~/code/project/.agents/skills'],
  ['codex', 'user', {}, '~/.agents/skills'],
  ['codex', 'user', { CODEX_HOME: '~/elsewhere' }, '~/.agents/skills'],
  ['cursor', 'project', {}, '~/code/project/.agents/skills'],
  ['cursor', 'user', {}, '~/.cursor/skills'],
  ['gemini-cli', 'project', {}, '~/code/project/.agents/skills'],
  ['gemini-cli', 'user', {}, '~/.gemini/skills'],
  ['gemini-cli', 'user', { GEMINI_CLI_HOME: '~/g' }, '~/g/.gemini/skills'],
  ['github-copilot', 'project', {}, '~/code/project/.agents/skills'],
  ['github-copilot', 'user', {}, '~/.copilot/skills'],
  ['github-copilot', 'user', { COPILOT_HOME: '~/cp' }, '~/cp/skills'],
  ['opencode', 'project', {}, '~/code/project/.agents/skills'],
  ['opencode', 'user', {}, '~/.config/opencode/skills'],
  ['opencode', 'user', { XDG_CONFIG_HOME: '~/xdg' }, '~/xdg/opencode/skills'],
  ['qwen-code', 'project', {}, '~/code/project/.qwen/skills'],
  ['qwen-code', 'user', {}, '~/.qwen/skills'],
  ['windsurf', 'project', {}, '~/code/project/.windsurf/skills'],
  ['windsurf', 'user', {}, '~/.codeium/windsurf/skills'],
  ['agents', 'project', {}, '~/code/project/.agents/skills'],
  ['agents', 'user', {}, '~/.agents/skills'],
  ['openclaw', 'project', {}, '~/.openclaw/workspace/skills'],
  ['openclaw', 'user', {}, '~/.openclaw/skills'],
  ['openclaw', 'project', { OPENCLAW_STATE_DIR: '~/S' }, '~/S/workspace/skills'],
  ['openclaw', 'user', { OPENCLAW_STATE_DIR: '~/S' }, '~/S/skills'],
  ['openclaw', 'project', { OPENCLAW_HOME: '~/H' }, '~/H/.openclaw/workspace/skills'],
  ['openclaw', 'user', { OPENCLAW_HOME: '~/H' }, '~/H/.openclaw/skills'],
  ['openclaw', 'user', { OPENCLAW_CONFIG_PATH: '~/D/c.json' }, '~/D/skills'],
  ['openclaw', 'project', { OPENCLAW_WORKSPACE_DIR: '~/W' }, '~/W/skills'],
  ['openclaw', 'project', { OPENCLAW_PROFILE: 'foo' }, '~/.openclaw-foo/workspace/skills'],
];

const expand = (text: string, home: string) => text.replace(/^~/, home);

describe('each host gets the skill where it reads it', () => {
  it.each(FOLDERS)('%s, %s, %j: %s', async (target, scope, env, wanted) => {
    const { home, json } = await createComputer();
    const folder = path.join(expand(wanted, home), 'chorus');
    // OPENCLAW_WORKSPACE_DIR alone is not expanded by OpenClaw either: it gets whole paths.
    const values = Object.entries(env).map(([name, value]) => [name, expand(value, home)]);
    const { exitCode, value } = await json(
      ['init', '--target', target, '--scope', scope],
      Object.fromEntries(values),
    );
    expect(exitCode).toBe(0);
    expect(value.targets).toMatchObject([{ hosts: [target], scope, dir: folder }]);
    const tree = await readTree(home);
    const outside = Object.keys(tree).filter(
      (file) => !path.join(home, file).startsWith(folder) && !file.startsWith('.local/state/'),
    );
    expect(outside.filter((file) => !file.endsWith('/'))).toEqual([]);
    expect(Object.keys(await readTree(folder))).toHaveLength(8);
    expect((await fs.lstat(path.join(folder, 'SKILL.md'))).isFile()).toBe(true);
    expect(await validate(folder)).toEqual([]);
  });

  it('every host of the table is tested above, in both scopes', () => {
    for (const { name, user } of HOSTS) {
      for (const scope of ['project', 'user']) {
        expect(FOLDERS.some((row) => row[0] === name && row[1] === scope)).toBe(true);
      }
      const { variable } = user;
      if (variable === undefined) continue;
      expect(FOLDERS.some((row) => row[0] === name && variable in row[2])).toBe(true);
    }
  });

  it('--profile chooses the profile of OpenClaw', async () => {
    const { home, json } = await createComputer();
    const { value } = await json(['init', '--target', 'openclaw', '--profile', 'foo']);
    expect(value.targets[0]).toMatchObject({
      dir: path.join(home, '.openclaw-foo/workspace/skills/chorus'),
      agent: 'main',
      profile: 'foo',
    });
  });
});

describe('--target', () => {
  it('takes several; those that share a folder share it', async () => {
    const { project, json, run } = await createComputer();
    const { value } = await json([
      'init',
      '--target',
      'codex, cursor,codex,claude-project,local,github-copilot',
    ]);
    expect(
      value.targets.map(({ hosts, dir }: { hosts: string[]; dir: string }) => [hosts, dir]),
    ).toEqual([
      [['codex', 'cursor', 'github-copilot'], path.join(project, '.agents/skills/chorus')],
      [['claude-code'], path.join(project, '.claude/skills/chorus')],
      [['local'], path.join(project, 'chorus')],
    ]);
    const again = await run(['init', '--target', 'cursor,claude-code']);
    expect(again.exitCode).toBe(0);
    expect(again.stdout.match(/already up to date/g)).toHaveLength(2);
  });

  it('knows claude-user, which has a scope of its own', async () => {
    const { home, json } = await createComputer();
    const { value } = await json(['init', '--target', 'claude-user']);
    expect(value.targets[0].dir).toBe(path.join(home, '.claude/skills/chorus'));
    const refused = await json(['init', '--target', 'claude-user', '--scope', 'project']);
    expect(refused).toMatchObject({ exitCode: 2, value: { error: { code: 'scope-conflict' } } });
  });

  it('local is what init does without it', async () => {
    const { project, run } = await createComputer();
    const named = await run(['init', '--target', 'local', '--dir', 'a']);
    const plain = await run(['init', '--dir', 'b']);
    expect(named.stdout).toBe(plain.stdout.replaceAll(/\bb\b(?=\/|$)/gm, 'a'));
    expect(await readTree(path.join(project, 'a'))).toEqual(
      await readTree(path.join(project, 'b')),
    );
  });

  it.each([
    [['--target', 'claude'], 'unknown-value'],
    [['--target', ''], 'unknown-value'],
    [['--target', 'codex,,cursor'], 'unknown-value'],
    [['--target', 'codex', '--scope', 'global'], 'unknown-value'],
    [['--target', 'codex', '--agent', 'main'], 'option-needs-openclaw'],
    [['--profile', 'x'], 'option-needs-openclaw'],
    [['--scope', 'user'], 'option-needs'],
    [['--scope', 'user', '--dir', 'x'], 'option-needs'],
    [['--target', 'codex', '--dir', 'x'], 'dir-without-local'],
    [['--target', 'openclaw', '--profile', '../x'], 'openclaw-profile'],
    [['--target', 'openclaw', '--agent', 'nobody'], 'unknown-value'],
  ])('with %j is refused: %s', async (args, code) => {
    const { home, json } = await createComputer();
    const before = await readTree(home);
    expect(await json(['init', ...args])).toMatchObject({
      exitCode: 2,
      value: { error: { code } },
    });
    expect(await readTree(home)).toEqual(before);
  });

  it('suggests the nearest host', async () => {
    const { run } = await createComputer();
    const { stderr } = await run(['init', '--target', 'claud-code']);
    expect(stderr).toContain('Did you mean claude-code?');
  });

  it('plans without touching anything', async () => {
    const { home, run } = await createComputer();
    const before = await readTree(home);
    const { exitCode, stdout } = await run(['init', '--target', 'codex,openclaw', '--dry-run']);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('.agents/skills/chorus');
    expect(await readTree(home)).toEqual(before);
  });

  it('without a home folder works for a project, and says what is missing for a user', async () => {
    const { project, json } = await createComputer();
    const env = { HOME: '' };
    expect(await json(['init', '--target', 'codex'], env)).toMatchObject({ exitCode: 0 });
    expect(await json(['init', '--target', 'codex', '--scope', 'user'], env)).toMatchObject({
      exitCode: 2,
      value: { error: { code: 'no-home' } },
    });
    expect(await fs.readdir(project)).toEqual(['.agents']);
  });
});

describe('a host is found', () => {
  const signs = HOSTS.flatMap(({ name, signs }) => signs.map((sign) => [name, sign] as const));

  it.each(signs)('%s by %s in the project or at home', async (name, sign) => {
    for (const where of ['home', 'project'] as const) {
      const computer = await createComputer();
      const world = { fs: nodeFs, env: { HOME: computer.home }, cwd: computer.project };
      expect(findHosts(world)).toEqual([]);
      await fs.ensureDir(path.join(computer[where], sign));
      expect(findHosts(world)).toEqual([name]);
    }
  });

  it('by the folder that a variable names, and OpenClaw by its state or its config', async () => {
    const { home, project } = await createComputer();
    const find = (env: Record<string, string>) =>
      findHosts({ fs: nodeFs, env: { HOME: home, ...env }, cwd: project });
    await fs.outputFile(path.join(home, 'x/c.json'), '{}');
    expect(find({ CLAUDE_CONFIG_DIR: path.join(home, 'x') })).toEqual(['claude-code']);
    expect(find({ CLAUDE_CONFIG_DIR: path.join(home, 'gone') })).toEqual([]);
    expect(find({ OPENCLAW_STATE_DIR: path.join(home, 'x') })).toEqual(['openclaw']);
    expect(find({ OPENCLAW_CONFIG_PATH: path.join(home, 'x/c.json') })).toEqual(['openclaw']);
  });
});
