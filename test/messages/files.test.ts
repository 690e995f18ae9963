import nodeFs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import fs from 'fs-extra';
import { describe, expect, it } from 'vitest';
import { appendLines } from '../../cli/io/append-lines.ts';
import type { FileSystem } from '../../cli/io/files.ts';
import { holdLock } from '../../cli/io/process-lock.ts';
import { parseCommand } from '../../cli/messages/hand-over/parse-command.ts';
import { nameHistoryFile } from '../../cli/messages/history-folder.ts';
import { openJournal } from '../../cli/messages/inbox-journal.ts';
import { type InboxMessage, keysOf } from '../../cli/messages/inbox-message.ts';
import { createSeenMessages } from '../../cli/messages/seen-messages.ts';
import { makeFolder, runBinary } from '../run-binary.ts';
import { openAgent } from './agent.ts';

const line = (text: string, more: object = {}) =>
  JSON.stringify({
    ts: '2026-11-18T09:30:00.000Z',
    dir: 'received',
    peer: 'b@hub.example',
    trace_id: text,
    envelope: {
      chorus_version: '0.4',
      sender_id: 'b@hub.example',
      original_text: text,
      sender_culture: 'ja',
      ...more,
    },
  });

it('a lock that could not be written is not left behind', async () => {
  const file = path.join(await makeFolder(), 'lock');
  const full = {
    ...nodeFs,
    writeSync: () => {
      throw Object.assign(new Error('full'), { code: 'ENOSPC' });
    },
  } as unknown as FileSystem;
  expect(() => holdLock(full, file)).toThrow('full');
  expect(await fs.pathExists(file)).toBe(false);
});

describe('lines', () => {
  it('stay whole when the system takes only part of a write', async () => {
    const file = path.join(await makeFolder(), 'f.jsonl');
    let calls = 0;
    const short = {
      ...nodeFs,
      writeSync: (descriptor: number, content: Buffer) =>
        nodeFs.writeSync(descriptor, content, 0, calls++ % 2 ? content.length : 7),
    } as unknown as FileSystem;
    appendLines(short, file, ['{"a":1}', '{"b":22222}', '{"c":3}']);
    const kept = (await fs.readFile(file, 'utf8')).split('\n');
    for (const whole of ['{"a":1}', '{"b":22222}', '{"c":3}']) expect(kept).toContain(whole);
  });

  it('come after a torn one, not onto it', async () => {
    const file = path.join(await makeFolder(), 'f.jsonl');
    await fs.writeFile(file, '{"torn":');
    appendLines(nodeFs, file, ['{"a":1}']);
    expect(await fs.readFile(file, 'utf8')).toBe('{"torn":\n{"a":1}\n');
  });
});

describe('the name of a history file', () => {
  it('stays inside the folder and within what file systems take, whatever the address', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (peer) => {
        const name = nameHistoryFile(peer);
        expect(path.dirname(path.join('/folder', name))).toBe('/folder');
        expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
        expect(name).toMatch(/^[\w.@-]*\.jsonl$/);
      }),
    );
  });
});

