import path from 'node:path';
import fs from 'fs-extra';
import { describe, expect, it } from 'vitest';
import { startHub } from '../hub/start-hub.ts';
import { sendJson, startServer } from '../hub-client/start-server.ts';
import { makeFolder } from '../run-binary.ts';
import { makeAgent, openAgent, post, type Running, readLines, until } from './agent.ts';
import { startCuttingProxy } from './cutting-proxy.ts';
import { OTHER_HUB_AGENT, startOtherHub } from './other-hub.ts';

const FOLLOW = ['inbox', '--follow', '--json'];
const textOf = (line: string) => JSON.parse(line).envelope.original_text;
const numbers = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => String(from + index));

const openOther = (url: string) => openAgent(OTHER_HUB_AGENT.id, OTHER_HUB_AGENT.key, url);

describe.each([
  ['whose since is an id', { since: 'id', page: 7 }],
  ['whose since is a time', { since: 'timestamp' }],
  ['that does not say what its since is', {}],
  ['that wants a session', { session: true }],
] as const)('a hub %s', (_, manners) => {
  it('loses nothing and nothing comes twice, over gaps and restarts', async () => {
    const hub = await startOtherHub(manners);
    const agent = await openOther(hub.url);
    const all = numbers(0, 60);
    const push = (from: number, to: number, silently = false) => {
      for (const text of all.slice(from, to)) hub.push(text, { silently });
    };
    push(0, 10, true);
    const first = agent.start(FOLLOW);
    await first.until(10);
    await until(() => hub.streams() === 1);
    push(10, 20);
    await first.until(20);
    push(20, 30, true); // was in the air when the stream broke
    hub.cut();
    await first.until(30);
    await until(() => hub.streams() === 1);
    push(30, 40);
    await first.until(40);
    expect(await first.stop()).toBe(0);
    push(40, 50, true);
    const once = (await agent.run(['inbox', '--json'])).stdout.trim().split('\n');
    const second = agent.start(FOLLOW);
    await until(() => hub.streams() === 1);
    push(50, 60);
    await second.until(10);
    await second.stop();
    expect([...first.lines, ...once, ...second.lines].map(textOf)).toEqual(all);
    const kept = await agent.history('you@hub.example');
    expect(kept.map((line) => line.envelope.original_text)).toEqual(all);
    expect((await agent.run(['inbox', '--json'])).stdout).toBe('');
  });
});

it('what comes between the list and the opening of the stream is not missed', async () => {
  const hub = await startOtherHub();
  const agent = await openOther(hub.url);
  hub.beforeOpening(() => hub.push('in between', { silently: true }));
  const inbox = agent.start(FOLLOW);
  await inbox.until(1);
  expect(inbox.lines.map(textOf)).toEqual(['in between']);
});

it('a hub that was set up anew and counts from the beginning loses nothing', async () => {
  const hub = await startOtherHub({ since: 'id' });
  const agent = await openOther(hub.url);
  for (const text of numbers(0, 5)) hub.push(text, { silently: true });
  const before = (await agent.run(['inbox', '--json'])).stdout.trim().split('\n');
  hub.reset();
  for (const text of numbers(5, 8)) hub.push(text, { silently: true });
  const after = (await agent.run(['inbox', '--json'])).stdout.trim().split('\n');
  expect([...before, ...after].map(textOf)).toEqual(numbers(0, 8));
  hub.reset();
  const inbox = agent.start(FOLLOW);
  await until(() => hub.streams() === 1);
  // The place on the old one would hide what the new one counts below it.
  expect(hub.lastEventId()).toBe('0');
  hub.push('8');
  await inbox.until(1);
});

it('a hub that dated a message in the future is asked for what came after it', async () => {
  const hub = await startOtherHub({ since: 'timestamp' });
  const agent = await openOther(hub.url);
  hub.push('early', { timestamp: '2999-01-01T00:00:00.000Z' });
  expect(textOf((await agent.run(['inbox', '--json'])).stdout)).toBe('early');
  hub.push('later');
  expect(textOf((await agent.run(['inbox', '--json'])).stdout)).toBe('later');
});

