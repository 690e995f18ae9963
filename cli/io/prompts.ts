import type { Readable, Writable } from 'node:stream';
import { isCancel, select } from '@clack/prompts';
import { CliError } from '../errors.ts';

const SHOW_CURSOR = '\u001b[?25h';

interface Choice {
  value: string;
  label: string;
}

/** Asks for one of the choices. Ctrl-C and Escape cancel the run. */
export async function askChoice(
  streams: { input: Readable; output: Writable },
  question: { message: string; choices: readonly Choice[]; suggested: string },
): Promise<string> {
  // Where the input ends (Ctrl-D, a lost connection) nobody will answer any more.
  const ended = new AbortController();
  const stop = () => ended.abort();
  const showCursor = () => streams.output.write(SHOW_CURSOR);
  streams.input.once('end', stop);
  process.once('exit', showCursor);
  const answer = await select({
    ...streams,
    signal: ended.signal,
    message: question.message,
    options: [...question.choices],
    initialValue: question.suggested,
    // Its own are in English only; the question tells which keys to press.
    showInstructions: false,
  });
  streams.input.off('end', stop);
  process.off('exit', showCursor);
  if (isCancel(answer)) throw new CliError('cancelled');
  return answer;
}
