import https from 'node:https';
import path from 'node:path';
import { execa } from 'execa';
import fs from 'fs-extra';
import { describe, expect, it } from 'vitest';
import { startHub } from '../hub/start-hub.ts';
import { makeCertificate } from '../hub-client/make-certificate.ts';
import { startProxy } from '../hub-client/start-proxy.ts';
import { failure, sendJson, startServer, success } from '../hub-client/start-server.ts';
import { makeFolder, readTree, runBinary } from '../run-binary.ts';
import { startLiveHub } from './live-hub.ts';

const FILE = 'chorus-credentials.json';
const CULTURE = ['--culture', 'ja'];

/** A project in a home of its own, and the program run in it. */
async function makeProject(env: Record<string, string> = {}) {
  const home = await makeFolder();
  const cwd = path.join(home, 'project');
  await fs.ensureDir(cwd);
  const file = path.join(cwd, FILE);
  const run = (args: readonly string[], options: { cwd?: string; env?: object } = {}) =>
    runBinary(args, { cwd, ...options, env: { HOME: home, TMPDIR: home, ...env, ...options.env } });
  const read = () => fs.readJson(file);
  return { home, cwd, file, run, read };
}

async function readDirectory(url: string): Promise<unknown> {
  const answer = await fetch(`${url}/discover`);
  return ((await answer.json()) as { data: unknown }).data;
}

const errorOf = (result: { stdout: string }) => JSON.parse(result.stdout).error;

