import type { Readable, Writable } from 'node:stream';
import { isCancel, select } from '@clack/prompts';
import { CliError } from '../errors.ts';

interface Choice {
  value: string;
  label: string;
}

/** Asks for one of the choices. Ctrl-C and Escape cancel the run. */
export async function askChoice(
  streams: { input: Readable; output: Writable },
  question: { message: string; choices: readonly Choice[]; suggested: string },
): Promise<string> {
  const answer = await select({
    ...streams,
    message: question.message,
    options: [...question.choices],
    initialValue: question.suggested,
    // Its own are in English only; the question tells which keys to press.
    showInstructions: false,
  });
  if (isCancel(answer)) throw new CliError('cancelled');
  return answer;
}
