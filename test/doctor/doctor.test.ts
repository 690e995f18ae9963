import https from 'node:https';
import path from 'node:path';
import { execa } from 'execa';
import fs from 'fs-extra';
import { describe, expect, it } from 'vitest';
import { CHECKS } from '../../cli/doctor/checks.ts';
import { startHub } from '../hub/start-hub.ts';
import { makeCertificate } from '../hub-client/make-certificate.ts';
import { startProxy } from '../hub-client/start-proxy.ts';
import { failure, sendJson, startServer } from '../hub-client/start-server.ts';
import { startLiveHub } from '../identity/live-hub.ts';
import { makeFolder, readTree, root, runBinary } from '../run-binary.ts';

const FILE = 'chorus-credentials.json';

interface Told {
  id: string;
  outcome: string;
  code: string | null;
  message: string;
  remedy: string;
  args: Record<string, unknown>;
  skippedBecause: string | null;
  fixed: string | null;
  ms: number;
}

/** A project with the skill and credentials in it. */
async function makeProject(hubUrl: string, credentials: object = {}) {
  const home = await makeFolder();
  const cwd = path.join(home, 'project');
  await fs.ensureDir(cwd);
  const file = path.join(cwd, FILE);
  const run = (args: readonly string[], env: Record<string, string> = {}) =>
    runBinary(args, { cwd, env: { HOME: home, ...env } });
  const examine = async (args: readonly string[] = [], env: Record<string, string> = {}) => {
    const { exitCode, stdout } = await run(['doctor', '--json', ...args], env);
    const report = JSON.parse(stdout);
    const checks: Told[] = report.checks;
    const find = (id: string) => checks.find((check) => check.id === id);
    return { exitCode, report, checks, find };
  };
  await run(['init', '--lang', 'en']);
  const identity = {
    agent_id: 'haruka@127.0.0.1',
    api_key: 'ca_live_0_kkkkkkkkkkkkkkkkkkkk',
    hub_url: hubUrl,
    user_culture: 'ja',
    ...credentials,
  };
  await fs.writeJson(file, identity, { mode: 0o600 });
  return { home, cwd, file, run, examine };
}

/** Where a hub of another make has our agent. */
async function startKnownHub(options: Parameters<typeof startLiveHub>[0] = {}) {
  const hub = await startLiveHub(options);
  const key = 'ca_live_0_kkkkkkkkkkkkkkkkkkkk';
  hub.agents.set('haruka@127.0.0.1', { id: 'haruka@127.0.0.1', key, culture: 'ja' });
  return hub;
}

describe('with our own hub', () => {
  it('all is fine only when it is, and a message really goes round', async () => {
    const hub = await startHub();
    const home = await makeFolder();
    const run = (...args: string[]) => runBinary(args, { cwd: home, env: { HOME: home } });
    await run('init', '--lang', 'en');
    await run('register', 'haruka', '--hub', hub.url, '--culture', 'ja');
    const before = await readTree(home);
    const fine = await run('doctor', '--round-trip');
    expect(fine).toMatchObject({ exitCode: 0, stderr: '' });
    expect(fine.stdout).toContain('All fine: a message sent to haruka@');
    expect(fine.stdout).toMatch(/came back in \d+ ms/);
    const chinese = await run('doctor', '--round-trip', '--ui-lang', 'zh-CN');
    expect(chinese.stdout).toContain('一切正常');
    expect(chinese.stdout).not.toMatch(/[a-z]{3,} [a-z]{3,} [a-z]{3,}/);
    // Nothing is written by looking, history least of all.
    expect(await readTree(home)).toEqual(before);
    await hub.kill();
    const dead = await run('doctor');
    expect(dead.exitCode).toBe(1);
    expect(dead.stdout).not.toContain('All fine');
    expect(dead.stdout).toContain('refused the connection');
  });

  it('without an identity fails, and says what the rest waits for', async () => {
    const hub = await startHub();
    const { examine, file } = await makeProject(hub.url);
    await fs.remove(file);
    const { exitCode, report, find } = await examine(['--hub', hub.url]);
    expect(exitCode).toBe(1);
    expect(report).toMatchObject({ ok: false, canReceive: false });
    expect(find('credentials')).toMatchObject({ outcome: 'fail', code: 'credentials-missing' });
    expect(find('inbox')).toMatchObject({ outcome: 'skipped', skippedBecause: 'credentials' });
    expect(find('hub-health')).toMatchObject({ outcome: 'pass' });
  });

  it('every check is told with code, time and, where needed, a remedy', async () => {
    const hub = await startHub();
    const { examine } = await makeProject(hub.url, { api_key: 'ca_wrong_wrong_wrong' });
    const { checks, find } = await examine(['--round-trip']);
    expect(checks.map(({ id }) => id)).toEqual(CHECKS.map(({ id }) => id));
    for (const { id, outcome, code, message, remedy, ms } of checks) {
      expect(message, id).not.toMatch(/[{}]|^$/);
      expect(ms, id).toBeGreaterThanOrEqual(0);
      expect(code === null, id).toBe(outcome === 'skipped');
      expect(remedy !== '', id).toBe(outcome === 'warn' || outcome === 'fail');
    }
    expect(find('key')).toMatchObject({ outcome: 'fail', code: 'key-refused' });
    expect(find('key')?.remedy).toMatch(/register \S+ --culture \S+ --new-identity --credentials /);
    expect(find('round-trip')).toMatchObject({ skippedBecause: 'key' });
  });
});