describe('register with our own hub', () => {
  it('stores the key, readable by nobody else, and says where and why', async () => {
    const hub = await startHub();
    const { run, read, file, cwd } = await makeProject();
    const result = await run(['register', 'haruka', '--hub', hub.url, '--culture', 'zh_Hans_CN']);
    expect(result).toMatchObject({ exitCode: 0, stderr: '' });
    const stored = await read();
    expect(Object.keys(stored).slice(0, 4)).toEqual([
      'agent_id',
      'api_key',
      'hub_url',
      'user_culture',
    ]);
    expect(stored).toMatchObject({
      agent_id: `haruka@${hub.name}`,
      hub_url: hub.url,
      user_culture: 'zh-CN',
      supported_languages: ['zh-CN'],
    });
    expect((await fs.stat(file)).mode & 0o777).toBe(0o600);
    expect(await fs.readdir(cwd)).toEqual([FILE]);
    expect(result.stdout).toContain('the current folder, as there is none yet');
    expect(result.stdout).toContain(stored.api_key.slice(-4));
    expect(result.stdout).not.toContain(stored.api_key);
  });

  it('is done once: the second time the key is checked and nothing is sent', async () => {
    const hub = await startHub();
    const { run, read, cwd } = await makeProject();
    await run(['register', 'haruka', '--hub', hub.url, ...CULTURE]);
    const before = await read();
    const below = path.join(cwd, 'deep/down');
    await fs.ensureDir(below);
    const again = await run(['register', 'haruka', ...CULTURE, '--json'], { cwd: below });
    expect(again.exitCode).toBe(0);
    expect(JSON.parse(again.stdout)).toMatchObject({
      outcome: 'already',
      keyAccepted: true,
      agent_id: before.agent_id,
      source: 'folder',
    });
    expect(again.stderr).toBe('');
    expect(await read()).toEqual(before);
    const whole = ['register', before.agent_id, '--hub', `${hub.url}/`];
    expect((await run(whole)).exitCode).toBe(0);
    const chinese = await run(['register', '--ui-lang', 'zh-CN']);
    expect(chinese.stdout).toContain('已注册为');
    expect(chinese.stdout).toContain('hub 已接受');
  });

  it('says which options changed nothing, as there is an identity already', async () => {
    const hub = await startHub();
    const { run, read } = await makeProject();
    await run(['register', 'haruka', '--hub', hub.url, ...CULTURE]);
    const before = await read();
    const other = ['--culture', 'fr', '--languages', before.supported_languages.join()];
    const again = await run(['register', ...other, '--json']);
    expect(again).toMatchObject({ exitCode: 0 });
    expect(JSON.parse(again.stdout)).toMatchObject({
      outcome: 'already',
      culture: before.user_culture,
      unused: ['--culture'],
    });
    expect(again.stderr).toContain('already: --culture.');
    expect(await read()).toEqual(before);
    expect(await run(['register', '--culture', 'not a culture'])).toMatchObject({ exitCode: 2 });
    const rotated = await run(['register', '--rotate', ...other, '--json']);
    expect(JSON.parse(rotated.stdout)).toMatchObject({ outcome: 'rotated', culture: 'fr' });
  });

  it.each([
    ['another id', ['other'], 'other'],
    ['another hub', ['haruka', '--hub', 'https://hub.example'], 'https://hub.example'],
  ])('with %s than there is fails, and nothing is sent', async (_, args, wanted) => {
    const hub = await startLiveHub();
    const { run, file, cwd } = await makeProject();
    await run(['register', 'haruka', '--hub', hub.url, ...CULTURE]);
    const before = await readTree(cwd);
    hub.seen.length = 0;
    const result = await run(['register', ...args, ...CULTURE, '--json']);
    expect(result.exitCode).toBe(1);
    expect(errorOf(result)).toMatchObject({
      code: 'identity-exists',
      args: { wanted, hub: hub.url, path: file },
      hint: expect.stringContaining('--new-identity'),
    });
    expect(hub.seen).toEqual([]);
    expect(await readTree(cwd)).toEqual(before);
  });

  it('gives a new culture its own languages, unless others were chosen', async () => {
    const hub = await startHub();
    const { run } = await makeProject();
    await run(['register', 'haruka', '--hub', hub.url, ...CULTURE]);
    const rotate = async (...args: string[]) =>
      JSON.parse((await run(['register', '--rotate', ...args, '--json'])).stdout).languages;
    expect(await rotate('--culture', 'fr')).toEqual(['fr']);
    expect(await rotate('--languages', 'fr,en')).toEqual(['fr', 'en']);
    expect(await rotate('--culture', 'de')).toEqual(['fr', 'en']);
  });

  it('rotates the key and keeps a dated copy', async () => {
    const hub = await startHub();
    const { run, read, cwd, file } = await makeProject();
    await run(['register', 'haruka', '--hub', hub.url, ...CULTURE, '--languages', 'ja,en']);
    const before = await read();
    await fs.writeJson(file, { ...before, note: 'mine' });
    const result = await run(['register', '--rotate', '--json']);
    expect(JSON.parse(result.stdout)).toMatchObject({ outcome: 'rotated' });
    const after = await read();
    expect(after).toEqual({ ...before, api_key: after.api_key, note: 'mine' });
    expect(after.api_key).not.toBe(before.api_key);
    const { keptCopy } = JSON.parse(result.stdout);
    expect(await fs.readJson(keptCopy)).toEqual({ ...before, note: 'mine' });
    expect((await fs.stat(keptCopy)).mode & 0o777).toBe(0o600);
    expect((await fs.readdir(cwd)).length).toBe(2);
    expect(JSON.parse((await run(['register', '--json'])).stdout).keyAccepted).toBe(true);
    // The copy's key is dead, and that is told.
    const dead = await run(['register', '--credentials', keptCopy, '--json']);
    expect(dead.exitCode).toBe(1);
    expect(errorOf(dead).code).toBe('key-refused');
    expect(errorOf(dead).hint).toContain(
      `chorus-skill register haruka --culture ja --new-identity --credentials ${keptCopy}`,
    );
    // No new key for a dead one, either.
    const rotated = await run(['register', '--rotate', '--credentials', keptCopy, '--json']);
    expect(errorOf(rotated)).toMatchObject({ code: 'key-refused', hint: errorOf(dead).hint });
  });

  it('makes another identity only when told to, and keeps the old file', async () => {
    const hub = await startHub();
    const { run, read } = await makeProject();
    await run(['register', 'haruka', '--hub', hub.url, ...CULTURE]);
    const before = await read();
    const result = await run(['register', 'kenji', '--new-identity', ...CULTURE, '--json']);
    expect(JSON.parse(result.stdout)).toMatchObject({ outcome: 'replaced' });
    expect((await read()).agent_id).toBe(`kenji@${hub.name}`);
    expect(await fs.readJson(JSON.parse(result.stdout).keptCopy)).toEqual(before);
  });

  it('suggests free names for one that is taken', async () => {
    const hub = await startHub();
    const one = await makeProject();
    const two = await makeProject();
    const args = ['register', 'haruka', '--hub', hub.url, ...CULTURE, '--json'];
    await one.run(args);
    const taken = await two.run(args);
    expect(taken.exitCode).toBe(1);
    expect(errorOf(taken)).toMatchObject({ code: 'id-taken' });
    expect(errorOf(taken).args.suggestions).toContain(`haruka-2@${hub.name}`);
    expect(await readTree(two.cwd)).toEqual({});
  });

  it.each([
    ['one name', ['a', 'a', 'a', 'a'], { exitCode: 0, outcome: 'already' }],
    ['four names', ['a', 'b', 'c', 'd'], { exitCode: 1, error: { code: 'identity-exists' } }],
  ])('with %s at the same moment makes one identity', async (_, names, others) => {
    let arrived = 0;
    let open = () => {};
    const allAreThere = new Promise<void>((resolve) => {
      open = resolve;
    });
    const hub = await startLiveHub({
      intercept: async ({ path: asked }) => {
        if (asked === '/.well-known/chorus.json') arrived += 1;
        if (arrived === 4) open();
        if (asked === '/register') await allAreThere;
      },
    });
    const { run, read, cwd } = await makeProject();
    const args = (name: string) => ['register', name, '--hub', hub.url, ...CULTURE, '--json'];
    const runs = await Promise.all(names.map((name) => run(args(name))));
    const results = runs.map(({ exitCode, stdout }) => ({ exitCode, ...JSON.parse(stdout) }));
    const first = results.filter(({ outcome }) => outcome === 'registered');
    expect(first).toMatchObject([{ exitCode: 0, agent_id: (await read()).agent_id }]);
    const rest = results.filter((result) => result !== first[0]);
    expect(rest).toMatchObject([others, others, others]);
    expect(await fs.readdir(cwd)).toEqual([FILE]);
    expect(hub.issued).toHaveLength(1);
  });

  it('--dry-run touches nothing', async () => {
    const hub = await startHub();
    const { run, cwd } = await makeProject();
    const args = ['register', 'haruka', '--hub', hub.url, ...CULTURE, '--dry-run'];
    const result = await run([...args, '--json']);
    expect(JSON.parse(result.stdout)).toMatchObject({
      dryRun: true,
      agent_id: `haruka@${hub.name}`,
    });
    expect((await run(args)).stdout).toContain('Would register');
    expect(await readTree(cwd)).toEqual({});
    expect(await readDirectory(hub.url)).toEqual([]);
  });
});

