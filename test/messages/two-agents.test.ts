import nodeFs from 'node:fs';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import fs from 'fs-extra';
import { describe, expect, it } from 'vitest';
import { createHttpClient } from '../../cli/hub-client/http-client.ts';
import { PLAIN } from '../../cli/io/terminal.ts';
import { deliver } from '../../cli/messages/deliver.ts';
import { limitTime } from '../../cli/messages/limit-time.ts';
import { postToPeer } from '../../cli/messages/post-to-peer.ts';
import { runCli } from '../../cli/run.ts';
import { startHub } from '../hub/start-hub.ts';
import { failure, sendJson, startServer, success } from '../hub-client/start-server.ts';
import { root } from '../run-binary.ts';
import { makeAgent, openAgent, until } from './agent.ts';

const texts = (lines: readonly string[]) =>
  lines.map((line) => JSON.parse(line).envelope.original_text);

async function makePair() {
  const hub = await startHub();
  const ann = await makeAgent('ann', { url: hub.url, culture: 'en-GB' });
  const haruka = await makeAgent('haruka', { url: hub.url, culture: 'ja' });
  return { hub, ann, haruka };
}

describe('two agents', () => {
  it('hold a conversation: offline, online, answered by trace id', async () => {
    const { ann, haruka } = await makePair();
    const first = await ann.json(['send', 'haruka', '-', '--context', 'We know each other well.'], {
      input: `It's "Thursday" or $HOME;\n\`rm -rf\` no\n`,
    });
    expect(first).toMatchObject({ ok: true, delivery: 'queued', turn_number: 1, recorded: true });
    const inbox = haruka.start(['inbox', '--follow', '--json']);
    await inbox.until(1);
    const message = JSON.parse(inbox.lines[0] ?? '');
    expect(message).toMatchObject({
      event: 'message',
      trace_id: first.trace_id,
      sender_id: ann.id,
      envelope: {
        chorus_version: '0.4',
        sender_id: ann.id,
        original_text: `It's "Thursday" or $HOME;\n\`rm -rf\` no`,
        sender_culture: 'en-GB',
        cultural_context: 'We know each other well.',
        turn_number: 1,
      },
    });
    const live = await ann.json([
      'send',
      haruka.id,
      'And Friday?',
      '--conversation',
      first.conversation_id,
    ]);
    expect(live).toMatchObject({ delivery: 'delivered_sse', turn_number: 2 });
    await inbox.until(2);
    const reply = ['send', ann.id, '金曜十時、承知しました。', '--reply-to', message.trace_id];
    expect(await haruka.json(reply)).toMatchObject({
      conversation_id: first.conversation_id,
      turn_number: 3,
    });
    expect((await ann.run(['inbox'])).stdout).toContain('金曜十時、承知しました。');
    const kept = (await ann.history(haruka.id)).map((line) => [
      line.dir,
      line.envelope.turn_number,
    ]);
    expect(kept).toEqual([
      ['sent', 1],
      ['sent', 2],
      ['received', 3],
    ]);
    expect(await inbox.stop()).toBe(0);
  });

  it('are told what happened in their own language', async () => {
    const { ann, haruka } = await makePair();
    const english = await ann.run(['send', 'haruka', 'Hello']);
    expect(english).toMatchObject({ exitCode: 0, stderr: '' });
    expect(english.stdout).toContain('is offline; the hub keeps the message');
    const chinese = await haruka.run(['send', 'ann', 'こんにちは', '--ui-lang', 'zh-CN']);
    expect(chinese.stdout).toContain('不在线；hub 会保留这条消息');
    const inbox = await ann.run(['inbox', '--ui-lang', 'zh-CN']);
    expect(inbox.stdout).toContain('haruka@localhost (ja)');
    expect(inbox.stdout).toContain('回复：');
    expect((await ann.run(['inbox', '--ui-lang', 'zh-CN'])).stderr).toBe('没有新消息。\n');
  });

  it('get the same message once, however often they look', async () => {
    const { ann, haruka } = await makePair();
    await ann.run(['send', 'haruka', 'one']);
    const looks = [];
    for (let look = 0; look < 3; look++) looks.push((await haruka.run(['inbox', '--json'])).stdout);
    expect(texts(looks.join('').trim().split('\n'))).toEqual(['one']);
  });

  it('do not hear the message that doctor sends to itself, but their own notes', async () => {
    const { ann } = await makePair();
    expect((await ann.run(['doctor', '--round-trip', '--json'])).stdout).toContain('round-trip-ok');
    await ann.run(['send', 'ann', 'a note to myself']);
    const { stdout } = await ann.run(['inbox', '--json']);
    expect(texts(stdout.trim().split('\n'))).toEqual(['a note to myself']);
  });

  it('send at the same time to one peer: every turn once, no line interleaved', async () => {
    const { ann, haruka } = await makePair();
    const { conversation_id: id } = await ann.json(['send', 'haruka', 'first']);
    const more = Array.from({ length: 8 }, (_, index) =>
      ann.run(['send', 'haruka', `${index} ${'x'.repeat(5000)}`, '--conversation', id]),
    );
    for (const { exitCode } of await Promise.all(more)) expect(exitCode).toBe(0);
    const turns = (await ann.history(haruka.id)).map((line) => line.envelope.turn_number);
    expect(turns).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    const received = (await haruka.run(['inbox', '--json'])).stdout.trim().split('\n');
    expect(received.map((line) => JSON.parse(line).envelope.turn_number)).toEqual(turns);
  });
});