describe('on this machine', () => {
  it('leaves other projects to their own doctor', async () => {
    const { home, run, examine } = await makeProject('http://127.0.0.1:1');
    const other = path.join(home, 'other');
    await fs.ensureDir(other);
    await runBinary(['init'], { cwd: other, env: { HOME: home } });
    await fs.remove(path.join(other, 'chorus/PROTOCOL.md'));
    expect((await examine(['--offline'])).find('skill-files')?.outcome).toBe('pass');
    await run(['uninstall', '--target', 'local', '--yes']);
    const { find } = await examine(['--offline']);
    expect(find('skill-files')).toMatchObject({ outcome: 'warn', code: 'skill-none' });
    const both = await run(['doctor', '--offline', '--round-trip']);
    expect(both).toMatchObject({ exitCode: 2, stdout: '' });
  });

  it('knows a skill that is here through a link into another project', async () => {
    const { home, examine, cwd, run } = await makeProject('http://127.0.0.1:1');
    await run(['uninstall', '--target', 'local', '--yes']);
    const other = path.join(home, 'other');
    await fs.ensureDir(other);
    const target = ['--target', 'claude-code', '--scope', 'project'];
    await runBinary(['init', ...target], { cwd: other, env: { HOME: home } });
    const skill = '.claude/skills/chorus';
    await fs.ensureSymlink(path.join(other, skill), path.join(cwd, skill));
    expect((await examine(['--offline'])).find('skill-files')?.outcome).toBe('pass');
  });

  it('--offline asks nobody and does not call it fine', async () => {
    const { run, examine } = await makeProject('http://127.0.0.1:1');
    const { exitCode, report, checks } = await examine(['--offline']);
    expect(exitCode).toBe(0);
    expect(report).toMatchObject({ ok: true, canReceive: false, offline: true });
    const online = checks.filter(({ skippedBecause }) => skippedBecause === 'offline');
    expect(online.length).toBeGreaterThan(8);
    const text = await run(['doctor', '--offline']);
    expect(text.stdout).toContain('is not known');
    expect(text.stdout).not.toContain('All fine');
  });

  it('repairs what is safe to repair, and says so', async () => {
    const { run, examine, cwd, file } = await makeProject('http://127.0.0.1:1');
    await execa('git', ['init', '-q'], { cwd });
    await fs.chmod(file, 0o644);
    await fs.remove(path.join(cwd, 'chorus/PROTOCOL.md'));
    const before = await examine(['--offline']);
    expect(before.exitCode).toBe(1);
    expect(before.find('skill-files')?.code).toBe('skill-incomplete');
    expect(before.find('credentials-mode')?.code).toBe('mode-open');
    expect(before.find('credentials-git')?.code).toBe('git-exposed');
    // The key is kept out; the messages are not.
    await fs.writeFile(path.join(cwd, '.gitignore'), 'chorus-credentials.json*\n');
    const half = (await examine(['--offline'])).find('credentials-git');
    expect(half).toMatchObject({ code: 'git-exposed' });
    expect(half?.message).toContain('private files');
    const fixed = await examine(['--offline', '--fix']);
    expect(fixed.exitCode).toBe(0);
    expect(fixed.find('skill-files')).toMatchObject({ outcome: 'pass', fixed: 'skill-incomplete' });
    expect(fixed.find('credentials-mode')).toMatchObject({ outcome: 'pass', fixed: 'mode-open' });
    expect(fixed.find('credentials-git')).toMatchObject({ outcome: 'pass', fixed: 'git-exposed' });
    expect((await fs.stat(file)).mode & 0o777).toBe(0o600);
    await fs.chmod(file, 0o640);
    expect((await run(['doctor', '--offline', '--fix'])).stdout).toContain(
      'repaired: others can read',
    );
    await fs.chmod(file, 0o640);
    const chinese = await run(['doctor', '--offline', '--fix', '--ui-lang', 'zh-CN']);
    expect(chinese.stdout).toContain('已修复：别人可以读到密钥');
  });

  it('sees what is wrong with the files', async () => {
    const { examine, cwd, file } = await makeProject('http://127.0.0.1:1');
    const skill = path.join(cwd, 'chorus/SKILL.md');
    const text = await fs.readFile(skill, 'utf8');
    await fs.writeFile(skill, `\ufeff${text}`);
    await fs.writeFile(path.join(cwd, 'chorus/examples/en-to-en.json'), '{"envelope": {}}');
    const { find } = await examine(['--offline']);
    expect(find('skill-files')).toMatchObject({ outcome: 'warn', code: 'skill-changed' });
    expect(find('skill-entry')).toMatchObject({ outcome: 'fail', args: { problem: 'BOM' } });
    expect(find('examples')).toMatchObject({ outcome: 'warn', code: 'example-invalid' });
    await fs.writeJson(file, { agent_id: 'your-name@x', api_key: 'ca_…', hub_url: 'http://a' });
    expect((await examine(['--offline'])).find('credentials')?.code).toBe('credentials-field');
    await fs.writeJson(file, { agent_id: 'your-name@x', api_key: 'ca_xxxx', hub_url: 'http://a' });
    const placeholder = (await examine(['--offline'])).find('credentials-placeholder');
    expect(placeholder?.code).toBe('id-placeholder');
  });

  it.each([
    ['ca_xxxx', 'key-placeholder'],
    ['ca_your_key_here', 'key-placeholder'],
    ['your-secret', 'key-placeholder'],
    ['<api_key>', 'key-placeholder'],
    ['ca_pLqZ6WkYourRKL1QKNg6Secret5RpeZg4tXkbDQLNZQRUz', 'no-placeholder'],
  ])('takes the key %s for what it is', async (api_key, code) => {
    const { examine } = await makeProject('http://127.0.0.1:1', { api_key });
    expect((await examine(['--offline'])).find('credentials-placeholder')?.code).toBe(code);
  });

  it('sees a copy that hides the skill, and one of another version', async () => {
    const { run, examine, cwd } = await makeProject('http://127.0.0.1:1');
    await run(['init', '--target', 'claude-project', '--lang', 'en']);
    const skills = path.join(cwd, '.claude/skills');
    expect(await fs.pathExists(path.join(skills, 'chorus/SKILL.md'))).toBe(true);
    await fs.copy(path.join(skills, 'chorus'), path.join(skills, 'chorus.bak'));
    expect((await examine(['--offline'])).find('skill-duplicates')).toMatchObject({
      outcome: 'fail',
      code: 'skill-shadowed',
    });
    await fs.remove(path.join(skills, 'chorus.bak'));
    const manifest = path.join(skills, 'chorus/.chorus-skill.json');
    await fs.writeJson(manifest, { ...(await fs.readJson(manifest)), version: '0.3.0' });
    const outdated = (await examine(['--offline'])).find('skill-files');
    expect(outdated).toMatchObject({ code: 'skill-outdated', args: { version: '0.3.0' } });
  });

  it('tells of a file that the system refuses, and asks for no report', async () => {
    const { examine, cwd } = await makeProject('http://127.0.0.1:1');
    await fs.ensureDir(path.join(cwd, '.git'));
    await fs.symlink('.gitignore', path.join(cwd, '.gitignore'));
    expect((await examine(['--offline', '--fix'])).find('credentials-git')).toMatchObject({
      outcome: 'fail',
      code: 'file-error',
      args: { errno: 'ELOOP' },
    });
  });

  it('sees a registration that was interrupted', async () => {
    const { examine, file } = await makeProject('http://127.0.0.1:1');
    await fs.writeFile(`${file}.pending`, '{}');
    expect((await examine(['--offline'])).find('credentials')).toMatchObject({
      outcome: 'fail',
      code: 'credentials-interrupted',
    });
  });
});