describe('the place of the credentials', () => {
  it('is the root of the OpenClaw workspace', async () => {
    const hub = await startLiveHub();
    const { run, home } = await makeProject();
    const workspace = path.join(home, '.openclaw/workspace');
    await fs.outputFile(path.join(home, '.openclaw/openclaw.json'), '{}');
    await fs.ensureDir(path.join(workspace, 'skills'));
    const args = ['register', 'haruka', '--hub', hub.url, ...CULTURE];
    const result = await run(args, { cwd: path.join(workspace, 'skills') });
    expect(result.stdout).toContain('OpenClaw workspace');
    expect(await fs.pathExists(path.join(workspace, FILE))).toBe(true);
  });

  it('is proven writable before the hub is asked', async () => {
    const hub = await startLiveHub();
    const { run, home } = await makeProject();
    const args = ['register', 'haruka', '--hub', hub.url, ...CULTURE, '--json'];
    await fs.writeFile(path.join(home, 'file'), '');
    const result = await run([...args, '--credentials', path.join(home, 'file', FILE)]);
    expect(result.exitCode).toBe(1);
    expect(errorOf(result)).toMatchObject({ code: 'credentials-unwritable' });
    expect(hub.issued).toEqual([]);
    const full = await run([...args, '--credentials', '/dev/full/x']);
    expect(errorOf(full).code).toBe('credentials-unwritable');
    expect(hub.issued).toEqual([]);
  });

  it('may go between question and answer: then the key is kept elsewhere', async () => {
    const { run, cwd, home } = await makeProject();
    const hub = await startLiveHub({
      intercept: async ({ path: asked }) => {
        if (asked === '/register') await fs.remove(cwd);
      },
    });
    const result = await run(['register', 'haruka', '--hub', hub.url, ...CULTURE, '--json']);
    expect(result.exitCode).toBe(1);
    const { code, args } = errorOf(result);
    expect(code).toBe('credentials-elsewhere');
    expect(args.elsewhere).toContain(path.join(home, '.chorus'));
    expect((await fs.stat(args.elsewhere)).mode & 0o777).toBe(0o600);
    expect((await fs.readJson(args.elsewhere)).api_key).toBe(hub.issued[0]);
  });

  it('with damaged credentials is left alone', async () => {
    const hub = await startLiveHub();
    const { run, file } = await makeProject();
    await fs.writeFile(file, '{"agent_id": "haruka@');
    const args = ['register', 'haruka', '--hub', hub.url, ...CULTURE];
    const result = await run(args);
    expect(result).toMatchObject({ exitCode: 1, stdout: '' });
    expect(result.stderr).toContain('not a JSON object');
    expect((await run([...args, '--ui-lang', 'zh-CN'])).stderr).toContain('已损坏');
    expect(await fs.readFile(file, 'utf8')).toBe('{"agent_id": "haruka@');
    expect(hub.seen).toEqual([]);
    const renewed = await run([...args, '--new-identity', '--json']);
    expect(renewed.exitCode).toBe(0);
    expect(await fs.readFile(JSON.parse(renewed.stdout).keptCopy, 'utf8')).toContain('haruka@');
  });

  it.each([
    ['cut off', (url: string) => `{"hub_url": "${url}", "agent_id": "haru`],
    ['without a key', (url: string) => JSON.stringify({ agent_id: 'a@b', hub_url: url })],
  ])('with credentials %s still says which hub it was', async (_, damage) => {
    const hub = await startLiveHub();
    const { run, read, file } = await makeProject();
    await fs.writeFile(file, damage(hub.url));
    await run(['register', 'haruka', ...CULTURE, '--new-identity']);
    expect((await read()).hub_url).toBe(hub.url);
  });

  it('with nothing readable in the credentials wants to know the hub', async () => {
    const { run, file } = await makeProject();
    await fs.writeFile(file, '{"agent_id"');
    const result = await run(['register', 'haruka', ...CULTURE, '--new-identity', '--json']);
    expect(result.exitCode).toBe(2);
    expect(errorOf(result)).toMatchObject({ args: { option: '--hub <url>' } });
    expect(await fs.readFile(file, 'utf8')).toBe('{"agent_id"');
  });

  it('behind a symbolic link stays behind it', async () => {
    const hub = await startLiveHub();
    const { run, file, home } = await makeProject();
    const vault = path.join(home, 'vault.json');
    await run(['register', 'haruka', '--hub', hub.url, ...CULTURE, '--credentials', vault]);
    await fs.symlink('../vault.json', file);
    expect((await run(['register', '--rotate'])).exitCode).toBe(0);
    expect((await fs.lstat(file)).isSymbolicLink()).toBe(true);
    expect((await fs.readJson(vault)).api_key).toBe(hub.issued[1]);
  });
});

