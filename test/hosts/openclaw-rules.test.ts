import nodeFs from 'node:fs';
import path from 'node:path';
import fs from 'fs-extra';
import { describe, expect, it } from 'vitest';
import { findOpenclawWorkspace } from '../../cli/hosts/openclaw/find-workspace.ts';
import { readOpenclaw } from '../../cli/hosts/openclaw/read-openclaw.ts';
import { makeFolder } from '../run-binary.ts';

interface Setup {
  /** Files below the home folder, which `~` stands for in names, values and expectations. */
  files?: Record<string, string>;
  env?: Record<string, string>;
  profile?: string;
}

async function setUp({ files = {}, env = {}, profile }: Setup) {
  const home = await makeFolder();
  const cwd = path.join(home, 'cwd');
  await fs.ensureDir(cwd);
  for (const [name, text] of Object.entries(files)) {
    await fs.outputFile(path.join(home, name), text.replaceAll('HOME', home));
  }
  const values = Object.entries(env).map(([name, value]) => [name, value.replaceAll('HOME', home)]);
  const world = { fs: nodeFs, cwd, env: { HOME: home, ...Object.fromEntries(values) }, profile };
  return { home, world };
}

/** Workspaces by agent, and what stands in the way of one. */
async function readRoster(setup: Setup) {
  const { home, world } = await setUp(setup);
  const shorten = (text: string) => text.replaceAll(home, 'HOME');
  const { agents, places } = readOpenclaw(world);
  const workspaces = agents.map((agent) => {
    try {
      return [agent.id, shorten(agent.findWorkspace())];
    } catch (error) {
      return [agent.id, `! ${(error as { code: string }).code}`];
    }
  });
  return { ...Object.fromEntries(workspaces), '(user)': shorten(places.userSkills) };
}

const CONFIG = '.openclaw/openclaw.json';
const TWO = '{agents:{ownership:"explicit",entries:{x:{},y:{}}}}';
const USER = { '(user)': 'HOME/.openclaw/skills' };

// Every row was compared with what `openclaw agents list --json` of 2026.9.6 says.
describe('the workspaces of the agents', () => {
  it.each<[string, Setup, Record<string, string>]>([
    ['no config', {}, { main: 'HOME/.openclaw/workspace' }],
    [
      'one agent',
      { files: { [CONFIG]: '{agents:{entries:{a:{}}}}' } },
      { a: 'HOME/.openclaw/workspace' },
    ],
    [
      'the only agent, owned explicitly',
      { files: { [CONFIG]: '{agents:{ownership:"explicit",entries:{main:{}}}}' } },
      { main: 'HOME/.openclaw/workspace' },
    ],
    [
      'several, owned explicitly',
      { files: { [CONFIG]: TWO.replace('x:', 'main:') } },
      { main: 'HOME/.openclaw/workspace-main', y: 'HOME/.openclaw/workspace-y' },
    ],
    [
      'several with a default',
      { files: { [CONFIG]: '{agents:{entries:{a:{},b:{default:true}}}}' } },
      { a: 'HOME/.openclaw/workspace-a', b: 'HOME/.openclaw/workspace' },
    ],
    [
      'the legacy list',
      { files: { [CONFIG]: '{agents:{list:[{id:"a"},{id:"b",default:true}]}}' } },
      { a: 'HOME/.openclaw/workspace-a', b: 'HOME/.openclaw/workspace' },
    ],
    [
      'a workspace for one',
      { files: { [CONFIG]: '{agents:{defaults:{workspace:"~/ws"},entries:{a:{}}}}' } },
      { a: 'HOME/ws' },
    ],
    [
      'a workspace for several',
      { files: { [CONFIG]: TWO.replace('entries', 'defaults:{workspace:"~/ws"},entries') } },
      { x: 'HOME/ws/x', y: 'HOME/ws/y' },
    ],
    [
      'ids in capitals',
      { files: { [CONFIG]: '{agents:{entries:{A_b:{workspace:"/w"}}}}' } },
      { a_b: '/w' },
    ],
    [
      'an empty roster',
      { files: { [CONFIG]: '{agents:{entries:{}}}' } },
      {
        main: 'HOME/.openclaw/workspace',
      },
    ],
  ])('%s', async (_, setup, wanted) => {
    expect(await readRoster(setup)).toEqual({ ...USER, ...wanted });
  });
});

