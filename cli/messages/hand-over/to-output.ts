import { CliError } from '../../errors.ts';
import type { OutputStream } from '../../io/terminal.ts';
import type { InboxMessage } from '../inbox-message.ts';
import type { HandOver } from './hand-over.ts';

/** Writes messages to standard output. A reader who has left did not get them. */
export function toOutput(
  output: OutputStream,
  format: (message: InboxMessage) => string,
): HandOver {
  return {
    takes: 'many',
    deliver(messages) {
      output.write(messages.map(format).join(''));
      if (output.isClosed) throw new CliError('output-failed', { errno: 'EPIPE' });
    },
  };
}
