import type { Readable, Writable } from 'node:stream';
import { confirm, isCancel, multiselect, select, text } from '@clack/prompts';
import { CliError } from '../errors.ts';

const SHOW_CURSOR = '\u001b[?25h';

interface Streams {
  input: Readable;
  output: Writable;
}

interface Choice {
  value: string;
  label: string;
}

/** Asks for one of the choices. */
export function askChoice(
  streams: Streams,
  question: { message: string; choices: readonly Choice[]; suggested: string },
): Promise<string> {
  return ask<string>(streams, (common) =>
    select({
      ...common,
      message: question.message,
      options: [...question.choices],
      initialValue: question.suggested,
      // Its own are in English only; the question tells which keys to press.
      showInstructions: false,
    }),
  );
}

interface SeveralQuestion {
  message: string;
  choices: readonly Choice[];
  suggested: readonly string[];
  /** Said to an empty answer. */
  needed: string;
}

/** Asks for at least one of the choices. */
export async function askSeveral(streams: Streams, question: SeveralQuestion): Promise<string[]> {
  let { message } = question;
  let answer: string[] = [];
  while (answer.length === 0) {
    answer = await ask<string[]>(streams, (common) =>
      multiselect({
        ...common,
        message,
        options: [...question.choices],
        initialValues: [...question.suggested],
        // Its complaint about an empty answer is in English only: we ask again.
        required: false,
        showInstructions: false,
      }),
    );
    message = question.needed;
  }
  return answer;
}

/** Asks for a line of text; `check` says what is wrong with it, if anything is. */
export function askText(
  streams: Streams,
  question: {
    message: string;
    suggested?: string | undefined;
    check: (answer: string) => string | undefined;
  },
): Promise<string> {
  const { message, suggested, check } = question;
  return ask<string>(streams, (common) =>
    text({
      ...common,
      message,
      ...(suggested === undefined ? {} : { initialValue: suggested }),
      validate: (answer) => check(answer ?? ''),
    }),
  );
}

export function askConfirmation(
  streams: Streams,
  question: { message: string; yes: string; no: string; suggested: boolean },
): Promise<boolean> {
  return ask<boolean>(streams, (common) =>
    confirm({
      ...common,
      message: question.message,
      active: question.yes,
      inactive: question.no,
      initialValue: question.suggested,
    }),
  );
}

/** Ctrl-C, Escape and the end of the input cancel the run. */
async function ask<Answer>(
  streams: Streams,
  prompt: (common: Streams & { signal: AbortSignal }) => Promise<Answer | symbol>,
): Promise<Answer> {
  // Where the input ends (Ctrl-D, a lost connection) nobody will answer any more.
  const ended = new AbortController();
  const stop = () => ended.abort();
  const showCursor = () => streams.output.write(SHOW_CURSOR);
  streams.input.once('end', stop);
  process.once('exit', showCursor);
  const answer = await prompt({ ...streams, signal: ended.signal });
  streams.input.off('end', stop);
  process.off('exit', showCursor);
  if (isCancel(answer)) throw new CliError('cancelled');
  return answer as Answer;
}
