import path from 'node:path';
import fs from 'fs-extra';
import { makeFolder, runBinary } from '../run-binary.ts';

/** A user's computer: a home folder and a project in it. */
export interface Computer {
  home: string;
  project: string;
  /** Runs the program in the project. */
  run(args: readonly string[], env?: Record<string, string>): ReturnType<typeof runBinary>;
  /** The same with `--json`, parsed. */
  json(args: readonly string[], env?: Record<string, string>): Promise<JsonRun>;
}

// biome-ignore lint/suspicious/noExplicitAny: the tests say what they expect in it
type JsonRun = { exitCode: number | undefined; value: any };

export async function createComputer(): Promise<Computer> {
  const home = path.join(await makeFolder(), 'home');
  const project = path.join(home, 'code/project');
  await fs.ensureDir(project);
  const run: Computer['run'] = (args, env) =>
    runBinary(args, { cwd: project, env: { HOME: home, ...env } });
  return {
    home,
    project,
    run,
    json: async (args, env) => {
      const { exitCode, stdout } = await run([...args, '--json'], env);
      return { exitCode, value: JSON.parse(stdout) };
    },
  };
}

/** A program called `openclaw` that prints this, to be put on the PATH. */
export async function createOpenclaw(script: string): Promise<{ PATH: string }> {
  const folder = await makeFolder();
  const file = path.join(folder, 'openclaw');
  await fs.writeFile(file, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return { PATH: `${folder}${path.delimiter}${process.env.PATH}` };
}
