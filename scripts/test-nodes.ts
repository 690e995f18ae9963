import os from 'node:os';
import path from 'node:path';
import { execa } from 'execa';
import fs from 'fs-extra';
import { provideNode } from './provide-package.ts';

/** Runs the built program on every Node line it promises to run on. */
const LINES = ['20', '22', '24'];
const root = path.dirname(import.meta.dirname);
const bin = path.join(root, 'dist/bin.cjs');
const vitest = path.join(root, 'node_modules/vitest/vitest.mjs');
const HUB_TESTS = ['stores', 'messages', 'lifecycle', 'crash'].map(
  (it) => `test/hub/${it}.test.ts`,
);
/** Sockets, signals and child processes differ between lines. */
const INBOX_TESTS = ['test/messages/inbox.test.ts'];

const scratch = await fs.mkdtemp(path.join(os.tmpdir(), 'chorus-nodes-'));
try {
  for (const line of LINES) {
    const node = await provideNode(line);
    const { stdout: version } = await execa(node, ['--version']);
    if (!version.startsWith(`v${line}.`)) throw new Error(`wanted Node ${line}, got ${version}`);
    await smokeTest(node, path.join(scratch, line));
    // Where the hub's database comes from depends on the Node.
    await execa(node, [vitest, 'run', ...HUB_TESTS, ...INBOX_TESTS], {
      cwd: root,
      stdio: ['ignore', 2, 2],
    });
    console.log(`Node ${version}: ok`);
  }
} finally {
  await fs.remove(scratch);
}

async function smokeTest(node: string, folder: string): Promise<void> {
  await fs.ensureDir(folder);
  const run = (args: string[]) => execa(node, [bin, ...args], { cwd: folder, reject: false });
  const { version } = await fs.readJson(path.join(root, 'package.json'));

  expectEqual(await run(['--version']), { exitCode: 0, stdout: version });
  expectEqual(await run(['init', '--lang', 'zh-CN', '--yes']), { exitCode: 0, stderr: '' });
  for (const name of ['SKILL.md', 'PROTOCOL.md', 'TRANSPORT.md']) {
    const wanted = await fs.readFile(path.join(root, 'templates/zh-CN', name), 'utf8');
    const written = await fs.readFile(path.join(folder, 'chorus', name), 'utf8');
    expectEqual({ written }, { written: wanted });
  }
  expectEqual(await run(['init']), { exitCode: 1, stdout: '' });
  expectEqual(await run(['init', '--force']), { exitCode: 0, stderr: '' });
  expectEqual(await run(['init', '--lang', 'xx']), { exitCode: 2, stdout: '' });
  expectEqual(await run(['help', 'init']), { exitCode: 0, stderr: '' });

  expectEqual(await run(['validate', '--strict', 'chorus']), { exitCode: 0, stderr: '' });
  const schema = ['--schema', 'chorus/envelope.schema.json', 'chorus/.chorus-skill.json'];
  expectEqual(await run(['validate', ...schema]), { exitCode: 1, stderr: '' });
  await fs.writeFile(path.join(folder, 'bad.jsonl'), '{"sender_id": "\\ud800"}\n{\n\xff');
  expectEqual(await run(['validate', 'bad.jsonl']), { exitCode: 1, stderr: '' });
}

function expectEqual(actual: object, wanted: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(wanted)) {
    const got = (actual as Record<string, unknown>)[name];
    if (got !== value) throw new Error(`${name}: wanted ${String(value)}, got ${String(got)}`);
  }
}