describe('the environment', () => {
  it.each<[string, Setup, Record<string, string>]>([
    [
      'OPENCLAW_STATE_DIR',
      { files: { 'S/openclaw.json': TWO }, env: { OPENCLAW_STATE_DIR: 'HOME/S' } },
      { x: 'HOME/S/workspace-x', y: 'HOME/S/workspace-y', '(user)': 'HOME/S/skills' },
    ],
    [
      'OPENCLAW_STATE_DIR with ~ below OPENCLAW_HOME',
      { env: { OPENCLAW_HOME: 'HOME/hh', OPENCLAW_STATE_DIR: '~/st' } },
      { main: 'HOME/hh/st/workspace', '(user)': 'HOME/hh/st/skills' },
    ],
    [
      'a relative OPENCLAW_STATE_DIR',
      { env: { OPENCLAW_STATE_DIR: 'rel' } },
      { main: 'HOME/cwd/rel/workspace', '(user)': 'HOME/cwd/rel/skills' },
    ],
    [
      'OPENCLAW_HOME',
      { files: { 'hh/.openclaw/openclaw.json': TWO }, env: { OPENCLAW_HOME: '~/hh' } },
      {
        x: 'HOME/hh/.openclaw/workspace-x',
        y: 'HOME/hh/.openclaw/workspace-y',
        '(user)': 'HOME/hh/.openclaw/skills',
      },
    ],
    [
      'OPENCLAW_CONFIG_PATH',
      { files: { 'd/c.json': TWO }, env: { OPENCLAW_CONFIG_PATH: 'HOME/d/c.json' } },
      {
        x: 'HOME/.openclaw/workspace-x',
        y: 'HOME/.openclaw/workspace-y',
        '(user)': 'HOME/d/skills',
      },
    ],
    [
      'OPENCLAW_WORKSPACE_DIR, where the config names none',
      {
        files: { [CONFIG]: '{agents:{entries:{a:{},b:{default:true}}}}' },
        env: { OPENCLAW_WORKSPACE_DIR: '/wenv' },
      },
      { a: 'HOME/.openclaw/workspace-a', b: '/wenv', ...USER },
    ],
    [
      'OPENCLAW_WORKSPACE_DIR, where the config names one',
      {
        files: { [CONFIG]: '{agents:{defaults:{workspace:"/named"}}}' },
        env: { OPENCLAW_WORKSPACE_DIR: '/wenv' },
      },
      { main: '/named', ...USER },
    ],
    [
      'OPENCLAW_PROFILE alone, which moves only the workspace',
      { env: { OPENCLAW_PROFILE: 'foo' } },
      { main: 'HOME/.openclaw-foo/workspace', ...USER },
    ],
    [
      '--profile',
      { files: { '.openclaw-foo/openclaw.json': TWO }, profile: 'foo' },
      {
        x: 'HOME/.openclaw-foo/workspace-x',
        y: 'HOME/.openclaw-foo/workspace-y',
        '(user)': 'HOME/.openclaw-foo/skills',
      },
    ],
    [
      '--profile with a state folder that the user chose',
      {
        files: { 'S/openclaw.json': TWO },
        profile: 'foo',
        env: { OPENCLAW_STATE_DIR: 'HOME/S' },
      },
      { x: 'HOME/S/workspace-x', y: 'HOME/S/workspace-y', '(user)': 'HOME/S/skills' },
    ],
    [
      '--profile inside another profile',
      {
        profile: 'foo',
        env: {
          OPENCLAW_PROFILE: 'bar',
          OPENCLAW_STATE_DIR: 'HOME/.openclaw-bar',
          OPENCLAW_CONFIG_PATH: 'HOME/.openclaw-bar/openclaw.json',
        },
      },
      { main: 'HOME/.openclaw-foo/workspace', '(user)': 'HOME/.openclaw-foo/skills' },
    ],
    [
      'a state folder of the old name',
      { files: { '.clawdbot/clawdbot.json': TWO } },
      { x: 'HOME/.clawdbot/workspace-x', y: 'HOME/.clawdbot/workspace-y', ...USER },
    ],
  ])('%s', async (_, setup, wanted) => {
    expect(await readRoster(setup)).toEqual(wanted);
  });

  it.each(['../x', 'a b', '', '-x'])('refuses %j as a profile', async (profile) => {
    const { world } = await setUp({ profile });
    expect(() => readOpenclaw(world)).toThrow(
      expect.objectContaining({ code: 'openclaw-profile' }),
    );
  });

  it('without a home folder is refused, unless every path is whole', async () => {
    const world = { fs: nodeFs, cwd: '/', env: {} };
    expect(() => readOpenclaw(world)).toThrow(expect.objectContaining({ code: 'no-home' }));
    const whole = { ...world, env: { OPENCLAW_STATE_DIR: '/nowhere' } };
    expect(readOpenclaw(whole).agents[0]?.findWorkspace()).toBe('/nowhere/workspace');
  });
});