describe('a hub of another make', () => {
  it('as in section 7 is found fine, by way of a session', async () => {
    const hub = await startKnownHub();
    const { examine } = await makeProject(hub.url);
    const { exitCode, report, find } = await examine();
    expect(find('inbox')).toMatchObject({ code: 'inbox-heartbeat', args: { via: 'session' } });
    expect(find('directory')).toMatchObject({ code: 'directory-ok' });
    expect(report.canReceive).toBe(true);
    expect(exitCode).toBe(0);
  });

  it('that has another culture for us, or does not know us', async () => {
    const hub = await startKnownHub();
    const { examine, run } = await makeProject(hub.url, { user_culture: 'zh-CN' });
    const other = await examine();
    expect(other.exitCode).toBe(1);
    expect(other.find('directory')).toMatchObject({
      code: 'directory-other-culture',
      args: { culture: 'ja', registered: 'zh-CN' },
    });
    expect((await run(['doctor'])).stdout).toContain('--rotate --culture zh-CN');
    const [agent] = hub.agents.values();
    hub.agents.clear();
    if (agent) hub.agents.set('x', { ...agent, id: 'somebody@else' });
    expect((await examine()).find('directory')?.code).toBe('directory-missing');
  });

  it('that speaks another version', async () => {
    const hub = await startKnownHub({ discovery: { chorus_version: '0.9' } });
    const { examine } = await makeProject(hub.url);
    const { exitCode, find } = await examine();
    expect(find('hub-discovery')).toMatchObject({ outcome: 'fail', code: 'hub-version' });
    expect(exitCode).toBe(1);
  });

  it('whose clock is off', async () => {
    const hub = await startKnownHub({
      intercept: (_, response) => {
        response.setHeader('Date', new Date(Date.now() - 600_000).toUTCString());
      },
    });
    const { examine } = await makeProject(hub.url);
    const clock = (await examine()).find('hub-clock');
    expect(clock).toMatchObject({ outcome: 'warn', code: 'hub-clock-behind' });
    expect(clock?.args.seconds).toBeGreaterThan(590);
  });

  it('that does not get our key when it is not its own', async () => {
    const hub = await startKnownHub();
    const { examine } = await makeProject('https://other.example');
    const { exitCode, find } = await examine(['--hub', hub.url]);
    expect(exitCode).toBe(1);
    expect(find('hub-url')).toMatchObject({ outcome: 'fail', code: 'hub-other' });
    expect(hub.seen.filter(({ headers }) => headers.authorization)).toEqual([]);
  });
});

