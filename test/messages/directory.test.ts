import nodeFs from 'node:fs';
import path from 'node:path';
import fs from 'fs-extra';
import { describe, expect, it } from 'vitest';
import { type OutputStream, PLAIN } from '../../cli/io/terminal.ts';
import { runCli } from '../../cli/run.ts';
import { startHub } from '../hub/start-hub.ts';
import { failure, sendJson, startServer, success } from '../hub-client/start-server.ts';
import { root } from '../run-binary.ts';
import { type Agent, makeAgent, openAgent } from './agent.ts';

const AGENTS = [
  { agent_id: 'ann@hub.example', culture: 'en-GB', languages: ['en-GB', 'fr'], online: true },
  { agent_id: 'li@hub.example', culture: 'zh-CN', languages: ['zh-CN'], online: false },
  { agent_id: 'tw@hub.example', culture: 'zh-Hant-TW', languages: ['zh-Hant-TW'], online: true },
];

/** A hub with these agents, of which some answer only with the key and in pages. */
async function startDirectory({ bare = false, wantsKey = false, page = 100 } = {}) {
  return startServer(({ path, headers }, response) => {
    const { pathname, searchParams } = new URL(path, 'http://hub');
    if (pathname !== '/discover') return sendJson(response, 404, failure('ERR_NOT_FOUND'));
    if (wantsKey && headers.authorization !== 'Bearer ca_key') {
      return sendJson(response, 401, failure('ERR_UNAUTHORIZED'));
    }
    if (bare) return sendJson(response, 200, AGENTS);
    const after = searchParams.get('after');
    const start = after === null ? 0 : AGENTS.findIndex(({ agent_id }) => agent_id === after) + 1;
    const data = AGENTS.slice(start, start + page);
    const next = start + page < AGENTS.length ? { next: data.at(-1)?.agent_id } : {};
    return sendJson(response, 200, { ...success(data), metadata: { timestamp: '', ...next } });
  });
}

describe('discover', () => {
  it.each([
    ['everybody', [], ['ann', 'li', 'tw']],
    ['by culture, with all regions of it', ['--culture', 'zh'], ['li', 'tw']],
    ['by culture, however it is written', ['--culture', 'zh_cn'], ['li']],
    ['by language', ['--language', 'fr'], ['ann']],
    ['those who listen', ['--online', '--culture', 'zh'], ['tw']],
  ])('lists %s', async (_, args, names) => {
    const hub = await startDirectory();
    const agent = await openAgent('me@hub.example', 'ca_key', hub.url);
    const { agents, total } = await agent.json(['discover', ...args]);
    expect(agents.map((it: { agent_id: string }) => it.agent_id.split('@')[0])).toEqual(names);
    expect(total).toBe(3);
  });

  it('of what is no culture says so', async () => {
    const hub = await startDirectory();
    const agent = await openAgent('me@hub.example', 'ca_key', hub.url);
    for (const option of ['--culture', '--language']) {
      const { exitCode, stderr } = await agent.run(['discover', option, 'chinese']);
      expect(exitCode).toBe(2);
      expect(stderr).toContain(`${option}: "chinese" is not a culture.`);
    }
  });

  it.each([{ bare: true }, { wantsKey: true }, { page: 1 }])(
    'from a hub with %j',
    async (manners) => {
      const hub = await startDirectory(manners);
      const agent = await openAgent('li@hub.example', 'ca_key', hub.url);
      const { stdout } = await agent.run(['discover']);
      expect(stdout.split('\n').slice(0, 3)).toEqual([
        'ann@hub.example       en-GB       online   en-GB, fr',
        'li@hub.example (you)  zh-CN       offline  zh-CN',
        'tw@hub.example        zh-Hant-TW  online   zh-Hant-TW',
      ]);
    },
  );

  it('needs no identity, and keeps the key of one from other hubs', async () => {
    const [own, other] = [await startDirectory(), await startDirectory({ wantsKey: true })];
    const agent = await openAgent('me@hub.example', 'ca_key', own.url);
    const refused = await agent.run(['discover', '--hub', other.url]);
    expect(refused).toMatchObject({ exitCode: 1, stdout: '' });
    expect(other.seen.every(({ headers }) => headers.authorization === undefined)).toBe(true);
  });

  it('asks the hub that sends for an identity, and another without one', async () => {
    const [own, other] = [await startDirectory(), await startDirectory()];
    const env = { CHORUS_HUB_URL: other.url };
    const agent = await openAgent('me@hub.example', 'ca_key', own.url);
    await agent.run(['discover'], { env });
    expect([own.seen.length > 0, other.seen.length]).toEqual([true, 0]);
    await fs.remove(path.join(agent.folder, 'chorus-credentials.json'));
    expect(await agent.run(['discover'], { env })).toMatchObject({ exitCode: 0 });
    expect(other.seen.length).toBeGreaterThan(0);
  });

  it('passes over no credentials that are named or damaged', async () => {
    const { url } = await startDirectory();
    const agent = await openAgent('me@hub.example', 'ca_key', url);
    const named = await agent.json(['discover', '--hub', url, '--credentials', 'absent.json']);
    expect(named.error.code).toBe('credentials-missing');
    await fs.writeFile(path.join(agent.folder, 'chorus-credentials.json'), '{');
    expect((await agent.json(['discover'])).error.code).toBe('credentials-not-json');
    expect(await agent.json(['discover', '--hub', url])).toMatchObject({ ok: true, total: 3 });
  });

  it('says on a terminal what the columns are', async () => {
    const hub = await startDirectory();
    const agent = await openAgent('li@hub.example', 'ca_key', hub.url);
    const [head] = (await showOnTerminal(['discover'], agent)).split('\n');
    expect(head).toBe('address               culture     inbox    languages');
  });
});

/** What a command shows on a terminal. */
async function showOnTerminal(
  args: readonly string[],
  agent: Agent,
  columns = 80,
): Promise<string> {
  let shown = '';
  const terminal: OutputStream = {
    isTTY: true,
    columns,
    colors: PLAIN,
    write: (text) => {
      shown += text;
    },
  };
  const exitCode = await runCli(args, {
    cwd: agent.folder,
    env: { HOME: agent.folder },
    stdout: terminal,
    stderr: { ...terminal, write: () => {} },
    fs: nodeFs,
    packageRoot: root,
    dialogue: undefined,
    takeStopSignal: () => new AbortController().signal,
  });
  expect(exitCode).toBe(0);
  return shown;
}

describe('invite', () => {
  it('gives a link that the hub knows', async () => {
    const hub = await startHub();
    const agent = await makeAgent('ann', { url: hub.url });
    const { link } = await agent.json(['invite']);
    const answer = await fetch(link, { headers: { Accept: 'application/json' } });
    expect(JSON.stringify(await answer.json())).toContain('ann@localhost');
    const shown = await agent.run(['invite']);
    expect(shown.stdout).toBe(`${link}\n`);
    expect(shown.stderr).toContain('Only this machine can open this link');
  });

  it.each([
    [80, true],
    [30, false],
  ])('on a terminal of %i columns shows a code to scan: %s', async (columns, isShown) => {
    const hub = await startHub();
    const agent = await makeAgent('ann', { url: hub.url });
    const shown = await showOnTerminal(['invite'], agent, columns);
    expect(/[█▀▄]{8}/.test(shown)).toBe(isShown);
    expect(shown.trim().split('\n').at(-1)).toBe(`${hub.url}/invite/ann%40localhost`);
  });
});