describe('what is missing is named, with the command to copy', () => {
  it('without a terminal nothing asks and nothing is sent', async () => {
    const { run } = await makeProject({ LC_ALL: 'C', LANG: 'zh_Hans_CN.UTF-8' });
    const result = await run(['register', '--hub', 'http://127.0.0.1:1', '--ui-lang', 'en']);
    expect(result).toMatchObject({ exitCode: 2, stdout: '' });
    expect(result.stderr).toContain('Missing: agent_id, --culture.');
    // Whatever the machine's own files say, some source is named with its value.
    expect(result.stderr).toMatch(/(LANG|locale\S*|\S+) says [a-z]{2}/);
    expect(result.stderr).toMatch(/register <agent_id> --culture [a-zA-Z-]+ --hub http/);
    const named = await run(['register', 'haruka', '--yes', '--json']);
    expect(named.exitCode).toBe(2);
    expect(errorOf(named).args.missing).toEqual(['--culture']);
  });

  it.each([
    [['register', 'haruka', '--culture', 'klingon!'], 'bad-culture'],
    [['register', 'haruka', '--culture', 'xx'], 'bad-culture'],
    [['register', 'haruka', '--culture', ''], 'bad-culture'],
    [['register', 'haruka', '--culture', 'ja', '--languages', 'ja,??'], 'bad-culture'],
    [['register', 'my-agent', '--culture', 'ja'], 'placeholder-id'],
    [['register', 'your-name@agchorus', '--culture', 'ja'], 'placeholder-id'],
    [['register', 'a b', '--culture', 'ja'], 'bad-agent-id'],
    [['register', '../x', '--culture', 'ja'], 'bad-agent-id'],
    [['register', 'haruka', '--culture', 'ja', '--hub', 'http://hub.example'], 'hub-insecure'],
    [['register', 'haruka', '--culture', 'ja', '--hub', 'hub.example'], 'bad-hub-url'],
    [['register', 'haruka', '--culture', 'ja', '--endpoint', 'ftp://a'], 'bad-endpoint'],
    [['register', '--rotate', '--new-identity'], 'register-conflict'],
  ])('%j is refused before anything is sent', async (args, code) => {
    const { run, cwd } = await makeProject();
    const result = await run([...args, '--json']);
    expect(errorOf(result).code).toBe(code);
    expect(result.exitCode).toBe(2);
    expect(await readTree(cwd)).toEqual({});
  });

  it('a country in the place of a language gets the language suggested', async () => {
    const { run } = await makeProject();
    const result = await run(['register', 'haruka', '--culture', 'jp']);
    expect(result.stderr).toContain('Did you mean ja-JP?');
  });
});