describe('an inbox that would hear nothing is not called fine', () => {
  const inbox = '/agent/inbox?';

  it('one that closes at once', async () => {
    const hub = await startKnownHub({
      intercept: ({ path: asked }, response) => {
        if (!asked.startsWith(inbox)) return false;
        response.writeHead(200, { 'Content-Type': 'text/event-stream' });
        response.end('event: connected\ndata: {}\n\n');
        return true;
      },
    });
    const { examine } = await makeProject(hub.url);
    const { exitCode, report, find } = await examine();
    expect(find('inbox')).toMatchObject({ outcome: 'fail', code: 'inbox-ends' });
    expect(report.canReceive).toBe(false);
    expect(exitCode).toBe(1);
  });

  it('one that breaks', async () => {
    const hub = await startKnownHub({
      intercept: ({ path: asked }, response) => {
        if (!asked.startsWith(inbox)) return false;
        response.writeHead(200, { 'Content-Type': 'text/event-stream' });
        response.write('event: conn', () => response.destroy());
        return true;
      },
    });
    const { examine } = await makeProject(hub.url);
    expect((await examine()).find('inbox')).toMatchObject({ outcome: 'fail', code: 'hub-closed' });
  });

  it.each(['body', 'head'] as const)('one that a proxy collects: %s', async (buffers) => {
    const hub = await startKnownHub();
    const proxy = await startProxy({ to: hub.port, buffers });
    const { examine } = await makeProject('http://hub.test');
    const { exitCode, find } = await examine(['--insecure'], { http_proxy: proxy.url });
    expect(find('hub-url')).toMatchObject({ outcome: 'warn', code: 'hub-plain' });
    expect(find('hub-name')).toMatchObject({ code: 'name-proxied' });
    expect(find('inbox')).toMatchObject({ outcome: 'fail', code: 'inbox-held-back' });
    expect(exitCode).toBe(1);
  });

  it('one that never says "connected", however alive it is', async () => {
    const hub = await startKnownHub({
      intercept: ({ path: asked }, response) => {
        if (!asked.startsWith(inbox)) return false;
        response.writeHead(200, { 'Content-Type': 'text/event-stream' });
        const ping = setInterval(() => response.write(':ping\n\n'), 500);
        response.on('close', () => clearInterval(ping));
        return true;
      },
    });
    const { run, examine } = await makeProject(hub.url);
    const { exitCode, report, find } = await examine();
    expect(find('inbox')).toMatchObject({ outcome: 'warn', code: 'inbox-not-connected' });
    expect(report.canReceive).toBe(false);
    expect(exitCode).toBe(0);
    const { stdout } = await run(['doctor', '--ui-lang', 'en']);
    expect(stdout).toContain('Whether messages arrive is not known.');
  });

  it('one where the message does not come round', async () => {
    const hub = await startKnownHub({
      intercept: ({ path: asked }, response) => {
        if (asked !== '/messages') return false;
        sendJson(response, 400, failure('ERR_VALIDATION'));
        return true;
      },
    });
    const { examine } = await makeProject(hub.url);
    const { exitCode, find } = await examine(['--round-trip']);
    expect(find('round-trip')).toMatchObject({ outcome: 'fail', code: 'round-trip-refused' });
    expect(exitCode).toBe(1);
    const sent = hub.seen.find(({ path: asked }) => asked === '/messages');
    const { envelope } = JSON.parse(sent?.body ?? '{}');
    expect(envelope.original_text).toContain('test message');
    expect(envelope.sender_culture).toBe('en');
  });
});

