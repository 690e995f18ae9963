import path from 'node:path';
import fs from 'fs-extra';
import { describe, expect, it } from 'vitest';
import { findProgram, queryProgram } from '../../cli/io/query-program.ts';
import { createComputer, createOpenclaw } from './computer.ts';

const INIT = ['init', '--target', 'openclaw'];
const VISIBLE = { disabled: false, blockedByAgentFilter: false, modelVisible: true };

/** A script that answers like `openclaw skills info chorus --json`. */
const answer = (info: object, home: string) => {
  const filePath = path.join(home, '.openclaw/workspace/skills/chorus/SKILL.md');
  return `echo '${JSON.stringify({ filePath, ...VISIBLE, ...info })}'`;
};

async function ask(createScript: (home: string) => string, config?: string) {
  const { home, json, run } = await createComputer();
  if (config !== undefined) {
    await fs.outputFile(path.join(home, '.openclaw/openclaw.json'), config);
  }
  const env = await createOpenclaw(createScript(home));
  const { exitCode, value } = await json(INIT, env);
  expect(exitCode).toBe(0);
  const { stdout } = await run(INIT, env);
  return { home, visibility: value.targets[0].openclaw, stdout };
}

describe('what OpenClaw says about the skill is told', () => {
  it('visible', async () => {
    const { visibility, stdout } = await ask((home) => answer({}, home));
    expect(visibility).toEqual([{ status: 'visible', agent: 'main' }]);
    expect(stdout).toContain('OpenClaw shows it to the model of agent main.');
  });

  it('visible, after a line that is none of the answer', async () => {
    const { visibility } = await ask((home) => `echo 'Config warnings: x'; ${answer({}, home)}`);
    expect(visibility).toEqual([{ status: 'visible', agent: 'main' }]);
  });

  it('hidden by an allow-list, with the command that would change it', async () => {
    const hidden = { blockedByAgentFilter: true, modelVisible: false };
    const { visibility, stdout } = await ask(
      (home) => answer(hidden, home),
      `{agents: {defaults: {skills: ['github', "it's"]}}}`,
    );
    const command = `openclaw config set agents.defaults.skills '["github","it'\\''s","chorus"]' --strict-json`;
    expect(visibility).toEqual([
      { status: 'hidden', agent: 'main', list: 'agents.defaults.skills', command },
    ]);
    expect(stdout).toContain(command);
  });

  it('disabled', async () => {
    const { visibility } = await ask((home) =>
      answer({ disabled: true, modelVisible: false }, home),
    );
    expect(visibility).toMatchObject([
      { status: 'disabled', command: 'openclaw config set skills.entries.chorus.enabled true' },
    ]);
  });

  it('shadowed by another file', async () => {
    const by = '/elsewhere/skills/chorus/SKILL.md';
    const { visibility, stdout } = await ask((home) => answer({ filePath: by }, home));
    expect(visibility).toEqual([{ status: 'shadowed', agent: 'main', by }]);
    expect(stdout).toContain(by);
  });

  it.each([
    [`echo '{"ok":false,"error":{"message":"Skill \\"chorus\\" not found."}}'; exit 1`, 'unseen'],
    [`echo 'needs Node 24' >&2; exit 1`, 'unknown'],
    ['echo gibberish', 'unknown'],
    ['exit 3', 'unknown'],
    ['head -c 5000000 /dev/zero', 'unknown'],
    [`printf '{"filePath": "\\033[2J"}'`, 'unknown'],
  ])('%s: %s', async (script, status) => {
    const { visibility, stdout } = await ask(() => script);
    expect(visibility).toMatchObject([{ status }]);
    expect(stdout).not.toContain('\u001b');
  });

  it('that it could not run, in its own words', async () => {
    const refusal = 'openclaw: Node 22.23.3 is too old; use 24.16+';
    const old = await ask(() => `echo '${refusal}' >&2; echo '  nvm use 26' >&2; exit 1`);
    expect(old.visibility).toMatchObject([{ status: 'unknown', detail: refusal }]);
    const gone = await ask(() => `echo 'openclaw: 2: exec: node: not found' >&2; exit 127`);
    expect(gone.visibility).toMatchObject([{ status: 'unknown' }]);
  });

  it('nothing, where there is no such program; the config still tells what hides it', async () => {
    const { home, json } = await createComputer();
    const first = await json(INIT);
    expect(first.value.targets[0].openclaw).toMatchObject([{ status: 'unknown' }]);
    const config = '{agents: {entries: {main: {skills: []}}}}';
    await fs.outputFile(path.join(home, '.openclaw/openclaw.json'), config);
    const second = await json(INIT);
    expect(second.value.targets[0].openclaw).toMatchObject([
      { status: 'hidden', list: 'agents.entries.main.skills' },
    ]);
    expect(await fs.readFile(path.join(home, '.openclaw/openclaw.json'), 'utf8')).toBe(config);
    const off = '{skills: {entries: {chorus: {enabled: false}}}}';
    await fs.outputFile(path.join(home, '.openclaw/openclaw.json'), off);
    const third = await json(INIT);
    expect(third.value.targets[0].openclaw).toMatchObject([{ status: 'disabled' }]);
  });

  it('for the agent and the profile that are meant', async () => {
    const { home, json } = await createComputer();
    await fs.outputFile(
      path.join(home, '.openclaw-foo/openclaw.json'),
      '{agents: {ownership: "explicit", entries: {x: {}, y: {}}}}',
    );
    const env = await createOpenclaw(`echo "$@" >> "${home}/asked"; exit 1`);
    const profile = ['--profile', 'foo'];
    const needed = await json([...INIT, ...profile], env);
    expect(needed).toMatchObject({
      exitCode: 2,
      value: { error: { code: 'openclaw-agent-needed', args: { available: ['x', 'y'] } } },
    });
    await json([...INIT, ...profile, '--agent', 'Y'], env);
    await json([...INIT, ...profile, '--scope', 'user'], env);
    const info = '--profile foo skills info chorus --json --agent';
    expect(await fs.readFile(path.join(home, 'asked'), 'utf8')).toBe(
      `${info} y\n${info} x\n${info} y\n`,
    );
  });
});