describe('git', () => {
  async function makeRepository() {
    const project = await makeProject();
    await execa('git', ['init', '-q'], { cwd: project.cwd });
    return project;
  }
  const ignored = async (cwd: string, file = FILE) =>
    (await execa('git', ['check-ignore', '-q', file], { cwd, reject: false })).exitCode === 0;

  it('the user is warned, or agrees with --yes', async () => {
    const hub = await startLiveHub();
    const { run, cwd } = await makeRepository();
    // A line for the file alone leaves its copies to be committed.
    await fs.writeFile(path.join(cwd, '.gitignore'), `dist\r\n${FILE}`);
    const args = ['register', 'haruka', '--hub', hub.url, ...CULTURE];
    const planned = await run([...args, '--yes', '--dry-run']);
    expect(planned.stdout).toContain(`would add "${FILE}*"`);
    const careless = await run(args);
    expect(careless.stderr).toContain('git would commit private files');
    const below = path.join(cwd, 'below');
    await fs.ensureDir(below);
    const agreed = await run(
      ['register', 'kenji', '--hub', hub.url, ...CULTURE, '--yes', '--credentials', FILE],
      { cwd: below },
    );
    expect(agreed.stdout).toContain('added');
    expect(await fs.readFile(path.join(cwd, '.gitignore'), 'utf8')).toBe(
      [
        'dist',
        FILE,
        `${FILE}*`,
        'chorus-history/',
        'chorus-inbox.jsonl*',
        'chorus-inbox.lock*',
        'chorus-invalid.jsonl*',
        '',
      ].join('\r\n'),
    );
    const messages = ['chorus-history/a.jsonl', 'chorus-inbox.jsonl', 'chorus-invalid.jsonl'];
    for (const file of [FILE, `${FILE}.2026-11-18`, `below/${FILE}`, ...messages]) {
      expect(await ignored(cwd, file)).toBe(true);
    }
  });

  it('works in a linked work tree and with another name', async () => {
    const hub = await startLiveHub();
    const { run, cwd, home } = await makeRepository();
    const git = (...args: string[]) => execa('git', args, { cwd });
    const who = ['-c', 'user.name=t', '-c', 'user.email=t@t'];
    await git(...who, 'commit', '-q', '--allow-empty', '-m', 'x');
    const linked = path.join(home, 'linked');
    await git('worktree', 'add', '-q', linked);
    const args = ['register', 'haruka', '--hub', hub.url, ...CULTURE, '--yes'];
    const result = await run([...args, '--credentials', 'my [key].json'], { cwd: linked });
    expect(result.stdout).toContain("doctor --credentials 'my [key].json'");
    expect(await ignored(linked, 'my [key].json')).toBe(true);
  });

  it('a file that is tracked already is told', async () => {
    const hub = await startLiveHub();
    const { run, cwd, file } = await makeRepository();
    await fs.writeJson(file, {});
    await execa('git', ['add', FILE], { cwd });
    const args = ['register', 'haruka', '--hub', hub.url, ...CULTURE, '--new-identity', '--yes'];
    expect((await run(args)).stderr).toContain('git tracks');
  });
});