describe('a hub that misbehaves', () => {
  it('and never answers does not hold us longer than --timeout', async () => {
    const hub = await startServer(() => {});
    const { examine } = await makeProject(hub.url);
    const startedAt = performance.now();
    const { exitCode, find } = await examine(['--timeout', '1']);
    expect(performance.now() - startedAt).toBeLessThan(5000);
    expect(exitCode).toBe(1);
    expect(find('hub-health')).toMatchObject({ outcome: 'fail', code: 'check-timeout' });
    expect(find('inbox')).toMatchObject({ outcome: 'skipped' });
    expect(find('credentials')).toMatchObject({ outcome: 'pass' });
  });

  it('and answers with a page', async () => {
    const hub = await startServer((_, response) => response.end('<html></html>'));
    const { examine } = await makeProject(hub.url);
    const { find } = await examine();
    expect(find('hub-health')).toMatchObject({ outcome: 'fail', code: 'hub-not-json' });
  });

  it.each([
    ['hub-tls-expired', { from: new Date('2020-01-01'), until: new Date('2021-01-01') }],
    ['hub-tls-wrong-name', { names: ['other.example'] }],
    ['tls-ends-soon', { until: new Date(Date.now() + 5 * 86_400_000) }],
    ['tls-ok', {}],
  ])('with a certificate: %s', async (code, options) => {
    const signer = { ...makeCertificate({ name: 'our authority' }), name: 'our authority' };
    const server = https.createServer(makeCertificate({ signer, ...options }));
    const hub = await startKnownHub({ server });
    const { examine, home } = await makeProject(hub.url);
    const trusted = path.join(home, 'authority.pem');
    await fs.writeFile(trusted, signer.cert);
    const { find } = await examine([], { NODE_EXTRA_CA_CERTS: trusted });
    expect(find('hub-tls')?.code).toBe(code);
    expect(find('hub-connect')?.outcome).toBe('pass');
  });

  it('cannot put control sequences on the terminal', async () => {
    const evil = '\u001b]0;evil\u0007';
    const hub = await startKnownHub({ discovery: { server_name: evil } });
    const { run } = await makeProject(hub.url);
    const { stdout } = await run(['doctor']);
    expect(stdout).toContain('\\u001b]0;evil');
    expect(stdout).not.toContain('\u001b');
  });
});

it('each check is in a file of its own, named after it', async () => {
  const files = await fs.readdir(path.join(root, 'cli/doctor/checks'));
  expect(files.sort()).toEqual(CHECKS.map(({ id }) => `${id}.ts`).sort());
});

it.each([
  ['--timeout', '0'],
  ['--timeout', 'soon'],
  ['--timeout', '1e9'],
])('%s %s is refused', async (...args) => {
  const cwd = await makeFolder();
  const result = await runBinary(['doctor', ...args], { cwd, env: { HOME: cwd } });
  expect(result).toMatchObject({ exitCode: 2, stdout: '' });
  expect(result.stderr).toContain('--timeout');
});