it('three agents: each gets its own, in the order of each sender', async () => {
  const { hub, ann, haruka } = await makePair();
  const li = await makeAgent('li', { url: hub.url, culture: 'zh-CN' });
  const inbox = li.start(['inbox', '--follow', '--json']);
  await inbox.untilSays('');
  for (const turn of [1, 2, 3]) {
    await Promise.all([
      ann.run(['send', 'li', `ann ${turn}`]),
      haruka.run(['send', 'li', `haruka ${turn}`]),
      li.run(['send', 'ann', `你好 ${turn}`]),
    ]);
  }
  await inbox.until(6);
  const got = texts(inbox.lines);
  for (const name of ['ann', 'haruka']) {
    expect(got.filter((text) => text.startsWith(name))).toEqual(
      [1, 2, 3].map((n) => `${name} ${n}`),
    );
  }
  const fromLi = (await ann.run(['inbox', '--json'])).stdout.trim().split('\n');
  expect(texts(fromLi)).toEqual(['你好 1', '你好 2', '你好 3']);
  expect(await fs.readdir(path.join(li.folder, 'chorus-history'))).toEqual([
    'ann@localhost.jsonl',
    'haruka@localhost.jsonl',
  ]);
});

describe('send', () => {
  it('says no, with exit code 1 and nothing in the history, when the hub does', async () => {
    const { ann } = await makePair();
    const result = await ann.run(['send', 'nobody', 'hello', '--json']);
    expect(result.exitCode).toBe(1);
    expect(JSON.parse(result.stdout)).toMatchObject({
      ok: false,
      delivery: 'rejected',
      error_code: 'ERR_AGENT_NOT_FOUND',
      recorded: false,
    });
    expect(await ann.history('nobody@localhost')).toEqual([]);
  });

  it.each([
    [['send', 'b'], 'text-missing', 2],
    [['send', 'b', 'x', '--file', 'y'], 'text-twice', 2],
    [['send', 'b', '--file', 'absent.txt'], 'unreadable', 2],
    [['send', 'b', '-'], 'text-missing', 2],
    [['send', 'b', ' \n'], 'text-missing', 2],
    [['send', '../b', 'x'], 'bad-address', 2],
    [['send', 'b', 'x', '--turn', '2'], 'turn-without-conversation', 2],
    [['send', 'b', 'x', '--turn', 'two', '--conversation', 'c'], 'bad-number', 2],
    [['send', 'b', 'x', '--reply-to', 'nothing'], 'reply-unknown', 1],
    [['send', 'b', 'x', '--reply-to', 'y', '--turn', '2'], 'reply-and-place', 2],
    [['send', 'b', 'x', '--context', 'short'], 'envelope-invalid', 1],
    [['send', 'b', 'x', '--peer', 'ftp://b'], 'bad-url', 2],
    [['send', 'b', 'x', '--peer', 'http://192.0.2.1/'], 'url-insecure', 2],
    [['inbox', '--exec', 'a', '--webhook', 'http://localhost'], 'two-hand-overs', 2],
    [['inbox', '--exec', '"open'], 'bad-command', 2],
    [['inbox', '--timeout', '0'], 'bad-number', 2],
    [['history', '--since', 'yesterday'], 'bad-time', 2],
  ])('%j is refused before anything is sent: %s', async (args, code, exitCode) => {
    const server = await startServer((_, response) => sendJson(response, 500, {}));
    const agent = await openAgent('a@localhost', 'ca_key', server.url);
    const result = await agent.run([...args, '--json']);
    expect(JSON.parse(result.stdout).error.code).toBe(code);
    expect(result.exitCode).toBe(exitCode);
    expect(server.seen).toEqual([]);
  });

  it('with words that are not quoted says so', async () => {
    const agent = await openAgent('a@localhost', 'ca_key', 'http://127.0.0.1:1');
    const { stderr } = await agent.run(['send', 'b', 'see', 'you']);
    expect(stderr).toContain('Put what has blanks in it in quotes');
  });

  it.each([
    ['en', 'Type the text; Ctrl+D on a new line ends it'],
    ['zh-CN', '在新的一行按 Ctrl+D 结束'],
  ])('from a terminal says that it waits for the text, in %s', async (language, told) => {
    const agent = await openAgent('a@localhost', 'ca_key', 'http://127.0.0.1:1');
    let shown = '';
    const write = (text: string) => {
      shown += text;
    };
    const screen = { isTTY: true, columns: 80, colors: PLAIN, write };
    const readSync = ((file: number, ...rest: [Buffer]) =>
      file === 0 ? 0 : nodeFs.readSync(file, ...rest)) as typeof nodeFs.readSync;
    const exitCode = await runCli(['send', 'b', '-', '--ui-lang', language], {
      cwd: agent.folder,
      env: { HOME: agent.folder },
      stdout: screen,
      stderr: screen,
      fs: { ...nodeFs, readSync },
      packageRoot: root,
      dialogue: { input: new PassThrough(), output: new PassThrough() },
      takeStopSignal: () => new AbortController().signal,
    });
    expect(exitCode).toBe(2); // nothing was typed
    expect(shown).toContain(told);
  });

  it('is over at once when it is stopped while it reads the text', async () => {
    const { agent, keys } = await hubAnswering([202, success({ delivery: 'queued' })]);
    const sending = agent.start(['send', 'b', '-'], { stdin: 'pipe' });
    // More than a pipe holds: once it is gone, it is being read.
    await sending.write('x'.repeat(1 << 20));
    await sending.stop('SIGINT');
    expect(keys).toEqual([]);
    expect(await fs.pathExists(path.join(agent.folder, 'chorus-history'))).toBe(false);
  });

  it('refuses a turn that was sent already', async () => {
    const { ann } = await makePair();
    await ann.run(['send', 'haruka', 'x', '--conversation', 'c']);
    const again = await ann.run(['send', 'haruka', 'y', '--conversation', 'c', '--turn', '1']);
    expect(again).toMatchObject({ exitCode: 2 });
    expect(again.stderr).toContain('the next one is 2');
  });

  it('knows a peer again whose name is spelt with other capitals', async () => {
    const { ann, haruka } = await makePair();
    const { conversation_id: id } = await ann.json(['send', 'Haruka', 'Are you there?']);
    const [told] = (await haruka.run(['inbox', '--json'])).stdout.split('\n');
    const { trace_id } = JSON.parse(told ?? '');
    await haruka.json(['send', 'ann', 'はい', '--reply-to', trace_id]);
    const [answer] = (await ann.run(['inbox', '--json'])).stdout.split('\n');
    const reply = ['send', 'Haruka', 'Good.', '--reply-to', JSON.parse(answer ?? '').trace_id];
    expect(await ann.json(reply)).toMatchObject({ ok: true, conversation_id: id, turn_number: 3 });
    const lines = (await ann.run(['history', 'haruka', '--json'])).stdout;
    expect(lines.match(/original_text/g)).toHaveLength(3);
  });

  it('answers only the peer of the message', async () => {
    const { ann } = await makePair();
    const { trace_id } = await ann.json(['send', 'haruka', 'x']);
    const wrong = await ann.json(['send', 'ann', 'y', '--reply-to', trace_id]);
    expect(wrong.error.code).toBe('reply-other-peer');
  });

  it('takes the culture from the hub where the credentials lack it', async () => {
    const { hub, haruka } = await makePair();
    const registered = await makeAgent('old', { url: hub.url, culture: 'pt-BR' });
    const old = await openAgent(registered.id, registered.key, hub.url, '');
    await old.run(['send', 'haruka', 'Oi']);
    expect((await old.history(haruka.id))[0].envelope.sender_culture).toBe('pt-BR');
  });
});

