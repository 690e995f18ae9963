import path from 'node:path';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { execa } from 'execa';
import fs from 'fs-extra';
import { describe, expect, it } from 'vitest';
import { formatShape } from '../../scripts/documents/block-json.ts';
import { type Block, parseDocument } from '../../scripts/documents/parse-document.ts';
import { makeFolder, root } from '../run-binary.ts';
import { call, card, openInbox, register, send, type TestAgent } from './hub-api.ts';
import { startHub } from './start-hub.ts';
import { startWebhook } from './webhook-server.ts';

const HOST = 'hub.example';

interface Request {
  kind: 'request';
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string | undefined;
}
interface Answer {
  kind: 'answer';
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: whatever the document shows
  body: any;
}

/** An http block of the document, with what stands for something replaced by it. */
function parseBlock({ lines }: Block, values: Readonly<Record<string, string>>): Request | Answer {
  const text = Object.entries(values).reduce(
    (it, [placeholder, value]) => it.replaceAll(placeholder, value),
    lines.join('\n'),
  );
  const [head = '', ...rest] = text.split('\n\n');
  const body = rest.length === 0 ? undefined : rest.join('\n\n');
  const [first = '', ...headerLines] = head.split('\n');
  const status = /^HTTP\/1\.1 (\d+)/.exec(first)?.[1];
  if (status !== undefined) {
    return { kind: 'answer', status: Number(status), body: JSON.parse(body ?? 'null') };
  }
  const [method = '', target = ''] = first.split(' ');
  const headers = Object.fromEntries(headerLines.map((line) => line.split(/: (.*)/)));
  return { kind: 'request', method, path: target, headers, body };
}

/** Values that are different every time. */
const VOLATILE = new Set(['timestamp', 'trace_id', 'api_key', 'session_token', 'registered_at']);

function settle(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (key, it) => (VOLATILE.has(key) ? `<${key}>` : it));
}

