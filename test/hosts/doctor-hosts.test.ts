import path from 'node:path';
import fs from 'fs-extra';
import { expect, it } from 'vitest';
import { createComputer, createOpenclaw } from './computer.ts';

interface Told {
  id: string;
  group: string;
  outcome: string;
  code: string;
}

it('the doctor waits for OpenClaw no longer than it is given', async () => {
  const { run } = await createComputer();
  await run(['init', '--target', 'openclaw']);
  const env = await createOpenclaw('sleep 25');
  const started = Date.now();
  const { stdout } = await run(['doctor', '--offline', '--timeout', '1'], env);
  expect(stdout).toContain('Not done within 1 s');
  expect(Date.now() - started).toBeLessThan(20_000);
});

it('the doctor reports on every host that has the skill, and asks OpenClaw', async () => {
  const { home, project, json, run } = await createComputer();
  const ask = async (env?: Record<string, string>) => {
    const { value } = await json(['doctor', '--offline'], env);
    const told: Told[] = value.checks.filter((it: Told) => it.group === 'hosts');
    return Object.fromEntries(told.map(({ id, outcome, code }) => [id, `${outcome} ${code}`]));
  };
  expect(await ask()).toEqual({});

  await run(['init', '--target', 'claude-code,codex,openclaw,local']);
  await run(['init', '--target', 'claude-user']);
  const fine = {
    'host-claude-code-project': 'pass host-ok',
    'host-claude-code-user': 'pass host-ok',
    'host-codex-project': 'pass host-ok',
    'host-openclaw-project-main': 'pass host-not-asked',
  };
  expect(await ask()).toEqual(fine);

  await fs.remove(path.join(project, '.agents/skills/chorus/PROTOCOL.md'));
  await fs.copy(
    path.join(project, '.claude/skills/chorus'),
    path.join(project, '.claude/skills/copy'),
  );
  await fs.outputFile(
    path.join(home, '.openclaw/openclaw.json'),
    '{agents: {defaults: {skills: []}}}',
  );
  expect(await ask()).toEqual({
    ...fine,
    'host-claude-code-project': 'warn host-shadowed',
    'host-codex-project': 'warn host-damaged',
    'host-openclaw-project-main': 'fail host-hidden',
  });

  const filePath = path.join(home, '.openclaw/workspace/skills/chorus/SKILL.md');
  for (const [script, wanted] of [
    [`echo '${JSON.stringify({ filePath, modelVisible: true })}'`, 'pass host-visible'],
    [`echo '${JSON.stringify({ filePath, disabled: true })}'`, 'fail host-disabled'],
    [`echo '{"filePath": "/elsewhere/SKILL.md"}'`, 'fail host-shadowed'],
    [`echo '{"error": {"message": "not found"}}'`, 'fail host-unseen'],
    ['exit 1', 'warn host-unknown'],
  ]) {
    const told = await ask(await createOpenclaw(script ?? ''));
    expect(told['host-openclaw-project-main']).toBe(wanted);
  }
  const { stdout, stderr } = await run(['doctor', '--offline', '--ui-lang', 'zh-CN']);
  expect(stdout).toContain('openclaw config set agents.defaults.skills \'["chorus"]\'');
  expect(stderr).toBe('');
});