/** A hub that answers each send with the next of the given answers. */
async function hubAnswering(...answers: [status: number, body: unknown][]) {
  const keys: unknown[] = [];
  const server = await startServer(({ path: where, headers }, response, socket) => {
    if (where !== '/messages') return sendJson(response, 404, failure('ERR_NOT_FOUND'));
    keys.push(headers['idempotency-key']);
    const [status, body] = answers[Math.min(keys.length, answers.length) - 1] ?? [0, {}];
    if (status === 0) socket.destroy();
    else sendJson(response, status, body);
  });
  const agent = await openAgent('a@localhost', 'ca_key', server.url);
  return { agent, keys };
}

describe('what a hub answers', () => {
  it('is repeated with the same key when no answer came', async () => {
    const { agent, keys } = await hubAnswering(
      [0, {}],
      [502, failure('ERR_AGENT_UNREACHABLE')],
      [200, success({ delivery: 'delivered_sse', trace_id: 't' })],
    );
    expect(await agent.json(['send', 'b', 'x'])).toMatchObject({ ok: true, tries: 3 });
    expect(new Set(keys).size).toBe(1);
  });

  it('is repeated with a new key when it failed for a reason that passes', async () => {
    const { agent, keys } = await hubAnswering(
      [200, success({ delivery: 'failed', error_code: 'ERR_TIMEOUT', detail: '' })],
      [202, success({ delivery: 'queued' })],
    );
    expect(await agent.json(['send', 'b', 'x'])).toMatchObject({ delivery: 'queued', tries: 2 });
    expect(new Set(keys).size).toBe(2);
  });

  it.each([
    [
      [200, success({ delivery: 'failed', error_code: 'ADAPTATION_FAILED', detail: 'd' })],
      'failed',
    ],
    [[400, failure('ERR_VALIDATION', 'no')], 'rejected'],
    [[401, failure('ERR_UNAUTHORIZED')], 'rejected'],
    [[413, 'too large'], 'rejected'],
    [[500, failure('ERR_OF_THEIRS')], 'unknown'],
    [[200, success({ delivery: 'teleported' })], 'unknown'],
    [[200, { nonsense: true }], 'unknown'],
    [
      [
        200,
        success({
          delivery: 'delivered',
          receiver_response: { status: 'error', error_code: 'INVALID_ENVELOPE' },
        }),
      ],
      'rejected',
    ],
  ] as [[number, unknown], string][])('%j is told as %s, at once', async (answer, delivery) => {
    const { agent, keys } = await hubAnswering(answer);
    const { stdout, exitCode } = await agent.run(['send', 'b', 'x', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ ok: false, delivery, recorded: false });
    expect(exitCode).toBe(1);
    expect(keys).toHaveLength(1);
  });

  it.each([
    [
      404,
      'ERR_AGENT_NOT_FOUND',
      'en',
      '. Your hub has no such agent; "chorus-skill discover" lists',
    ],
    [
      404,
      'ERR_AGENT_NOT_FOUND',
      'zh-CN',
      '。你的 hub 上没有这个智能体；运行 "chorus-skill discover" 查看',
    ],
    [401, 'ERR_UNAUTHORIZED', 'en', '. It does not accept your key; "chorus-skill doctor" finds'],
    [400, 'ERR_VALIDATION', 'zh-CN', ': See GET /discover。\n'],
  ])('%i %s is an error with what to do about it, in %s', async (status, code, language, told) => {
    const { agent } = await hubAnswering([status, failure(code, 'See GET /discover.')]);
    const result = await agent.run(['send', 'b', 'x', '--ui-lang', language]);
    expect(result).toMatchObject({ exitCode: 1, stdout: '' });
    expect(result.stderr).toContain(`${code}${told}`);
    expect(result.stderr.trim().split('\n')).toHaveLength(1);
  });

  it('of a webhook is passed on', async () => {
    const receiver_response = { status: 'ok' };
    const { agent } = await hubAnswering([
      200,
      success({ delivery: 'delivered', receiver_response }),
    ]);
    expect(await agent.json(['send', 'b', 'x'])).toMatchObject({ ok: true, receiver_response });
  });

  it('is waited for as long as the hub says', async () => {
    const keys: unknown[] = [];
    const server = await startServer(({ path: where, headers }, response) => {
      if (where !== '/messages') return sendJson(response, 404, failure('ERR_NOT_FOUND'));
      if (keys.push(headers['idempotency-key']) > 1) {
        return sendJson(response, 202, success({ delivery: 'queued' }));
      }
      response.setHeader('Retry-After', '1');
      return sendJson(response, 429, failure('ERR_RATE_LIMITED'));
    });
    const agent = await openAgent('a@localhost', 'ca_key', server.url);
    const result = await agent.run(['send', 'b', 'x']);
    expect(result.exitCode).toBe(0);
    expect(result.stderr).toContain('ERR_RATE_LIMITED; trying again in 1 s.');
    expect(new Set(keys).size).toBe(1);
  });

  it('never came: not known, with how to repeat it safely', async () => {
    const { agent, keys } = await hubAnswering([0, {}]);
    const { stderr, exitCode } = await agent.run(['send', 'b', 'x', '--conversation', 'c']);
    expect(exitCode).toBe(1);
    expect(stderr).toContain('It is not known whether the message was sent');
    expect(stderr).toContain(`run the same command again with: --idempotency-key ${keys[0]}`);
  });

  it('never came: the next message takes another turn, the repeated one its own', async () => {
    const lost = [500, failure('ERR_OF_THEIRS')] as [number, unknown];
    const taken = [202, success({ delivery: 'queued' })] as [number, unknown];
    const { agent } = await hubAnswering(lost, taken);
    const first = await agent.json(['send', 'b', 'x']);
    expect(first).toMatchObject({ delivery: 'unknown', turn_number: 1 });
    const place = ['--conversation', first.conversation_id];
    expect(await agent.json(['send', 'b', 'y', ...place])).toMatchObject({ turn_number: 2 });
    // As it is told: the same command, with the key.
    const repeat = ['send', 'b', 'x', '--idempotency-key', first.idempotency_key];
    const { conversation_id } = first;
    expect(await agent.json(repeat)).toMatchObject({ ok: true, conversation_id, turn_number: 1 });
    const kept = (await agent.history('b@localhost')).map(({ envelope }) => envelope);
    expect(kept.map((it) => [it.original_text, it.turn_number])).toEqual([
      ['y', 2],
      ['x', 1],
    ]);
    expect((await agent.json(repeat)).error.code).toBe('turn-used');
  });

  it('never came: its turn is kept from the same peer in other capitals, too', async () => {
    const { agent } = await hubAnswering(
      [500, failure('ERR_OF_THEIRS')],
      [202, success({ delivery: 'queued' })],
    );
    const place = ['--conversation', 'c'];
    expect(await agent.json(['send', 'B', 'x', ...place])).toMatchObject({ delivery: 'unknown' });
    expect(await agent.json(['send', 'b', 'y', ...place])).toMatchObject({ turn_number: 2 });
  });

  it('never came, as it was killed: the next message takes another turn', async () => {
    const { hub, ann, haruka } = await makePair();
    const server = await startServer(async ({ path: where, body, headers }, response) => {
      if (where !== '/messages') return sendJson(response, 404, failure('ERR_NOT_FOUND'));
      // It arrives, and nobody hears of it.
      await fetch(`${hub.url}${where}`, {
        method: 'POST',
        body,
        headers: {
          'Content-Type': 'application/json',
          Authorization: String(headers.authorization),
        },
      });
      sending.stop('SIGKILL');
    });
    await ann.moveTo(server.url);
    const place = ['--conversation', 'c'];
    const sending = ann.start(['send', 'haruka', 'first', ...place]);
    await sending.exited;
    await ann.moveTo(hub.url);
    await ann.run(['send', 'haruka', 'second', ...place]);
    expect(texts((await haruka.run(['inbox', '--json'])).stdout.trim().split('\n'))).toEqual([
      'first',
      'second',
    ]);
    await ann.run(['send', 'haruka', 'third', ...place]);
    const turns = (await ann.history('haruka@localhost')).map(
      ({ envelope }) => envelope.turn_number,
    );
    expect(turns).toEqual([2, 3]);
  });

  it('had not come when it was stopped: not known', async () => {
    const server = await startServer(({ path: where }, response) => {
      if (where !== '/messages') sendJson(response, 404, failure('ERR_NOT_FOUND'));
    });
    const agent = await openAgent('a@localhost', 'ca_key', server.url);
    const sending = agent.start(['send', 'b', 'x', '--json']);
    await until(() => server.seen.some(({ path: where }) => where === '/messages'));
    expect(await sending.stop()).toBe(130);
    expect(JSON.parse(sending.lines.join(''))).toMatchObject({
      delivery: 'unknown',
      detail: 'stopped before an answer came',
    });
  });

  it('is not waited for longer than all of it may take', async () => {
    const server = await startServer(() => {});
    const http = createHttpClient({ env: {} });
    const signal = limitTime(new AbortController().signal, 200);
    const delivered = await deliver({
      idempotencyKey: 'k',
      makeKey: () => 'other',
      onWait: () => {},
      tryOnce: () => postToPeer(http, new URL(server.url), {}, signal),
      signal,
    });
    expect(delivered).toMatchObject({ delivery: 'unknown', error_code: 'hub-timeout', tries: 1 });
  });

  it('nobody is there: nothing was sent', async () => {
    const agent = await openAgent('a@localhost', 'ca_key', 'http://127.0.0.1:1');
    const { stdout, exitCode } = await agent.run(['send', 'b', 'x', '--json']);
    expect(exitCode).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      delivery: 'not_sent',
      error_code: 'hub-refused',
      detail: expect.stringContaining('refused the connection'),
    });
  });
});

