#!/usr/bin/env node
import { createContext } from './context.ts';
import { listenForStop } from './io/stop-signal.ts';
import { packageRoot } from './package-root.ts';
import { runCli } from './run.ts';

const takeStopSignal = listenForStop();

async function main(): Promise<void> {
  // Should nothing be left to do before the run has ended, that is a bug and no success.
  process.exitCode = 70;
  process.exitCode = await runCli(
    process.argv.slice(2),
    await createContext(packageRoot, takeStopSignal),
  );
}

main();
