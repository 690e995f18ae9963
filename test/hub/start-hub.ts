import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import { binary } from '../run-binary.ts';

interface StartOptions {
  /** Beyond `hub --port 0 --json`; `--memory` unless there is a `--data`. */
  args?: readonly string[];
  env?: Readonly<Record<string, string>>;
  /** Whether the limits that get in the way of a test are lifted; they are, unless told not to. */
  lifted?: boolean;
}

interface StartedHub {
  url: string;
  /** The same, unless there is a `--url`. */
  listens: string;
  /** What addresses on it end in. */
  name: string;
  pid: number;
  /** What it has logged so far: a JSON text for each line. */
  log: readonly string[];
  /** Ends it as an operator does; resolves with the exit code. */
  stop(signal?: 'SIGTERM' | 'SIGINT'): Promise<number | null>;
  /** Ends it without any warning. */
  kill(): Promise<void>;
}

const LIFTED = ['--rate-messages', '--rate-requests', '--rate-registrations'].flatMap((flag) => [
  flag,
  '1000000',
]);

/** The built program's hub in a process of its own; ends with the test at the latest. */
export async function startHub(options: StartOptions = {}): Promise<StartedHub> {
  const hub = await spawnHub(options);
  onTestFinished(() => hub.kill());
  return hub;
}

async function spawnHub({
  args = [],
  env = {},
  lifted = true,
}: StartOptions = {}): Promise<StartedHub> {
  const { PATH = '' } = process.env;
  const store = args.includes('--data') ? [] : ['--memory'];
  const child = spawn(
    process.execPath,
    [binary, 'hub', '--port', '0', '--json', ...store, ...(lifted ? LIFTED : []), ...args],
    { env: { PATH, ...env }, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const log: string[] = [];
  createInterface({ input: child.stderr }).on('line', (line) => log.push(line));
  const ready = await readFirstLine(child, exited, log);
  return {
    url: ready.url,
    listens: ready.listens,
    name: ready.name,
    pid: child.pid ?? 0,
    log,
    stop: (signal = 'SIGTERM') => {
      child.kill(signal);
      return exited;
    },
    kill: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

async function readFirstLine(
  child: ChildProcess,
  exited: Promise<number | null>,
  log: readonly string[],
): Promise<Pick<StartedHub, 'url' | 'listens' | 'name'>> {
  if (child.stdout === null) throw new Error('the hub has no output');
  const lines = createInterface({ input: child.stdout });
  const output: string[] = [];
  const first = new Promise<string>((resolve) => {
    lines.on('line', (line) => {
      output.push(line);
      resolve(line);
    });
  });
  const line = await Promise.race([first, exited]);
  if (typeof line !== 'string' || !line.startsWith('{"ok":true')) {
    await exited;
    throw new Error(`the hub did not start (${child.exitCode}): ${[...output, ...log].join('\n')}`);
  }
  return JSON.parse(line);
}