describe('hubs of another make', () => {
  it('as in section 7 are registered with all the same', async () => {
    const hub = await startLiveHub();
    const { run, read } = await makeProject();
    const args = ['register', 'haruka', '--hub', hub.url, ...CULTURE];
    expect((await run(args)).exitCode).toBe(0);
    expect(await read()).toMatchObject({ agent_id: 'haruka@127.0.0.1', api_key: hub.issued[0] });
    expect((await run(['register'])).stdout).toContain('accepted by the hub');
  });

  it('may name the agent otherwise: the address is theirs to say', async () => {
    const hub = await startServer(({ path: asked }, response) =>
      asked === '/register'
        ? sendJson(response, 201, success({ agent_id: 'haruka@elsewhere', api_key: 'ca_12345678' }))
        : sendJson(response, 404, failure('ERR_NOT_FOUND')),
    );
    const { run, read } = await makeProject();
    const result = await run(['register', 'haruka', '--hub', hub.url, ...CULTURE]);
    expect(result.stderr).toContain('The hub calls you haruka@elsewhere');
    expect((await read()).agent_id).toBe('haruka@elsewhere');
  });

  it('that send control characters cannot reach the terminal or the file', async () => {
    const evil = '\u001b[2J\u0007haruka';
    const hub = await startServer(({ path: asked }, response) =>
      asked === '/register'
        ? sendJson(response, 201, success({ agent_id: evil, api_key: 'ca_12345678' }))
        : sendJson(response, 200, { chorus_version: evil, host: evil, endpoints: {} }),
    );
    const { run, read } = await makeProject();
    const result = await run(['register', 'haruka', '--hub', hub.url, ...CULTURE]);
    expect(result.exitCode).toBe(0);
    expect(result.stdout + result.stderr).not.toContain('\u001b');
    expect((await read()).agent_id).toBe('haruka@127.0.0.1');
  });

  it.each(['ca_1\r\nX-Evil: 1', 'ca_ 1', '', 'ca_密'])('that issue the key %j', async (key) => {
    const hub = await startServer(({ path: asked }, response) =>
      asked === '/register'
        ? sendJson(response, 201, success({ agent_id: 'haruka@hub', api_key: key }))
        : sendJson(response, 404, {}),
    );
    const { run, file } = await makeProject();
    const result = await run(['register', 'haruka', '--hub', hub.url, ...CULTURE, '--json']);
    expect(errorOf(result).code).toBe('register-uncertain');
    expect(await fs.pathExists(file)).toBe(false);
  });
});

