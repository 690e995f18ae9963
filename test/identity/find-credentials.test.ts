import { spawnSync } from 'node:child_process';
import nodeFs from 'node:fs';
import path from 'node:path';
import fs from 'fs-extra';
import { describe, expect, it } from 'vitest';
import { chooseHub, isKeyFor } from '../../cli/identity/choose-hub.ts';
import { findCredentials, requireCredentials } from '../../cli/identity/find-credentials.ts';
import { makeFolder } from '../run-binary.ts';

const FILE = 'chorus-credentials.json';
const valid = { agent_id: 'haruka@hub.example', api_key: 'ca_1', hub_url: 'https://hub.example' };

/** A home with a project in it, and what is found from a folder in the project. */
async function makeWorld(files: Record<string, unknown>, env: Record<string, string> = {}) {
  const root = await makeFolder();
  const cwd = path.join(root, 'home/project/deep/down');
  await fs.ensureDir(cwd);
  for (const [name, value] of Object.entries(files)) {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    await fs.outputFile(path.join(root, name), text);
  }
  const world = { fs: nodeFs, cwd, env: { HOME: path.join(root, 'home'), ...env } };
  const find = (given?: string) => {
    const found = findCredentials(world, given);
    return { ...found, file: path.relative(root, found.file) };
  };
  return { root, world, find };
}

describe('credentials are found', () => {
  it.each([
    ['in the folder', 'home/project/deep/down', 'folder'],
    ['above the folder', 'home/project', 'folder'],
    ['at home', 'home/.chorus', 'home'],
  ])('%s', async (_, folder, source) => {
    const { find } = await makeWorld({ [`${folder}/${FILE}`]: valid });
    expect(find()).toMatchObject({ file: `${folder}/${FILE}`, source, state: 'valid' });
  });

  it('nearest first, and before those at home', async () => {
    const other = { ...valid, agent_id: 'other@hub.example' };
    const { find } = await makeWorld({
      [`home/project/deep/${FILE}`]: valid,
      [`home/project/${FILE}`]: other,
      [`home/.chorus/${FILE}`]: other,
    });
    expect(find()).toMatchObject({ file: `home/project/deep/${FILE}` });
  });

  it('where the option says, then where the environment says', async () => {
    const files = { 'home/a.json': valid, 'home/b.json': valid, [`home/project/${FILE}`]: valid };
    const { find } = await makeWorld(files, { CHORUS_CREDENTIALS: '~/b.json' });
    expect(find('../../../a.json')).toMatchObject({ file: 'home/a.json', source: 'option' });
    expect(find()).toMatchObject({ file: 'home/b.json', source: 'environment' });
  });

  it('in the root of an OpenClaw workspace and nowhere else from inside it', async () => {
    const { world, root } = await makeWorld({
      'home/.openclaw/openclaw.json': '{}',
      [`home/.openclaw/workspace/skills/${FILE}`]: valid,
      [`home/.openclaw/${FILE}`]: valid,
      [`home/.chorus/${FILE}`]: valid,
    });
    const cwd = path.join(root, 'home/.openclaw/workspace/skills');
    const expected = { file: path.join(root, 'home/.openclaw/workspace', FILE) };
    const found = () => findCredentials({ ...world, cwd });
    expect(found()).toMatchObject({ ...expected, source: 'openclaw', state: 'missing' });
    await fs.outputJson(expected.file, valid);
    expect(found()).toMatchObject({ ...expected, source: 'openclaw', state: 'valid' });
  });

  it('nowhere: then they would be written to the current folder', async () => {
    const { find } = await makeWorld({});
    const file = `home/project/deep/down/${FILE}`;
    expect(find()).toMatchObject({ file, source: 'nowhere', state: 'missing' });
  });

  it('through a symbolic link', async () => {
    const { find, root } = await makeWorld({ 'vault.json': valid });
    await fs.symlink('../../vault.json', path.join(root, 'home/project', FILE));
    expect(find()).toMatchObject({ file: `home/project/${FILE}`, state: 'valid' });
  });
});

