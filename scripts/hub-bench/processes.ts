import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';

const root = path.dirname(path.dirname(import.meta.dirname));
const jiti = path.join(root, 'node_modules/jiti/lib/jiti-cli.mjs');

export interface Server {
  port: number;
  pid: number;
  stop(): Promise<void>;
}

/** The built hub, with limits that do not get in the way. */
export function startHub(folder: string): Promise<Server> {
  const lifted = ['max-waiting', 'max-inboxes', 'rate-messages', 'rate-requests'];
  return startServer([
    path.join(root, 'dist/bin.cjs'),
    ...['hub', '--json', '--port', '0', '--data', folder, '--rate-registrations', '1000000'],
    ...lifted.flatMap((name) => [`--${name}`, name === 'max-inboxes' ? '10000' : '1000000000']),
  ]);
}

export function startBareServer(file: string, keys: readonly string[]): Promise<Server> {
  return startServer([jiti, path.join(import.meta.dirname, 'bare-server.ts'), file, keys.join()]);
}

/** Starts a server that prints a line of JSON with its URL when it is ready. */
async function startServer(args: readonly string[]): Promise<Server> {
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'ignore'] });
  const { value } = await readLines(child).next();
  if (typeof value !== 'string') throw new Error('the server did not start');
  return {
    port: Number(new URL(JSON.parse(value).url).port),
    pid: child.pid ?? 0,
    stop: () => endProcess(child),
  };
}

/** Another script of this folder in a process of its own. */
export function startScript(name: string, args: readonly string[]): ChildProcess {
  return spawn(process.execPath, [jiti, path.join(import.meta.dirname, name), ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

export async function* readLines(child: ChildProcess): AsyncGenerator<string, undefined> {
  if (child.stdout !== null) yield* createInterface({ input: child.stdout });
}

export function endProcess(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill('SIGTERM');
  });
}

/** Processor time so far, in milliseconds. Only Linux tells it of another process. */
export function readCpu(pid: number): number {
  const fields = fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  // User and system time, in ticks of 10 ms.
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** Resident memory in megabytes. */
export function readMemory(pid: number): number {
  const status = fs.readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}