it('a hub that counts times is asked for everything where the time that was kept is none', async () => {
  const hub = await startOtherHub({ since: 'timestamp' });
  const agent = await openOther(hub.url);
  const journal = path.join(agent.folder, 'chorus-inbox.jsonl');
  await fs.writeJson(journal, { cursor: { timestamp: 'yesterday' } });
  hub.push('x');
  expect(textOf((await agent.run(['inbox', '--json'])).stdout)).toBe('x');
});

it('a hub that moved to another address is asked from where it was', async () => {
  const hub = await startOtherHub({ since: 'id' });
  const agent = await openOther(hub.url);
  for (const text of numbers(0, 3)) hub.push(text, { silently: true });
  await agent.run(['inbox']);
  await agent.moveTo(hub.url.replace('127.0.0.1', 'localhost'));
  hub.push('3');
  expect(textOf((await agent.run(['inbox', '--json'])).stdout)).toBe('3');
  expect(hub.requests.filter((it) => it.includes('since=')).slice(-2)).toEqual([
    'GET /list?since=2',
    'GET /list?since=4',
  ]);
});

describe('a connection', () => {
  it('cut at random bytes: all there, in order, once', async () => {
    const hub = await startHub();
    const ann = await makeAgent('ann', { url: hub.url });
    const bob = await makeAgent('bob', { url: hub.url });
    const proxy = await startCuttingProxy(hub.url, () => 1 + Math.floor(Math.random() * 6000));
    await bob.moveTo(proxy.url);
    const inbox = bob.start(FOLLOW);
    const all = numbers(0, 300);
    for (const text of all) await post(hub.url, ann, bob, `${text} ${'語'.repeat(30)}`);
    await until(() => proxy.cuts() >= 4);
    proxy.heal();
    await inbox.until(300);
    expect(inbox.lines.map((line) => textOf(line).split(' ')[0])).toEqual(all);
    expect(await bob.history(ann.id)).toHaveLength(300);
  });

  it.each(['killed', 'stopped'])(
    'to a hub that is %s and started again is made anew by itself',
    async (how) => {
      const data = await makeFolder();
      const hub = await startHub({ args: ['--data', data] });
      const ann = await makeAgent('ann', { url: hub.url });
      const bob = await makeAgent('bob', { url: hub.url });
      const inbox = bob.start(['inbox', '--follow']);
      await inbox.untilSays('Listening as');
      await post(hub.url, ann, bob, 'before');
      await inbox.until(1);
      if (how === 'killed') await hub.kill();
      else await hub.stop();
      await inbox.untilSays('Trying again in');
      const again = await startHub({ args: ['--data', data, '--port', new URL(hub.url).port] });
      expect(again.url).toBe(hub.url);
      await post(hub.url, ann, bob, 'after');
      await inbox.until((lines) => lines.some((line) => line.includes('after')));
      expect(await again.stop()).toBe(0);
      expect(inbox.lines.filter((line) => /before|after/.test(line))).toHaveLength(2);
    },
  );

  it('with a token that is not accepted is tried again with another', async () => {
    const hub = await startOtherHub({ session: true });
    const agent = await openOther(hub.url);
    hub.spoilToken();
    const inbox = agent.start(FOLLOW);
    await Promise.race([until(() => hub.streams() === 1), inbox.exited]);
    hub.push('x');
    await inbox.until(1);
    expect(textOf(inbox.lines[0] ?? '')).toBe('x');
  });

  it('with a key that the hub does not know ends with exit code 1', async () => {
    const hub = await startOtherHub();
    const agent = await openAgent(OTHER_HUB_AGENT.id, 'ca_other', hub.url);
    for (const args of [['inbox'], ['inbox', '--follow']]) {
      const result = await agent.run(args);
      expect(result).toMatchObject({ exitCode: 1, stdout: '' });
      expect(result.stderr).toContain('does not accept the key');
      expect(result.stderr).toContain('--new-identity --credentials');
    }
  });
});