describe('the journal', () => {
  const owner = { agent: 'a@hub.example', hub: 'http://hub.example' };
  const message = (name: string): InboxMessage => ({
    trace_id: name,
    envelope: { sender_id: 'b@hub.example', conversation_id: 'c', turn_number: Number(name) },
  });

  it('cut at any byte is what it was after one of the steps: no message half known', async () => {
    const folder = await makeFolder();
    const file = path.join(folder, 'journal');
    const open = (where: string) => openJournal(nodeFs, where, owner, () => []);
    const journal = open(file);
    const states = new Set<string>();
    const show = ({ pending, seen, cursor }: ReturnType<typeof open>) =>
      JSON.stringify([[...pending.keys()], [...seen.entries()], cursor]);
    states.add(show(journal));
    for (const name of ['1', '2', '3']) {
      journal.store([message(name)], [], { id: Number(name), trace: name });
      states.add(show(journal));
      if (name !== '2') journal.markDone([name]);
      states.add(show(journal));
    }
    const whole = await fs.readFile(file);
    for (let length = 0; length <= whole.length; length++) {
      const cut = path.join(folder, 'cut');
      await fs.writeFile(cut, whole.subarray(0, length));
      expect(states).toContain(show(open(cut)));
    }
    expect([...open(file).pending.keys()]).toEqual(['2']);
  });

  it('does not grow with what is done', async () => {
    const file = path.join(await makeFolder(), 'journal');
    const journal = openJournal(nodeFs, file, owner, () => []);
    const text = 'x'.repeat(20_000);
    for (let name = 0; name < 1000; name++) {
      const it = { ...message(String(name)), envelope: { original_text: text } };
      journal.store([it], []);
      journal.markDone([it.trace_id]);
    }
    expect((await fs.stat(file)).size).toBeLessThan(5 << 20);
    expect(journal.pending.size).toBe(0);
  });

  it('with a damaged line asks the hub for everything again, and knows the rest', async () => {
    const file = path.join(await makeFolder(), 'journal');
    const journal = openJournal(nodeFs, file, owner, () => []);
    journal.store([message('1'), message('2')], [], { id: 2, trace: 't' });
    journal.markDone(['1']);
    await fs.writeFile(file, `${await fs.readFile(file, 'utf8')}\0\0\0\n{"done":["9"]}\n`);
    const again = openJournal(nodeFs, file, owner, () => []);
    expect(again.cursor).toBeUndefined();
    expect([...again.pending.keys()]).toEqual(['2']);
    expect(again.seen.has(keysOf(message('1')))).toBe(true);
  });

  it("of another identity keeps what it holds, not the other's place on the hub", async () => {
    const file = path.join(await makeFolder(), 'journal');
    const timestamp = '2026-11-18T09:30:00.000Z';
    openJournal(nodeFs, file, owner, () => []).store([message('1')], [], { timestamp });
    const other = openJournal(nodeFs, file, { ...owner, agent: 'z@hub.example' }, () => []);
    expect(other.cursor).toBeUndefined();
    expect(other.pending.size).toBe(1);
  });
});

it('what was seen is forgotten in time, but not what the hub still lists', () => {
  const seen = createSeenMessages(10);
  for (let count = 0; count < 100; count++) seen.add({ trace: `old-${count}` });
  expect(seen.size).toBe(100); // the hub has not said yet
  seen.keepListed(new Set(['old-3', 'old-50']));
  for (let count = 0; count < 100; count++) seen.add({ trace: `new-${count}`, turn: `t-${count}` });
  expect(seen.size).toBeLessThanOrEqual(22);
  expect(seen.hasTrace('old-3') && seen.hasTrace('old-50') && seen.hasTrace('new-99')).toBe(true);
  expect(seen.has({ trace: 'another', turn: 't-99' })).toBe(true);
  expect(seen.has({ trace: 'another', turn: 't-0' })).toBe(false);
});