describe.each(['en', 'zh-CN'])('templates/%s/TRANSPORT.md', (language) => {
  const text = fs.readFileSync(path.join(root, 'templates', language, 'TRANSPORT.md'), 'utf8');
  const blocks = parseDocument(text).flatMap((section) => section.blocks);
  const find = (start: string, info = 'http') => {
    const index = blocks.findIndex(
      (it) => it.info === info && it.lines.join('\n').startsWith(start),
    );
    const [block, next] = [blocks[index], blocks[index + 1]];
    if (block === undefined) throw new Error(`no block begins with ${start}`);
    return { block, next };
  };
  const start = async () => {
    const args = ['--name', HOST, '--title', 'Example hub', '--allow-loopback-webhooks'];
    const { url } = await startHub({ args });
    return url;
  };
  const prepare = async () => {
    const url = await start();
    const you = await register(url, 'your-name', { culture: 'en-GB' });
    const body = {
      agent_id: 'haruka',
      agent_card: { ...card('ja'), supported_languages: ['ja', 'en'] },
    };
    const { json } = await call(url, 'POST', '/register', { body });
    const haruka: TestAgent = { id: json.data.agent_id, key: json.data.api_key };
    return { url, you, haruka };
  };
  /** Runs the request that begins so; returns what came and what the document shows. */
  const run = async (url: string, begin: string, values: Readonly<Record<string, string>> = {}) => {
    const { block, next } = find(begin);
    const request = parseBlock(block, values);
    if (request.kind !== 'request' || next === undefined) throw new Error('no request with answer');
    const { method, path: target, headers, body } = request;
    const got = await call(url, method, target, { headers, body });
    const shown = parseBlock(next, values);
    if (shown.kind !== 'answer') throw new Error('no answer follows');
    return { got, shown };
  };

  it('shows the discovery document as it is', async () => {
    const { got, shown } = await run(await start(), 'GET /.well-known/chorus.json');
    expect(got.status).toBe(shown.status);
    expect(got.json).toEqual(shown.body);
  });

  it('shows how to register', async () => {
    const values = { '<culture>': 'en-GB' };
    const { got, shown } = await run(await start(), 'POST /register', values);
    expect(got.status).toBe(shown.status);
    expect(settle(got.json)).toEqual(settle(shown.body));
  });

  it('shows how to get a token, and what opens with it', async () => {
    const { url, you } = await prepare();
    const { got, shown } = await run(url, 'POST /agent/session', { 'ca_…': you.key });
    expect(got.status).toBe(shown.status);
    expect(settle(got.json)).toEqual(settle(shown.body));
    const { block } = find('GET /agent/inbox?session');
    const request = parseBlock(block, { '<token>': got.json.data.session_token });
    if (request.kind !== 'request') throw new Error('no request');
    const inbox = await openInbox(url, undefined, request);
    expect(inbox.events[0]?.event).toBe('connected');
    inbox.close();
  });

  it('shows the history, and the inbox with the same message', async () => {
    const { url, you, haruka } = await prepare();
    const history = find('GET /agent/messages').next;
    const [message] = (history && JSON.parse(history.lines.slice(2).join('\n')))?.data ?? [];
    for (let id = 1; id < message.id; id++) await send(url, you, haruka.id, 'before');
    const body = { receiver_id: message.receiver_id, envelope: message.envelope };
    expect((await call(url, 'POST', '/messages', { key: haruka.key, body })).status).toBe(202);
    const { got, shown } = await run(url, 'GET /agent/messages', { 'ca_…': you.key });
    expect(got.status).toBe(shown.status);
    expect(settle(got.json)).toEqual(settle(shown.body));

    const { block, next } = find('GET /agent/inbox\n');
    const request = parseBlock(block, { 'ca_…': you.key });
    if (request.kind !== 'request' || next === undefined) throw new Error('no request');
    const documented: EventSourceMessage[] = [];
    const parser = createParser({ onEvent: (event) => documented.push(event) });
    parser.feed(`${next.lines.join('\n')}\n\n`);
    const inbox = await openInbox(url, undefined, request);
    await inbox.messages(1);
    const settleEvent = ({ id, event, data }: EventSourceMessage) => ({
      id,
      event,
      data: settle(JSON.parse(data)),
    });
    expect(inbox.events.map(settleEvent)).toEqual(documented.map(settleEvent));
    inbox.close();
  });

  it('shows how to send', async () => {
    const { url, you, haruka } = await prepare();
    const inbox = await openInbox(url, haruka.key);
    const { got, shown } = await run(url, 'POST /messages', { 'ca_…': you.key });
    expect(got.status).toBe(shown.status);
    expect(settle(got.json)).toEqual(settle(shown.body));
    inbox.close();
  });

  it('shows the directory', async () => {
    const { url, haruka } = await prepare();
    const inbox = await openInbox(url, haruka.key);
    const { got, shown } = await run(url, 'GET /discover');
    expect(got.status).toBe(shown.status);
    expect(got.json.data).toContainEqual(shown.body.data[0]);
    expect(formatShape(got.json.metadata)).toBe(formatShape(shown.body.metadata));
    inbox.close();
  });

  it('shows what a webhook is posted, and what it answers', async () => {
    const { url, you, haruka } = await prepare();
    const { block, next } = find('POST <endpoint>');
    const posted = parseBlock(block, {});
    if (posted.kind !== 'request' || next === undefined) throw new Error('no request');
    const shown = parseBlock(next, {});
    if (shown.kind !== 'answer') throw new Error('no answer');
    const webhook = await startWebhook((_, response) => {
      response.writeHead(shown.status).end(JSON.stringify(shown.body));
    });
    const body = { agent_id: 'your-name', agent_card: card('en'), endpoint: webhook.url };
    await call(url, 'POST', '/register', { key: you.key, body });
    const { envelope } = JSON.parse(posted.body ?? '');
    const answer = await call(url, 'POST', '/messages', {
      key: haruka.key,
      body: { receiver_id: 'your-name', envelope },
    });
    expect(answer.json.data).toMatchObject({
      delivery: 'delivered',
      receiver_response: shown.body,
    });
    expect(webhook.received).toEqual([envelope.original_text]);
  });

  it('shows an A2A message that is taken', async () => {
    const { url, you } = await prepare();
    const { block } = find('{\n  "receiver_id"', 'json');
    const body = block.lines.join('\n');
    const { status } = await call(url, 'POST', '/messages', { key: you.key, body });
    expect(status).toBe(202);
  });

  it('shows the shape of every answer', async () => {
    const { url } = await prepare();
    const success = JSON.parse(find('{\n  "success": true', 'json').block.lines.join('\n'));
    const failure = JSON.parse(find('{\n  "success": false', 'json').block.lines.join('\n'));
    const health = await call(url, 'GET', '/health');
    expect(Object.keys(health.json)).toEqual(Object.keys(success));
    const nowhere = await call(url, 'GET', '/nowhere');
    expect(formatShape(nowhere.json)).toBe(formatShape(failure));
  });

  it('has no request or answer that is not tried here', () => {
    const requests = blocks.filter(({ info }) => info === 'http').map(({ lines }) => lines[0]);
    expect(requests.filter((line) => !line?.startsWith('HTTP/'))).toEqual([
      'GET /.well-known/chorus.json',
      'POST /register',
      'GET /agent/inbox',
      'POST /agent/session',
      'GET /agent/inbox?session=<token>',
      'GET /agent/messages?since=40',
      'POST /messages',
      'GET /discover',
      'POST <endpoint>',
    ]);
  });
});