describe('kill -9', () => {
  /** Starts and kills at random moments while messages come in, until all have been handed over. */
  async function harass(start: () => Running, rounds: number) {
    const runs: Running[] = [];
    for (let round = 0; round < rounds; round++) {
      const running = start();
      runs.push(running);
      await new Promise((resolve) => setTimeout(resolve, 60 + Math.random() * 250));
      await running.stop('SIGKILL');
    }
    return runs;
  }

  it('at random moments: each message is handed over, twice only around the kill', async () => {
    const hub = await startHub();
    const ann = await makeAgent('ann', { url: hub.url });
    const bob = await makeAgent('bob', { url: hub.url });
    const out = path.join(bob.folder, 'out.jsonl');
    const all = numbers(0, 400);
    const sending = (async () => {
      for (const text of all) await post(hub.url, ann, bob, text);
    })();
    const exec = ['inbox', '--exec', `tee -a ${out}`];
    const runs = await harass(() => bob.start([...exec, '--follow']), 12);
    await sending;
    expect((await bob.run(exec)).exitCode).toBe(0);
    const got = (await readLines(out)).map(({ envelope }) => envelope.original_text);
    expect([...new Set(got)]).toEqual(all);
    expect(got.length - all.length).toBeLessThanOrEqual(runs.length);
    expect((await bob.history(ann.id)).map(({ envelope }) => envelope.original_text)).toEqual(all);
  });

  it('while printing: nothing is lost', async () => {
    const hub = await startHub();
    const ann = await makeAgent('ann', { url: hub.url });
    const bob = await makeAgent('bob', { url: hub.url });
    const all = numbers(0, 400);
    const sending = (async () => {
      for (const text of all) await post(hub.url, ann, bob, text);
    })();
    const runs = await harass(() => bob.start(FOLLOW), 8);
    await sending;
    const rest = (await bob.run(['inbox', '--json'])).stdout.split('\n').filter(Boolean);
    const whole = [...runs.flatMap(({ lines }) => lines), ...rest].flatMap((line) => {
      try {
        return [textOf(line)];
      } catch {
        return []; // the kill cut this line
      }
    });
    expect([...new Set(whole)]).toEqual(all);
  });
});

