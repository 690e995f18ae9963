#!/usr/bin/env node
import { createContext } from './context.ts';
import { packageRoot } from './package-root.ts';
import { runCli } from './run.ts';

// A handler keeps a signal from ending the process in the middle of a write.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130));

async function main(): Promise<void> {
  // Should nothing be left to do before the run has ended, that is a bug and no success.
  process.exitCode = 70;
  process.exitCode = await runCli(process.argv.slice(2), await createContext(packageRoot));
}

main();
