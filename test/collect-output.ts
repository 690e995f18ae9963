import { type OutputStream, PLAIN } from '../cli/io/terminal.ts';

/** A terminal that keeps what is written to it. */
export function collectOutput(): OutputStream & { text: string } {
  return {
    text: '',
    isTTY: true,
    columns: 80,
    colors: PLAIN,
    write(text) {
      this.text += text;
    },
  };
}