describe('a hand-over', () => {
  it('that fails is tried again and holds back nothing else', async () => {
    const hub = await startOtherHub();
    const agent = await openOther(hub.url);
    const script = path.join(agent.folder, 'take.mjs');
    const out = path.join(agent.folder, 'out.jsonl');
    const open = path.join(agent.folder, 'open');
    await fs.writeFile(
      script,
      `import fs from 'node:fs';
       const text = fs.readFileSync(0, 'utf8');
       const { envelope } = JSON.parse(text);
       if (envelope.original_text === 'hard' && !fs.existsSync(process.argv[2])) process.exit(3);
       fs.appendFileSync(process.argv[3], text);`,
    );
    for (const text of ['a', 'hard', 'b', 'c']) hub.push(text);
    const exec = `"${process.execPath}" ${script} ${open} ${out}`;
    const inbox = agent.start(['inbox', '--follow', '--exec', exec]);
    await inbox.untilSays('the command ended with 3');
    const taken = async () => (await readLines(out)).map(({ envelope }) => envelope.original_text);
    await until(async () => (await taken()).length === 3);
    expect(await taken()).toEqual(['a', 'b', 'c']);
    await fs.writeFile(open, '');
    await until(async () => (await taken()).length === 4);
    expect(await inbox.stop()).toBe(0);
    expect(await taken()).toEqual(['a', 'b', 'c', 'hard']);
    expect((await agent.run(['inbox', '--exec', exec])).exitCode).toBe(0);
    expect(await taken()).toHaveLength(4);
    expect(await agent.history('you@hub.example')).toHaveLength(4);
  });

  it('that fails in a run without --follow is kept for the next, though the hub forgets', async () => {
    const hub = await startOtherHub();
    const agent = await openOther(hub.url);
    hub.push('x');
    const failed = await agent.run(['inbox', '--exec', 'false']);
    expect(failed).toMatchObject({ exitCode: 1 });
    expect(failed.stderr).toContain('It is kept for the next run.');
    hub.reset();
    const taken = await agent.run(['inbox', '--exec', 'cat']);
    expect(taken.exitCode).toBe(0);
    expect(textOf(taken.stdout)).toBe('x');
    expect((await agent.run(['inbox', '--exec', 'cat'])).stdout).toBe('');
    expect(await agent.history('you@hub.example')).toHaveLength(1);
  });

  it('gives the text to the command as data, whatever is in it', async () => {
    const hub = await startOtherHub();
    const agent = await openOther(hub.url);
    const evil = '"; touch pwned; $(touch pwned) `touch pwned` \' \\ \n{} \u001b[2J';
    hub.push(evil);
    const result = await agent.run(['inbox', '--exec', 'cat']);
    expect(JSON.parse(result.stdout).envelope.original_text).toBe(evil);
    expect(result.stdout).not.toContain('\u001b');
    expect(await fs.pathExists(path.join(agent.folder, 'pwned'))).toBe(false);
  });

  it('that takes too long has failed', async () => {
    const hub = await startOtherHub();
    const agent = await openOther(hub.url);
    hub.push('x');
    const result = await agent.run(['inbox', '--exec', 'sleep 60', '--timeout', '1']);
    expect(result).toMatchObject({ exitCode: 1 });
    expect(result.stderr).toContain('not done after 1 s');
  });

  it.each(['no-such-program', './chorus-credentials.json/x'])(
    'to a command that is not there says so: %s',
    async (command) => {
      const hub = await startOtherHub();
      const agent = await openOther(hub.url);
      hub.push('x');
      const result = await agent.run(['inbox', '--exec', command, '--json']);
      expect(result.exitCode).toBe(1);
      expect(JSON.parse(result.stdout)).toMatchObject({ event: 'failed', reason: 'not-started' });
    },
  );

  it.each([
    ['en', 'refused the connection (ECONNREFUSED): nothing is listening there. It is'],
    ['zh-CN', '拒绝连接（ECONNREFUSED）：那里没有程序在监听。'],
  ])('to an address where nobody is says so, in %s', async (language, told) => {
    const hub = await startOtherHub();
    const agent = await openOther(hub.url);
    hub.push('x');
    const args = ['inbox', '--webhook', 'http://127.0.0.1:1', '--ui-lang', language];
    expect((await agent.run(args)).stderr).toContain(told);
    const { stdout } = await agent.run([...args, '--json']);
    expect(JSON.parse(stdout)).toEqual({
      event: 'failed',
      trace_id: expect.any(String),
      sender_id: 'you@hub.example',
      reason: 'network',
      detail: 'hub-refused',
    });
  });

  it('to a person says how to reply with the same credentials', async () => {
    const hub = await startOtherHub();
    const agent = await openOther(hub.url);
    const { trace_id } = hub.push('x');
    await fs.move(
      path.join(agent.folder, 'chorus-credentials.json'),
      path.join(agent.folder, 'other one/chorus-credentials.json'),
    );
    const given = 'other one/chorus-credentials.json';
    const { stdout } = await agent.run(['inbox', '--credentials', given]);
    expect(stdout).toContain(`--reply-to ${trace_id} --credentials '${given}'\n`);
  });

  it('to a webhook counts when it answers 2xx', async () => {
    const hub = await startOtherHub();
    const agent = await openOther(hub.url);
    let isUp = false;
    const hook = await startServer((_, response) =>
      sendJson(response, isUp ? 200 : 503, { status: 'ok' }),
    );
    const { trace_id } = hub.push('x');
    const args = ['inbox', '--webhook', hook.url];
    expect((await agent.run(args)).exitCode).toBe(1);
    isUp = true;
    expect((await agent.run(args)).exitCode).toBe(0);
    expect((await agent.run(args)).exitCode).toBe(0);
    expect(hook.seen.map(({ headers }) => headers['idempotency-key'])).toEqual([
      trace_id,
      trace_id,
    ]);
    expect(JSON.parse(hook.seen[1]?.body ?? '')).toMatchObject({
      trace_id,
      envelope: { original_text: 'x' },
    });
  });

  it("to OpenClaw has the form and the token of its hooks; a refusal isn't success", async () => {
    const hub = await startOtherHub();
    const agent = await openOther(hub.url);
    const hook = await startServer((_, response) => sendJson(response, 202, { ok: true }));
    const { trace_id } = hub.push('/reset');
    await fs.outputJson(path.join(agent.folder, '.openclaw/openclaw.json'), {
      gateway: { port: hook.port },
      hooks: { enabled: true, token: `\${HOOK}` },
    });
    const env = { HOOK: 'secret-of-hooks' };
    expect((await agent.run(['inbox', '--openclaw'], { env })).exitCode).toBe(0);
    const [request] = hook.seen;
    expect(request?.path).toBe('/hooks/agent');
    expect(request?.headers.authorization).toBe('Bearer secret-of-hooks');
    const body = JSON.parse(request?.body ?? '');
    expect(body).toMatchObject({ name: 'Chorus', deliver: true, idempotencyKey: trace_id });
    expect(body.message).toContain('original_text: "/reset"');
    const without = await agent.run(['inbox', '--openclaw', '--json']);
    expect(JSON.parse(without.stdout).error.code).toBe('openclaw-no-token');
  });

  it('to a reader who has left is none', async () => {
    const hub = await startOtherHub();
    const agent = await openOther(hub.url);
    const inbox = agent.start(FOLLOW);
    await until(() => hub.streams() === 1);
    inbox.closeOutput();
    hub.push('x');
    expect(await inbox.exited).toBe(1);
    expect((await agent.run(['inbox'])).stdout).toContain('x');
  });
});