describe.each(['en', 'zh-CN'])('templates/%s/SKILL.md', (language) => {
  const text = fs.readFileSync(path.join(root, 'templates', language, 'SKILL.md'), 'utf8');
  const blocks = parseDocument(text).flatMap((section) => section.blocks);
  const scriptWith = (words: string) =>
    blocks.find(({ lines }) => lines.join('\n').includes(words))?.lines ?? [];
  const prepare = async () => {
    const { url } = await startHub({ args: ['--name', HOST] });
    const folder = await makeFolder();
    const env = {
      HUB_URL: url,
      ID: `lin@${HOST}`,
      CULTURE: 'zh-CN',
      ONCE: 'a-random-key-of-a-test',
      CREDENTIALS: 'chorus-credentials.json',
    };
    const run = (lines: readonly string[], more = {}) =>
      execa('sh', ['-c', lines.join('\n')], {
        cwd: folder,
        env: { ...env, ...more },
        reject: false,
      });
    return { folder, run, list: () => fs.readdirSync(folder) };
  };
  const registering = scriptWith('/register"');

  it('registers without Node: the key goes into the file and is not printed', async () => {
    const { folder, run, list } = await prepare();
    const { stdout, stderr, exitCode } = await run(registering);
    expect({ stdout, stderr, exitCode }).toEqual({ stdout: '201', stderr: '', exitCode: 0 });
    expect(list()).toEqual(['chorus-credentials.json']);
    const file = path.join(folder, 'chorus-credentials.json');
    expect(fs.statSync(file).mode & 0o777).toBe(0o600);
    expect(fs.readJsonSync(file)).toMatchObject({ agent_id: `lin@${HOST}`, user_culture: 'zh-CN' });

    const [auth = '', , messages = ''] = scriptWith('auth()');
    const answer = await run([auth, messages]);
    expect(JSON.parse(answer.stdout)).toMatchObject({ success: true, data: [] });
  });

  it('sends nothing where credentials are already', async () => {
    const { folder, run, list } = await prepare();
    const file = path.join(folder, 'chorus-credentials.json');
    fs.writeFileSync(file, 'precious');
    expect(await run(registering)).toMatchObject({ stdout: '', failed: true });
    expect(list()).toEqual(['chorus-credentials.json']);
    expect(fs.readFileSync(file, 'utf8')).toBe('precious');
    fs.removeSync(file);
    expect(await run(registering)).toMatchObject({ stdout: '201' });
  });

  it('keeps the answer when the credentials cannot be written', async () => {
    const { folder, run, list } = await prepare();
    const CREDENTIALS = 'later/chorus-credentials.json';
    expect(await run(registering, { CREDENTIALS })).toMatchObject({ stdout: '201', failed: true });
    expect(list()).toEqual(['answer.json']);
    fs.mkdirSync(path.join(folder, 'later'));
    const [first = ''] = registering;
    const rest = registering.slice(registering.findIndex((line) => line.startsWith('KEY=')));
    expect(await run([first, ...rest], { CREDENTIALS })).toMatchObject({ stdout: '', exitCode: 0 });
    expect(list()).toEqual(['later']);
    expect(fs.statSync(path.join(folder, CREDENTIALS)).mode & 0o777).toBe(0o600);
  });

  it('leaves the shell as it was', async () => {
    const { run } = await prepare();
    const again = await run([...registering, 'echo x > page', 'echo y > page && cat page']);
    expect(again.stdout).toBe('201\ny');
  });

  it('leaves the error of a taken id to be read', async () => {
    const { folder, run } = await prepare();
    await run(registering);
    const again = await run(registering, {
      ONCE: 'another-key-of-a-test',
      CREDENTIALS: 'other.json',
    });
    expect(again).toMatchObject({ stdout: '409', failed: true });
    const answer = fs.readJsonSync(path.join(folder, 'answer.json'));
    expect(answer.error.code).toBe('ERR_AGENT_ID_TAKEN');
    expect(fs.existsSync(path.join(folder, 'other.json'))).toBe(false);
  });
});