describe('the config', () => {
  it('may be put together from files, with comments and variables', async () => {
    const roster = await readRoster({
      files: {
        [CONFIG]: `{ // agents
          env: { vars: { IN_CONFIG: '/config' } },
          agents: { $include: ['./a.json5', 'sub/b.json5'], defaults: { workspace: '/shared' } },
        }`,
        '.openclaw/a.json5': '{ownership: "explicit", entries: {a: {workspace: "\\u002fone"}}}',
        '.openclaw/sub/b.json5': `{entries: {a: {skills: []}, b: {}}, $include: '../c.json'}`,
        '.openclaw/c.json': `{"entries": {"c": {"workspace": "\${SET}/c"},
          "d": {"workspace": "\${IN_FILE}/d"}, "e": {"workspace": "\${IN_CONFIG}/e"},
          "f": {"workspace": "/$\${LITERAL}"}, "g": {"workspace": "\${MISSING}/g"},
          "h": {"workspace": "relative"}}}`,
        '.openclaw/.env': '# comment\nexport IN_FILE="/file"\nSET=/not-this-one\n',
      },
      env: { SET: '/set' },
    });
    expect(roster).toEqual({
      ...USER,
      a: '/one',
      b: '/shared/b',
      c: '/set/c',
      d: '/file/d',
      e: '/config/e',
      f: `/\${LITERAL}`,
      g: '! openclaw-variable',
      h: '! openclaw-relative-workspace',
    });
  });

  it.each<[string, string, Record<string, string>]>([
    ['openclaw-config-syntax', '{agents: [}', {}],
    ['openclaw-include', '{$include: "gone.json"}', {}],
    ['openclaw-include', '{$include: "../outside.json"}', { 'outside.json': '{}' }],
    ['openclaw-include', '{$include: "openclaw.json"}', {}],
    ['openclaw-include', '{$include: 5}', {}],
    ['openclaw-include', '{$include: "list.json", a: 1}', { '.openclaw/list.json': '[]' }],
    ['openclaw-config-syntax', '{$include: "bad.json"}', { '.openclaw/bad.json': '{' }],
  ])('is refused with %s: %s', async (code, config, files) => {
    const { world } = await setUp({ files: { [CONFIG]: config, ...files } });
    expect(() => readOpenclaw(world)).toThrow(expect.objectContaining({ code }));
  });

  it('includes from elsewhere only where that is allowed, also through a link', async () => {
    const { home, world } = await setUp({
      files: {
        [CONFIG]: '{agents: {$include: "HOME/out/agents.json"}}',
        'out/agents.json': '{"entries": {"a": {"workspace": "/out"}}}',
      },
    });
    const refused = expect.objectContaining({ code: 'openclaw-include' });
    expect(() => readOpenclaw(world)).toThrow(refused);
    const env = { ...world.env, OPENCLAW_INCLUDE_ROOTS: path.join(home, 'out') };
    expect(readOpenclaw({ ...world, env }).agents[0]?.findWorkspace()).toBe('/out');

    await fs.symlink(path.join(home, 'out/agents.json'), path.join(home, '.openclaw/link.json'));
    await fs.writeFile(path.join(home, CONFIG), '{agents: {$include: "link.json"}}');
    expect(() => readOpenclaw(world)).toThrow(refused);

    await fs.writeFile(path.join(home, '.openclaw/in.json'), '{}');
    await fs.symlink(path.join(home, '.openclaw'), path.join(home, 'back'));
    await fs.writeFile(path.join(home, CONFIG), '{agents: {$include: "../back/in.json"}}');
    expect(() => readOpenclaw(world)).toThrow(refused);
  });

  it('that is a folder is said to be unreadable', async () => {
    const { world } = await setUp({ files: { [`${CONFIG}/x`]: '' } });
    expect(() => readOpenclaw(world)).toThrow(
      expect.objectContaining({ code: 'openclaw-config-unreadable' }),
    );
  });

  it('knows a gateway on another machine, and which skills an agent is limited to', async () => {
    const { world } = await setUp({
      files: {
        [CONFIG]: `{gateway: {mode: 'remote', remote: {url: 'ws://there:1'}},
          agents: {ownership: 'explicit', defaults: {skills: ['a']},
            entries: {x: {skills: ['b']}, y: {}}}}`,
      },
    });
    const { remoteUrl, agents } = readOpenclaw(world);
    expect(remoteUrl).toBe('ws://there:1');
    expect(agents.map((agent) => agent.allowList)).toEqual([
      { skills: ['b'], path: 'agents.entries.x.skills' },
      { skills: ['a'], path: 'agents.defaults.skills' },
    ]);
  });
});