describe('peer to peer', () => {
  it('posts the envelope alone, without the key, and records it', async () => {
    const server = await startServer((_, response) => sendJson(response, 200, { status: 'ok' }));
    const agent = await openAgent('a@localhost', 'ca_secret', 'http://127.0.0.1:1');
    const peer = ['send', 'b@elsewhere.example', 'x', '--peer', `${server.url}/chorus`];
    expect(await agent.json(peer)).toMatchObject({ ok: true, delivery: 'delivered' });
    const [request] = server.seen;
    expect(Object.keys(JSON.parse(request?.body ?? ''))).toEqual(['envelope']);
    expect(JSON.stringify(request)).not.toContain('ca_secret');
    expect(await agent.history('b@elsewhere.example')).toHaveLength(1);
  });

  it.each([
    [200, { status: 'error', error_code: 'UNSUPPORTED_VERSION' }, 'rejected'],
    [404, {}, 'rejected'],
    [200, {}, 'unknown'],
    [500, {}, 'unknown'],
  ])('%i %j is told as %s', async (status, body, delivery) => {
    const server = await startServer((_, response) => sendJson(response, status, body));
    const agent = await openAgent('a@localhost', 'ca_key', 'http://127.0.0.1:1');
    const result = await agent.run(['send', 'b', 'x', '--peer', server.url, '--json']);
    expect(JSON.parse(result.stdout)).toMatchObject({ ok: false, delivery });
    expect(result.exitCode).toBe(1);
  });
});
