import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { execaNode } from 'execa';
import fs from 'fs-extra';
import { onTestFinished } from 'vitest';
import { binary, makeFolder } from '../run-binary.ts';

interface Profile {
  url: string;
  /** What addresses on the hub end in. */
  host?: string;
  culture?: string;
}

/** An agent with a folder and an identity of its own; its commands run as real processes. */
export interface Agent {
  id: string;
  folder: string;
  key: string;
  run(args: readonly string[], options?: RunOptions): Promise<Result>;
  /** The result of a command with `--json`. */
  // biome-ignore lint/suspicious/noExplicitAny: what comes back is the test's to look at
  json(args: readonly string[], options?: RunOptions): Promise<any>;
  start(args: readonly string[], options?: StartOptions): Running;
  /** Every line of its history with a peer. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  history(peer: string): Promise<any[]>;
  /** Lets the credentials point to another address of the same hub. */
  moveTo(url: string): Promise<void>;
}

interface RunOptions {
  input?: string;
  env?: Record<string, string>;
}

interface StartOptions extends RunOptions {
  stdin?: 'ignore' | 'pipe';
}

interface Result {
  exitCode: number | undefined;
  stdout: string;
  stderr: string;
}

/** A command that goes on. */
export interface Running {
  pid: number;
  lines: readonly string[];
  stderr(): string;
  /** Resolves when the output has so many lines, or when the condition holds. */
  until(condition: number | ((lines: readonly string[]) => boolean)): Promise<void>;
  /** Resolves when standard error says so. */
  untilSays(text: string): Promise<void>;
  stop(signal?: NodeJS.Signals): Promise<number | null>;
  exited: Promise<number | null>;
  /** Resolves when its standard input has taken all of it. */
  write(text: string): Promise<void>;
  /** As a reader does who has heard enough. */
  closeOutput(): void;
}

const { PATH = '' } = process.env;

/** Sends without a process for each message, for tests of the receiving. */
export async function post(
  hub: string,
  sender: Agent,
  receiver: Agent,
  text: string,
): Promise<void> {
  const answer = await fetch(`${hub}/messages`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${sender.key}` },
    body: JSON.stringify({
      receiver_id: receiver.id,
      envelope: {
        chorus_version: '0.4',
        sender_id: sender.id,
        original_text: text,
        sender_culture: 'en-GB',
      },
    }),
  });
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
}

/** Resolves when the condition holds; for what cannot be listened to. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 10));
}

/** Registers with the hub and keeps the credentials, as `register` does. */
export async function makeAgent(name: string, profile: Profile): Promise<Agent> {
  const { url, host = 'localhost', culture = 'en-GB' } = profile;
  const id = `${name}@${host}`;
  const card = { card_version: '0.3', user_culture: culture, supported_languages: [culture] };
  const answer = await fetch(`${url}/register`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ agent_id: id, agent_card: card }),
  });
  const { data } = (await answer.json()) as { data: { api_key: string } };
  return openAgent(id, data.api_key, url, culture);
}

export async function openAgent(
  id: string,
  key: string,
  url: string,
  culture: string | undefined = 'en-GB',
): Promise<Agent> {
  const folder = await makeFolder();
  const write = (hub: string) =>
    fs.writeJson(
      path.join(folder, 'chorus-credentials.json'),
      {
        agent_id: id,
        api_key: key,
        hub_url: hub,
        ...(culture === '' ? {} : { user_culture: culture }),
      },
      { mode: 0o600 },
    );
  await write(url);
  const settings = (env: Record<string, string> = {}) => ({
    cwd: folder,
    env: { PATH, HOME: folder, ...env },
  });
  const run: Agent['run'] = async (args, { input = '', env } = {}) => {
    const result = await execaNode(binary, args, {
      ...settings(env),
      extendEnv: false,
      reject: false,
      input,
      stripFinalNewline: false,
    });
    return { exitCode: result.exitCode, stdout: result.stdout, stderr: result.stderr };
  };
  return {
    id,
    folder,
    key,
    run,
    json: async (args, options) => JSON.parse((await run([...args, '--json'], options)).stdout),
    start: (args, { env, stdin = 'ignore' } = {}) =>
      watch(
        spawn(process.execPath, [binary, ...args], {
          ...settings(env),
          stdio: [stdin, 'pipe', 'pipe'],
        }),
      ),
    history: async (peer) => readLines(path.join(folder, 'chorus-history', `${peer}.jsonl`)),
    moveTo: write,
  };
}

// biome-ignore lint/suspicious/noExplicitAny: what is in the lines is the test's to look at
export async function readLines(file: string): Promise<any[]> {
  if (!(await fs.pathExists(file))) return [];
  const text = await fs.readFile(file, 'utf8');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

function watch(child: ChildProcess): Running {
  if (child.stdout === null || child.stderr === null) throw new Error('no output');
  const lines: string[] = [];
  let told = '';
  const watchers = new Set<() => void>();
  const tell = () => {
    for (const watcher of watchers) watcher();
  };
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(line);
    tell();
  });
  child.stderr.on('data', (chunk) => {
    told += chunk;
    tell();
  });
  const exited = new Promise<number | null>((resolve) => child.once('close', resolve));
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await exited;
  });
  const waitFor = (condition: () => boolean) =>
    new Promise<void>((resolve, reject) => {
      const look = () => {
        if (!condition()) return;
        watchers.delete(look);
        resolve();
      };
      watchers.add(look);
      look();
      void exited.then((code) => {
        look();
        reject(new Error(`it ended with ${code} before that: ${told}`));
      });
    });
  return {
    pid: child.pid ?? 0,
    lines,
    stderr: () => told,
    until: (condition) =>
      waitFor(() => (typeof condition === 'number' ? lines.length >= condition : condition(lines))),
    untilSays: (text) => waitFor(() => told.includes(text)),
    stop: (signal = 'SIGTERM') => {
      child.kill(signal);
      return exited;
    },
    exited,
    write: (text) => new Promise((resolve) => child.stdin?.write(text, () => resolve())),
    closeOutput: () => child.stdout?.destroy(),
  };
}