describe('what is not right', () => {
  it('is kept aside, told with the protocol response, and not handed over', async () => {
    const hub = await startOtherHub();
    const agent = await openOther(hub.url);
    hub.push('old', { envelope: { chorus_version: '0.3' } });
    hub.push('good');
    hub.push('', { envelope: { sender_culture: 'Klingon' } });
    const lines = (await agent.run(['inbox', '--json'])).stdout.trim().split('\n');
    const events = lines.map((line) => JSON.parse(line));
    expect(events.filter(({ event }) => event === 'message')).toHaveLength(1);
    const invalid = events.filter(({ event }) => event === 'invalid');
    expect(invalid.map(({ response }) => response.error_code)).toEqual([
      'UNSUPPORTED_VERSION',
      'INVALID_ENVELOPE',
    ]);
    const aside = await readLines(path.join(agent.folder, 'chorus-invalid.jsonl'));
    expect(aside.map(({ response }) => response.status)).toEqual(['error', 'error']);
    expect(aside[0].envelope.original_text).toBe('old');
    expect(await agent.history('you@hub.example')).toHaveLength(1);
    expect((await agent.run(['inbox', '--json'])).stdout).toBe('');
  });

  it('is dropped when it repeats sender, conversation and turn under another trace id', async () => {
    const hub = await startOtherHub();
    const agent = await openOther(hub.url);
    const envelope = { conversation_id: 'c', turn_number: 1 };
    hub.push('x', { envelope });
    hub.push('x', { envelope });
    expect((await agent.run(['inbox', '--json'])).stdout.trim().split('\n')).toHaveLength(2);
    hub.push('x', { envelope });
    hub.push('other', { envelope: { ...envelope, turn_number: 2 } });
    const later = (await agent.run(['inbox', '--json'])).stdout.trim().split('\n');
    expect(later.map((line) => JSON.parse(line).event)).toEqual(['repeated', 'message']);
  });

  it('has not used up its turn: put right, it is handed over', async () => {
    const hub = await startOtherHub();
    const agent = await openOther(hub.url);
    const envelope = { conversation_id: 'c', turn_number: 1 };
    hub.push('wrong', { envelope: { ...envelope, sender_culture: 'Klingon' } });
    await agent.run(['inbox']);
    hub.push('right', { envelope });
    const { stdout } = await agent.run(['inbox', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ event: 'message', envelope });
    expect((await agent.run(['inbox', '--json'])).stdout).toBe('');
  });

  it('has a trace id that no shell acts on, whatever the hub calls it', async () => {
    const hub = await startOtherHub();
    const agent = await openOther(hub.url);
    hub.push('x', { trace: '$(touch pwned); "' });
    const { trace_id } = JSON.parse((await agent.run(['inbox', '--json'])).stdout);
    expect(trace_id).toMatch(/^[\w-]+$/);
    expect((await agent.run(['inbox', '--json'])).stdout).toBe('');
  });

  it('cannot write outside the history, whatever the sender calls itself', async () => {
    const hub = await startOtherHub();
    const agent = await openOther(hub.url);
    hub.push('x', { envelope: { sender_id: '../../evil@hub' } });
    hub.push('y', { envelope: { sender_id: '..@..' } });
    hub.push('z', { envelope: { sender_id: `${'n'.repeat(300)}@hub` } });
    await agent.run(['inbox']);
    const names = await fs.readdir(path.join(agent.folder, 'chorus-history'));
    expect(names).toHaveLength(2);
    for (const name of names) expect(name).toMatch(/^(?:\.\.@\.\.|n+-[0-9a-f]{16})\.jsonl$/);
  });
});

