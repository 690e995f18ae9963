import { type Colors, stripControls } from '../io/terminal.ts';
import { showInline } from './formats/format.ts';
import { maskSecrets } from './mask-secrets.ts';

const CONTEXT = 2;

/** The lines that differ between two texts with the same number of lines, as a unified diff. */
export function formatDiff(name: string, before: string, after: string, colors: Colors): string {
  const old = maskSecrets(before).split('\n');
  const now = maskSecrets(after).split('\n');
  const changed = old.flatMap((line, index) => (line === now[index] ? [] : [index]));
  const shown = showInline(name);
  const lines = [colors.bold(`--- ${shown}`), colors.bold(`+++ ${shown}`)];
  for (let at = 0; at < changed.length; ) {
    const first = Math.max(0, (changed[at] ?? 0) - CONTEXT);
    let last = (changed[at] ?? 0) + CONTEXT;
    for (at++; at < changed.length && (changed[at] ?? 0) - CONTEXT <= last + 1; at++) {
      last = (changed[at] ?? 0) + CONTEXT;
    }
    last = Math.min(last, old.length - 1);
    const size = last - first + 1;
    lines.push(colors.cyan(`@@ -${first + 1},${size} +${first + 1},${size} @@`));
    for (let index = first; index <= last; index++) {
      const [was = '', is = ''] = [old[index], now[index]].map((line) => stripControls(line ?? ''));
      if (was === is) lines.push(` ${was}`);
      else lines.push(colors.red(`-${was}`), colors.green(`+${is}`));
    }
  }
  return `${lines.join('\n')}\n`;
}