describe('damaged credentials are told as such, and no others are taken instead', () => {
  it.each<[string, unknown, string]>([
    ['half a file', '{"agent_id": "a@b", "api_', 'credentials-not-json'],
    ['an empty file', '', 'credentials-not-json'],
    ['a list', [], 'credentials-not-json'],
    ['no key', { ...valid, api_key: undefined }, 'credentials-field-missing'],
    ['an empty id', { ...valid, agent_id: '' }, 'credentials-field-missing'],
    ['no hub', { ...valid, hub_url: undefined }, 'credentials-field-missing'],
    ['an id that is none', { ...valid, agent_id: 'a b@c' }, 'credentials-field'],
    ['a key with a line break', { ...valid, api_key: 'ca_1\r\nX: 1' }, 'credentials-field'],
    ['a key that is a number', { ...valid, api_key: 1 }, 'credentials-field'],
    ['a hub that is a file', { ...valid, hub_url: 'file:///etc/passwd' }, 'credentials-field'],
    ['a hub with a password', { ...valid, hub_url: 'https://a:b@c' }, 'credentials-field'],
    ['a huge file', 'x'.repeat(70_000), 'credentials-too-large'],
  ])('%s', async (_, content, code) => {
    const files = { [`home/project/${FILE}`]: content, [`home/.chorus/${FILE}`]: valid };
    const { find } = await makeWorld(files);
    const found = find();
    expect(found).toMatchObject({ file: `home/project/${FILE}`, state: 'damaged' });
    expect(found.state === 'damaged' && found.damage.code).toBe(code);
    expect(() => requireCredentials(found)).toThrow(code);
  });

  it('a folder, a pipe, a link to nowhere', async () => {
    const { find, root } = await makeWorld({});
    const file = path.join(root, 'home/project', FILE);
    const code = () => {
      const found = find();
      return found.state === 'damaged' && found.damage.code;
    };
    await fs.mkdir(file);
    expect(code()).toBe('credentials-not-a-file');
    await fs.rmdir(file);
    expect(spawnSync('mkfifo', [file]).status).toBe(0);
    expect(code()).toBe('credentials-not-a-file');
    await fs.remove(file);
    await fs.symlink('nowhere', file);
    expect(code()).toBe('credentials-broken-link');
  });

  it('the file of another user', async () => {
    const { world, root } = await makeWorld({ [`home/project/${FILE}`]: valid });
    const file = path.join(root, 'home/project', FILE);
    const owned = (uid: number) => {
      const statSync = (name: string, options: object) => {
        const entry = nodeFs.statSync(name, options);
        return name === file ? Object.assign(entry, { uid }) : entry;
      };
      return { ...nodeFs, statSync } as unknown as typeof nodeFs;
    };
    const mine = nodeFs.statSync(file).uid;
    expect(findCredentials({ ...world, fs: owned(mine) })).toMatchObject({ state: 'valid' });
    const theirs = findCredentials({ ...world, fs: owned(mine + 1) });
    expect(theirs).toMatchObject({ state: 'damaged', damage: { code: 'credentials-foreign' } });
    expect(findCredentials({ ...world, fs: owned(mine + 1) }, file).state).toBe('valid');
  });
});

it('what others keep in the file is kept', async () => {
  const { find } = await makeWorld({ [`home/project/${FILE}`]: { note: 1, ...valid } });
  const found = find();
  expect(found.state === 'valid' && found.credentials).toEqual({ ...valid, others: { note: 1 } });
});

describe('the hub', () => {
  const credentials = { hub_url: 'https://mine.example' };

  it('is chosen in the documented order', () => {
    const env = { CHORUS_HUB_URL: 'https://env.example' };
    const choose = (wishes: Partial<Parameters<typeof chooseHub>[0]>) => {
      const { url, source } = chooseHub({ env: {}, ...wishes });
      return [url.host, source];
    };
    expect(choose({ given: 'https://a.example', env, credentials })).toEqual([
      'a.example',
      'option',
    ]);
    expect(choose({ env, credentials })).toEqual(['env.example', 'environment']);
    expect(choose({ credentials })).toEqual(['mine.example', 'credentials']);
    expect(choose({})).toEqual(['agchorus.com', 'default']);
  });

  it.each(['http://hub.example', 'http://127.0.0.1.evil.example', 'http://10.0.0.1'])(
    '%s is refused without --insecure',
    (given) => {
      expect(() => chooseHub({ given, env: {} })).toThrow('hub-insecure');
      expect(chooseHub({ given, env: {}, insecure: true }).url.href).toContain(given);
    },
  );

  it.each(['http://localhost:1', 'http://127.1.2.3:1', 'http://[::1]:1', 'http://a.localhost'])(
    '%s is this machine',
    (given) => {
      expect(chooseHub({ given, env: {} }).source).toBe('option');
    },
  );

  it.each(['agchorus.com', 'ftp://a', 'https://a:b@c', 'https://a/?b', 'https://a\n.b', '', '//a'])(
    '%j is no address of a hub',
    (given) => {
      expect(() => chooseHub({ given, env: {} })).toThrow('bad-hub-url');
    },
  );

  it.each([
    ['127.0.0.1:8787', 'http://127.0.0.1:8787'],
    ['localhost:8787', 'http://localhost:8787'],
    ['hub.example:8787', 'https://hub.example:8787'],
  ])('for %s the likely address is suggested', (given, nearest) => {
    const badUrl = expect.objectContaining({ args: { given, nearest } });
    expect(() => chooseHub({ given, env: {} })).toThrow(badUrl);
  });

  it('gets a key only if the key is for it', () => {
    expect(isKeyFor(credentials, new URL('https://mine.example/below'))).toBe(true);
    expect(isKeyFor(credentials, new URL('http://mine.example'))).toBe(false);
    expect(isKeyFor(credentials, new URL('https://mine.example:444'))).toBe(false);
  });
});