describe('a disk that takes nothing', () => {
  it('ends the inbox with the reason; nothing is handed over and nothing lost', async () => {
    const hub = await startOtherHub();
    const agent = await openOther(hub.url);
    hub.push('x');
    const history = path.join(agent.folder, 'chorus-history');
    await fs.outputFile(path.join(history, 'you@hub.example.jsonl/in-the-way'), '');
    for (const args of [['inbox', '--json'], FOLLOW, ['inbox', '--exec', 'cat', '--json']]) {
      const { exitCode, stdout } = await agent.run(args);
      expect(exitCode).toBe(1);
      expect(JSON.parse(stdout).error).toMatchObject({
        code: 'storage-failed',
        args: { errno: 'EISDIR' },
      });
    }
    await fs.remove(path.join(history, 'you@hub.example.jsonl'));
    expect(textOf((await agent.run(['inbox', '--json'])).stdout)).toBe('x');
    expect(await agent.history('you@hub.example')).toHaveLength(1);
  });
});

describe('two at once', () => {
  it('the second says so and ends; after a kill the next takes over', async () => {
    const hub = await startOtherHub();
    const agent = await openOther(hub.url);
    const first = agent.start(FOLLOW);
    await until(() => hub.streams() === 1);
    for (const args of [FOLLOW, ['inbox', '--json']]) {
      const { exitCode, stdout } = await agent.run(args);
      expect(exitCode).toBe(1);
      expect(JSON.parse(stdout).error).toMatchObject({
        code: 'inbox-busy',
        args: { pid: first.pid },
      });
    }
    await first.stop('SIGKILL');
    const next = agent.start(FOLLOW);
    await until(() => hub.streams() === 1);
    hub.push('x');
    await next.until(1);
    expect(await next.stop()).toBe(0);
    expect(await fs.pathExists(path.join(agent.folder, 'chorus-inbox.lock'))).toBe(false);
  });

  it('of ten who start together over a dead lock, one gets it', async () => {
    const hub = await startOtherHub();
    const agent = await openOther(hub.url);
    const lock = path.join(agent.folder, 'chorus-inbox.lock');
    const dead = {
      pid: 999_999_999,
      host: (await import('node:os')).hostname(),
      started: '',
      id: 'x',
    };
    await fs.writeJson(lock, dead);
    const starts = Array.from({ length: 10 }, () => agent.start(FOLLOW));
    const ended = await Promise.all(
      starts.map((it) => Promise.race([it.exited, until(() => losers() === 9).then(() => 'held')])),
    );
    function losers() {
      return starts.filter((it) => it.lines.some((line) => line.includes('inbox-busy'))).length;
    }
    expect(ended.filter((code) => code === 1 || code === 'held')).toHaveLength(10);
    await until(() => hub.streams() === 1);
    hub.push('x');
    await until(() => starts.some((it) => it.lines.some((line) => line.includes('"message"'))));
  });
});