describe('the workspace of a folder', () => {
  const config =
    '{agents:{ownership:"explicit",defaults:{workspace:"~/ws"},entries:{x:{},y:{workspace:"~/ws"}}}}';

  it('is the innermost one that it lies in', async () => {
    const { home, world } = await setUp({ files: { [CONFIG]: config, 'ws/x/deep/file': '' } });
    const find = (folder: string) => findOpenclawWorkspace(world, path.join(home, folder));
    expect(find('ws/x/deep')).toMatchObject({ root: path.join(home, 'ws/x'), agentId: 'x' });
    expect(find('ws/x')).toMatchObject({ root: path.join(home, 'ws/x'), agentId: 'x' });
    expect(find('ws/other')).toMatchObject({ root: path.join(home, 'ws'), agentId: 'y' });
    expect(find('wsx')).toBeUndefined();
    expect(find('')).toBeUndefined();
  });

  it('is found through a link, and from another profile', async () => {
    const { home, world } = await setUp({ files: { '.openclaw-foo/workspace/a/b': '' } });
    const root = path.join(home, '.openclaw-foo/workspace');
    await fs.symlink(root, path.join(home, 'link'));
    expect(findOpenclawWorkspace(world, path.join(home, 'link/a'))).toEqual({
      root,
      agentId: 'main',
      profile: 'foo',
    });
  });

  it('is none where the gateway is elsewhere', async () => {
    const { home, world } = await setUp({
      files: { [CONFIG]: '{gateway:{mode:"remote"}}', '.openclaw/workspace/a': '' },
    });
    expect(findOpenclawWorkspace(world, path.join(home, '.openclaw/workspace'))).toBeUndefined();
  });

  it('with a broken config is an error only for a folder it may concern', async () => {
    const { home, world } = await setUp({ files: { [CONFIG]: '{', '.openclaw/workspace/a': '' } });
    expect(findOpenclawWorkspace(world, path.join(home, 'cwd'))).toBeUndefined();
    expect(() => findOpenclawWorkspace(world, path.join(home, '.openclaw/workspace'))).toThrow(
      expect.objectContaining({ code: 'openclaw-config-syntax' }),
    );
  });

  it('is none without a home folder', () => {
    expect(findOpenclawWorkspace({ fs: nodeFs, cwd: '/', env: {} }, '/tmp')).toBeUndefined();
  });
});
