/**
 * A command as a person writes it, as the program and its arguments: blanks part them, quotes
 * hold them together. There is no shell: nothing else has a meaning. Nothing for an open quote.
 */
export function parseCommand(text: string, isWindows: boolean): string[] | undefined {
  // Paths of Windows are full of backslashes.
  const word = isWindows ? PLAIN_BACKSLASH : WITH_ESCAPES;
  const words: string[] = [];
  let rest = text.trim();
  while (rest !== '') {
    const [whole] = word.exec(rest) ?? [];
    if (whole === undefined) return undefined;
    words.push(unquote(whole, isWindows));
    const after = rest.slice(whole.length);
    if (after !== '' && !/^\s/.test(after)) return undefined;
    rest = after.trimStart();
  }
  return words;
}

const WITH_ESCAPES = /^(?:[^\s"'\\]|\\.|'[^']*'|"(?:[^"\\]|\\.)*")+/s;
const PLAIN_BACKSLASH = /^(?:[^\s"']|'[^']*'|"[^"]*")+/s;

function unquote(word: string, isWindows: boolean): string {
  return word.replace(
    /'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)/gs,
    (whole, single?: string, double?: string, escaped?: string) => {
      if (single !== undefined) return single;
      if (double !== undefined) return isWindows ? double : double.replace(/\\(["\\$`])/g, '$1');
      return isWindows ? whole : (escaped ?? '');
    },
  );
}
