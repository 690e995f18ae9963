import { type ChildProcess, spawn } from 'node:child_process';
import nodeFs from 'node:fs';
import path from 'node:path';
import fs from 'fs-extra';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startHub } from '../hub/start-hub.ts';
import { sendJson, startServer } from '../hub-client/start-server.ts';
import { binary, makeFolder, runBinary } from '../run-binary.ts';
import { type LiveHub, startLiveHub } from './live-hub.ts';

const FILE = 'chorus-credentials.json';

/** A run that somebody else may end. */
function start(cwd: string, args: readonly string[]) {
  const { PATH = '' } = process.env;
  const child = spawn(process.execPath, [binary, ...args], {
    cwd,
    env: { PATH, HOME: cwd, TMPDIR: cwd },
    stdio: 'ignore',
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  return { child, ended };
}

/** Every key that lies in the folder, in whatever file. */
async function readKeys(folder: string): Promise<string[]> {
  const names = await fs.readdir(folder);
  const texts = await Promise.all(
    names
      .filter((name) => name.startsWith(FILE))
      .map((name) => fs.readFile(path.join(folder, name), 'utf8')),
  );
  return [...new Set(texts.join().match(/ca_live_\d+_k+/g))];
}

const register = ({ url }: Pick<LiveHub, 'url'>) => [
  'register',
  'haruka',
  '--hub',
  url,
  '--culture',
  'ja',
];

/** After a kill: run it again, and see that no key was lost and none was made in vain. */
async function expectWhole(cwd: string, hub: LiveHub, isAnswered: boolean): Promise<void> {
  const issued = [...hub.issued];
  // What the hub has not even answered cannot be on disk; all the rest must be there, or be
  // asked for once more.
  if (!isAnswered) expect(await readKeys(cwd)).toEqual([]);
  const again = await runBinary([...register(hub), '--json'], { cwd, env: { HOME: cwd } });
  expect(again).toMatchObject({ exitCode: 0 });
  expect(hub.issued.length).toBe(1);
  if (issued.length > 0) expect(hub.issued).toEqual(issued);
  expect((await fs.readJson(path.join(cwd, FILE))).api_key).toBe(hub.issued[0]);
  const left = (await fs.readdir(cwd)).filter((name) => name !== FILE);
  expect(left).toEqual([]);
}

describe('register that is killed', () => {
  it.each(['/.well-known/chorus.json', '/register'])('when %s is asked', async (step) => {
    const cwd = await makeFolder();
    let victim: ChildProcess | undefined;
    const hub = await startLiveHub({
      intercept: ({ path: asked }) => {
        if (asked !== step || victim?.killed) return false;
        victim?.kill('SIGKILL');
        return true;
      },
    });
    const { child, ended } = start(cwd, register(hub));
    victim = child;
    await ended;
    expect(hub.issued).toEqual([]);
    await expectWhole(cwd, hub, false);
  });

  it.each(['/.well-known/chorus.json', '/register'])('when %s is answered', async (step) => {
    const cwd = await makeFolder();
    let victim: ChildProcess | undefined;
    const hub = await startLiveHub({
      onAnswered: ({ path: asked }) => asked === step && victim?.kill('SIGKILL'),
    });
    const { child, ended } = start(cwd, register(hub));
    victim = child;
    await ended;
    victim = undefined;
    await expectWhole(cwd, hub, step === '/register');
  });

  it('at every change in the folder in turn', async () => {
    for (let count = 1; ; count++) {
      const cwd = await makeFolder();
      const hub = await startLiveHub();
      let changes = 0;
      const { child, ended } = start(cwd, register(hub));
      const watcher = nodeFs.watch(cwd, () => {
        changes += 1;
        if (changes === count) child.kill('SIGKILL');
      });
      await ended;
      watcher.close();
      const isKilled = child.signalCode === 'SIGKILL';
      await expectWhole(cwd, hub, true);
      if (!isKilled) {
        expect(count).toBeGreaterThan(5);
        return;
      }
    }
  });

  it('while the key is replaced: the old or the new one works, and the old file is kept', async () => {
    for (let count = 1; ; count++) {
      const cwd = await makeFolder();
      const hub = await startLiveHub();
      const env = { HOME: cwd };
      await runBinary(register(hub), { cwd, env });
      let changes = 0;
      const { child, ended } = start(cwd, ['register', '--rotate']);
      const watcher = nodeFs.watch(cwd, () => {
        changes += 1;
        if (changes === count) child.kill('SIGKILL');
      });
      await ended;
      watcher.close();
      const again = await runBinary(['register', '--json'], { cwd, env });
      expect(again.exitCode).toBe(0);
      const { api_key: key } = await fs.readJson(path.join(cwd, FILE));
      expect(hub.agents.get('haruka@127.0.0.1')?.key).toBe(key);
      const left = (await fs.readdir(cwd)).filter((name) => !/\.json(\.2\d{3}-.*Z)?$/.test(name));
      expect(left).toEqual([]);
      if (child.signalCode !== 'SIGKILL') return;
    }
  });
});

describe('an answer that never came', () => {
  it('is asked for again with the same Idempotency-Key', async () => {
    const cwd = await makeFolder();
    const env = { HOME: cwd };
    const hub = await startLiveHub({
      intercept: (request, response, { seen, agents, issued }) => {
        const isFirst = seen.filter(({ path: asked }) => asked === '/register').length === 1;
        if (request.path !== '/register' || !isFirst || agents.size + issued.length > 0)
          return false;
        response.destroy();
        return true;
      },
    });
    const cut = await runBinary([...register(hub), '--json'], { cwd, env });
    expect(cut.exitCode).toBe(1);
    expect(JSON.parse(cut.stdout).error).toMatchObject({
      code: 'register-uncertain',
      args: { reason: 'hub-closed' },
    });
    const chinese = await runBinary(['whoami', '--ui-lang', 'zh-CN'], { cwd, env });
    expect(chinese.stderr).toContain('中断');
    // Another culture does not make it another request: that would be a second identity.
    const again = ['register', 'haruka', '--hub', hub.url, '--culture', 'ko'];
    const resumed = await runBinary(again, { cwd, env });
    expect(resumed.exitCode).toBe(0);
    expect(resumed.stderr).toContain('went on as it was begun, with the culture ja');
    const keys = hub.seen.flatMap(({ headers }) => headers['idempotency-key'] ?? []);
    expect(keys).toHaveLength(2);
    expect(new Set(keys).size).toBe(1);
    expect(hub.issued).toHaveLength(1);
  });

  it('comes from our own hub with the same key', async () => {
    const cwd = await makeFolder();
    const env = { HOME: cwd };
    const hub = await startHub();
    const issued: string[] = [];
    // Stands in between, and loses the hub's first answer to /register.
    const proxy = await startServer(async ({ method, path: asked, headers, body }, response) => {
      const once = headers['idempotency-key'];
      const answer = await fetch(`${hub.url}${asked}`, {
        method,
        headers: {
          'Content-Type': 'application/json',
          ...(once === undefined ? {} : { 'Idempotency-Key': String(once) }),
        },
        ...(body === '' ? {} : { body }),
      });
      const document = (await answer.json()) as { data?: { api_key: string } };
      if (asked === '/register') issued.push(document.data?.api_key ?? '');
      if (asked === '/register' && issued.length === 1) response.destroy();
      else sendJson(response, answer.status, document);
    });
    const cut = await runBinary([...register(proxy), '--json'], { cwd, env });
    expect(JSON.parse(cut.stdout).error.code).toBe('register-uncertain');
    expect((await runBinary(['register'], { cwd, env })).exitCode).toBe(0);
    const { api_key: key } = await fs.readJson(path.join(cwd, FILE));
    expect(issued).toEqual([key, key]);
    const headers = { Authorization: `Bearer ${key}` };
    expect((await fetch(`${hub.url}/agent/messages`, { headers })).status).toBe(200);
  });

  it('is asked for without an argument: the note knows what it was', async () => {
    const cwd = await makeFolder();
    const env = { HOME: cwd };
    let isDown = true;
    const hub = await startLiveHub({
      intercept: ({ path: asked }, response) => {
        if (asked !== '/register' || !isDown) return false;
        response.destroy();
        return true;
      },
    });
    expect((await runBinary(register(hub), { cwd, env })).exitCode).toBe(1);
    isDown = false;
    // Another hub that is named is not passed over for the one of the note.
    const elsewhere = ['register', '--hub', 'http://127.0.0.1:1', '--culture', 'ja'];
    const other = await runBinary(elsewhere, { cwd, env });
    expect(other).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('agent_id') });
    const again = await runBinary(['register', '--culture', 'ko'], { cwd, env });
    expect(again.stdout).toContain('Registered as haruka@');
    expect(again.stderr).toContain('went on as it was begun, with the culture ja');
  });

  it('from a hub that remembers nothing, is told as lost when the id is taken then', async () => {
    const cwd = await makeFolder();
    const env = { HOME: cwd };
    const hub = await startLiveHub({
      intercept: ({ path: asked, body }, response, { agents }) => {
        if (asked !== '/register' || agents.size > 0) return false;
        const { agent_id: id } = JSON.parse(body);
        agents.set(id, { id, key: 'ca_nobody_has_this', culture: 'ja' });
        response.destroy();
        return true;
      },
    });
    await runBinary(register(hub), { cwd, env });
    const again = await runBinary(['register', '--json'], { cwd, env });
    expect(JSON.parse(again.stdout).error.code).toBe('register-lost');
    expect(await fs.readdir(cwd)).toEqual([]);
  });

  it('because of Ctrl-C ends with 130 and says what to do', async () => {
    const cwd = await makeFolder();
    const { PATH = '' } = process.env;
    let child: ChildProcess | undefined;
    const hub = await startLiveHub({
      intercept: ({ path: asked }) => {
        if (asked === '/register') child?.kill('SIGINT');
        return asked === '/register';
      },
    });
    child = spawn(process.execPath, [binary, ...register(hub)], { cwd, env: { PATH, HOME: cwd } });
    let stderr = '';
    child.stderr?.on('data', (chunk) => {
      stderr += chunk;
    });
    const code = await new Promise((resolve) => child?.once('close', resolve));
    expect(code).toBe(130);
    expect(stderr).toContain('Run "chorus-skill register" again');
    expect(await fs.readdir(cwd)).toEqual([`${FILE}.pending`]);
  });
});
