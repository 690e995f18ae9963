import type { ProgramEnd, ProgramOptions } from '../../io/feed-program.ts';
import { formatMessageLine } from './format-message.ts';
import type { HandOver, HandOverFailure } from './hand-over.ts';

interface CommandSettings {
  command: readonly string[];
  timeoutMs: number;
  output: ProgramOptions['output'];
  run(command: readonly string[], options: ProgramOptions): Promise<ProgramEnd>;
}

/** Starts a program for each message, which gets it on its standard input. Exit code 0: taken. */
export function toCommand({ command, timeoutMs, output, run }: CommandSettings): HandOver {
  return {
    takes: 'one',
    async deliver(message) {
      const input = formatMessageLine(message);
      return readEnd(await run(command, { input, timeoutMs, output }), timeoutMs);
    },
  };
}

function readEnd(ended: ProgramEnd, timeoutMs: number): HandOverFailure | undefined {
  switch (ended.end) {
    case 'exit':
      return ended.code === 0 ? undefined : { reason: 'exit', code: ended.code };
    case 'signal':
      return { reason: 'signal', signal: ended.signal };
    case 'timeout':
      return { reason: 'timeout', seconds: timeoutMs / 1000 };
    default:
      return { reason: 'not-started', detail: ended.errno };
  }
}