describe('the history', () => {
  it('is told as conversations; damage is reported, passed over and kept', async () => {
    const agent = await openAgent('a@hub.example', 'ca_key', 'http://127.0.0.1:1');
    const file = path.join(agent.folder, 'chorus-history/b@hub.example.jsonl');
    const damaged = `not json\n{"ts":1}\n\u0000\u0000\n`;
    const evil = line('bad \u001b[2J\nno line of ours', { conversation_id: 'c-1' });
    const text = `${line('one', { conversation_id: 'c-1' })}\n${damaged}${evil}\n${line('torn').slice(0, 40)}`;
    await fs.outputFile(file, text);
    const shown = await agent.run(['history', 'b']);
    expect(shown.exitCode).toBe(0);
    expect(shown.stdout).toContain('With b@hub.example, conversation c-1');
    expect(shown.stdout).toContain('b@hub.example (ja)\n    one');
    expect(shown.stdout).toContain('    bad \\u001b[2J\n    no line of ours');
    expect(shown.stderr.trim().split('\n')).toEqual(
      [2, 3, 4, 6].map((number) => `${file}, line ${number}: damaged, passed over`),
    );
    const result = await agent.json(['history', '--conversation', 'c-1']);
    expect(result.messages).toHaveLength(2);
    expect(result.damaged).toHaveLength(4);
    expect(await fs.readFile(file, 'utf8')).toBe(text);
    await agent.run(['inbox']); // the next start repairs the end of it
    expect(await fs.readFile(file, 'utf8')).toBe(`${text}\n`);
  });

  it('is not empty but unknown where there are no credentials', async () => {
    const result = await runBinary(['history', '--json'], { cwd: await makeFolder() });
    expect(result.exitCode).toBe(1);
    expect(JSON.parse(result.stdout).error.code).toBe('credentials-missing');
  });

  it('is chosen by peer, time and conversation', async () => {
    const agent = await openAgent('a@hub.example', 'ca_key', 'http://127.0.0.1:1');
    const folder = path.join(agent.folder, 'chorus-history');
    const old = line('old').replace('2026-11-18', '2020-01-01');
    await fs.outputFile(path.join(folder, 'b@hub.example.jsonl'), `${line('new')}\n${old}\n`);
    const texts = async (args: string[]) =>
      (await agent.json(['history', ...args])).messages.map(
        (it: { envelope: { original_text: string } }) => it.envelope.original_text,
      );
    expect(await texts([])).toEqual(['old', 'new']);
    expect(await texts(['--since', '2026-11-18'])).toEqual(['new']);
    expect(await texts(['--since', '9000d'])).toEqual(['old', 'new']);
    expect(await texts(['c'])).toEqual([]);
    expect((await agent.run(['history', 'c', '--ui-lang', 'zh-CN'])).stderr).toBe(
      '没有符合条件的消息。\n',
    );
  });

  it.each([
    ['before the commands', false],
    ['between two runs of inbox', true],
  ])('of what was received by hand %s is not handed over again', async (_, hasJournal) => {
    const { startOtherHub, OTHER_HUB_AGENT } = await import('./other-hub.ts');
    const hub = await startOtherHub();
    const agent = await openAgent(OTHER_HUB_AGENT.id, OTHER_HUB_AGENT.key, hub.url);
    if (hasJournal) await agent.run(['inbox', '--json']);
    const { trace_id } = hub.push('by hand');
    hub.push('new');
    const file = path.join(agent.folder, 'chorus-history/you@hub.example.jsonl');
    await fs.outputFile(file, `${line('by hand').replace('"by hand"', `"${trace_id}"`)}\n`);
    const { stdout } = await agent.run(['inbox', '--json']);
    expect(
      stdout
        .trim()
        .split('\n')
        .map((it) => JSON.parse(it).envelope.original_text),
    ).toEqual(['new']);
  });
});

describe('a command for --exec', () => {
  it.each([
    ['tee -a out', ['tee', '-a', 'out']],
    [`sh -c 'a "b" | c'`, ['sh', '-c', 'a "b" | c']],
    [`"a b"/c 'd'"e"f \\ g`, ['a b/c', 'def', ' g']],
    ['a "$HOME" `x` ;', ['a', '$HOME', '`x`', ';']],
    ['a ""', ['a', '']],
  ])('%s', (text, words) => expect(parseCommand(text, false)).toEqual(words));

  it.each(['"open', "it's", 'a\\'])('%s is none', (text) => {
    expect(parseCommand(text, false)).toBeUndefined();
  });

  it('keeps the backslashes of Windows', () => {
    expect(parseCommand('"C:\\Program Files\\x.exe" C:\\y', true)).toEqual([
      'C:\\Program Files\\x.exe',
      'C:\\y',
    ]);
  });
});