describe('the network', () => {
  const args = (url: string) => ['register', 'haruka', '--hub', url, ...CULTURE, '--json'];

  it('a proxy in the environment is used', async () => {
    const hub = await startLiveHub();
    const proxy = await startProxy({ to: hub.port });
    const { run, read } = await makeProject({ HTTP_PROXY: proxy.url });
    const result = await run([...args('http://hub.test'), '--insecure']);
    expect(result.exitCode).toBe(0);
    expect(proxy.asked.at(-1)).toBe('POST http://hub.test/register');
    expect((await read()).agent_id).toBe('haruka@hub.test');
  });

  const authority = { ...makeCertificate({ name: 'our authority' }), name: 'our authority' };
  const past = { from: new Date('2020-01-01'), until: new Date('2021-01-01') };

  it.each([
    ['hub-tls-expired', { signer: authority, ...past }],
    ['hub-tls-wrong-name', { signer: authority, names: ['other.example'] }],
    [undefined, { signer: authority }],
  ])('TLS: %s', async (code, options) => {
    const server = https.createServer(makeCertificate(options));
    const hub = await startLiveHub({ server });
    const { run, home } = await makeProject();
    const trusted = path.join(home, 'authority.pem');
    await fs.writeFile(trusted, authority.cert);
    const result = await run(args(hub.url), { env: { NODE_EXTRA_CA_CERTS: trusted } });
    expect(JSON.parse(result.stdout).error?.code).toBe(code);
    expect(hub.issued).toHaveLength(code ? 0 : 1);
  });

  it('a redirect to another origin gets nothing, and is named', async () => {
    const hub = await startServer((_, response) => {
      response.writeHead(302, { Location: 'https://login.example/?next=1' });
      response.end();
    });
    const { run } = await makeProject();
    const result = await run(args(hub.url));
    expect(errorOf(result)).toMatchObject({
      code: 'hub-redirect',
      args: { origin: 'https://login.example' },
    });
  });

  it('a sign-in page is told in both languages', async () => {
    const hub = await startServer((_, response) => response.end('<html>Welcome</html>'));
    const { run } = await makeProject();
    const plain = ['register', 'haruka', '--hub', hub.url, ...CULTURE];
    expect((await run(plain)).stderr).toContain('it sent HTML in place of JSON');
    expect((await run([...plain, '--ui-lang', 'zh'])).stderr).toContain('收到的是 HTML');
  });

  it.each([404, 501])('a web server that answers %i is told as no hub', async (status) => {
    const server = await startServer((_, response) => {
      response.writeHead(status, { 'Content-Type': 'text/html' });
      response.end('<html>No such page</html>');
    });
    const { run, cwd } = await makeProject();
    const args = ['register', 'haruka', '--hub', server.url, ...CULTURE];
    const result = await run(args);
    expect(result.exitCode).toBe(1);
    expect(result.stderr).toContain(`There is no Chorus hub at ${new URL(server.url).host}`);
    expect(result.stderr).toContain('Check --hub');
    expect((await run([...args, '--ui-lang', 'zh'])).stderr).toContain('没有 Chorus hub');
    expect(await readTree(cwd)).toEqual({});
  });

  it('waits as the hub says, and tells that it waits', async () => {
    const hub = await startLiveHub({
      intercept: ({ path: asked }, response) => {
        const isFirst = hub.seen.filter(({ path: it }) => it === '/register').length === 1;
        if (asked !== '/register' || !isFirst) return false;
        response.setHeader('Retry-After', '1');
        sendJson(response, 429, failure('ERR_RATE_LIMITED'));
        return true;
      },
    });
    const { run } = await makeProject();
    const result = await run(args(hub.url));
    expect(result.exitCode).toBe(0);
    expect(result.stderr).toContain('again in 1 s');
  });

  it('says how long to wait where that is too long to wait itself', async () => {
    const hub = await startLiveHub({
      intercept: ({ path: asked }, response) => {
        if (asked !== '/register') return false;
        response.setHeader('Retry-After', '3600');
        sendJson(response, 429, failure('ERR_RATE_LIMITED'));
        return true;
      },
    });
    const { run } = await makeProject();
    expect((await run(args(hub.url))).stdout).toContain('Wait 3600 s');
  });

  it.each([
    ['ERR_REGISTRY_FULL', 429, 'hub-full'],
    ['ERR_VALIDATION', 400, 'hub-refusal'],
    ['ERR_DOWN', 503, 'register-uncertain'],
  ])('%s is told as %s', async (hubCode, status, code) => {
    const hub = await startLiveHub({
      intercept: ({ path: asked }, response) => {
        if (asked !== '/register') return false;
        sendJson(response, status, failure(hubCode, 'no'));
        return true;
      },
    });
    const { run, cwd } = await makeProject();
    const result = await run(args(hub.url));
    expect(result.exitCode).toBe(1);
    expect(errorOf(result).code).toBe(code);
    expect(hub.seen.filter(({ path: asked }) => asked === '/register')).toHaveLength(1);
    // Only where the hub may have registered us a note stays behind.
    const left = code === 'register-uncertain' ? [`${FILE}.pending`] : [];
    expect(Object.keys(await readTree(cwd))).toEqual(left);
  });
});

describe('whoami', () => {
  it('shows who and where, and of the key the last four characters only', async () => {
    const { run, file } = await makeProject();
    const key = 'ca_abcdefghijklmnop1234';
    await fs.writeJson(file, { agent_id: 'a@b', api_key: key, hub_url: 'https://hub.example' });
    const result = await run(['whoami']);
    expect(result).toMatchObject({ exitCode: 0, stderr: '' });
    expect(result.stdout).toContain('…1234');
    expect(result.stdout).not.toContain('mnop');
    const chinese = await run(['whoami', '--ui-lang', 'zh-CN']);
    expect(chinese.stdout).toContain('从当前文件夹向上最近的一个');
    expect(JSON.parse((await run(['whoami', '--json'])).stdout)).toMatchObject({
      agent_id: 'a@b',
      keyEnding: '1234',
      credentials: file,
      source: 'folder',
    });
  });

  it('without an identity says how to get one', async () => {
    const { run } = await makeProject();
    const result = await run(['whoami']);
    expect(result).toMatchObject({ exitCode: 1, stdout: '' });
    expect(result.stderr).toContain('chorus-skill register');
  });
});