it('a gateway on another machine is refused with an explanation', async () => {
  const { home, run } = await createComputer();
  const config = '{gateway: {mode: "remote", remote: {url: "ws://far.example:18789"}}}';
  await fs.outputFile(path.join(home, '.openclaw/openclaw.json'), config);
  const { exitCode, stderr } = await run(INIT);
  expect(exitCode).toBe(1);
  expect(stderr).toContain('ws://far.example:18789');
  expect(await fs.readdir(path.join(home, '.openclaw'))).toEqual(['openclaw.json']);
});

describe('asking another program', () => {
  it('ends it, and what it started, when its time is up', async () => {
    const { home } = await createComputer();
    const env = await createOpenclaw(`sleep 60 & echo $! > "${home}/pid"; wait`);
    const file = findProgram('openclaw', env) ?? '';
    const started = Date.now();
    const result = await queryProgram(file, [], { env, cwd: home, timeoutMs: 500 });
    expect(result).toEqual({ ended: false, reason: 'timeout' });
    expect(Date.now() - started).toBeLessThan(20_000);
    const pid = Number(await fs.readFile(path.join(home, 'pid'), 'utf8'));
    await expect.poll(() => isRunning(pid)).toBe(false);
  });

  it.each([
    ['', { ended: true, exitCode: 0, stdout: 'answer\n', stderr: '' }],
    ['; sleep 60', { ended: false, reason: 'timeout' }],
  ])('does not wait for what goes on by itself: %j', async (then, wanted) => {
    const { home } = await createComputer();
    const options = `{ detached: true, stdio: ["ignore", "inherit", "inherit"] }`;
    const leave = `const { pid } = require("child_process").spawn("sleep", ["60"], ${options});
      require("fs").writeFileSync("pid", String(pid)); process.exit()`;
    const env = await createOpenclaw(`echo answer; '${process.execPath}' -e '${leave}'${then}`);
    const file = findProgram('openclaw', env) ?? '';
    const started = Date.now();
    const result = await queryProgram(file, [], { env, cwd: home, timeoutMs: 4000 });
    process.kill(Number(await fs.readFile(path.join(home, 'pid'), 'utf8')));
    expect(result).toEqual(wanted);
    expect(Date.now() - started).toBeLessThan(20_000);
  });

  it('is not led by a folder of the PATH that is relative', async () => {
    expect(findProgram('openclaw', { PATH: '.:bin' })).toBeUndefined();
    expect(findProgram('sh', process.env)).toMatch(/\/sh$/);
  });

  it('that cannot be started is an answer too', async () => {
    const result = await queryProgram('/nowhere/openclaw', [], {
      env: {},
      cwd: '/',
      timeoutMs: 999,
    });
    expect(result).toEqual({ ended: false, reason: 'not-started' });
  });
});

/** Whether it does anything; one that has ended and was not yet waited for does not. */
function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(fs.readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}
