import path from 'node:path';
import fs from 'fs-extra';
import { expect, it } from 'vitest';
import { makeFolder, runBinary } from '../run-binary.ts';

it('says that --data names a file, and leaves it as it is', async () => {
  const cwd = await makeFolder();
  await fs.writeFile(path.join(cwd, 'notes'), 'mine');
  const run = await runBinary(['hub', '--data', 'notes', '--port', '0', '--json'], { cwd });
  expect(run.exitCode).toBe(1);
  expect(JSON.parse(run.stdout).error.code).toBe('not-a-folder');
  expect(await fs.readFile(path.join(cwd, 'notes'), 'utf8')).toBe('mine');
});
