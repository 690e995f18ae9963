/** The end of the value that begins at a place, in a text that is known to be JSON. */
export function skipValue(text: string, start: number): number {
  let depth = 0;
  let at = start;
  do {
    const character = text[at];
    if (character === '"') at = skipString(text, at);
    else if (character === '{' || character === '[') {
      depth++;
      at++;
    } else if (character === '}' || character === ']') {
      depth--;
      at++;
    } else if (depth > 0) at++;
    else at = skipScalar(text, at);
  } while (depth > 0);
  return at;
}

const SCALAR = /[^\s,\]}]*/y;

function skipScalar(text: string, at: number): number {
  SCALAR.lastIndex = at;
  SCALAR.test(text);
  return SCALAR.lastIndex;
}

const BACKSLASH = 92;

export function skipString(text: string, quote: number): number {
  let end = quote;
  for (;;) {
    end = text.indexOf('"', end + 1);
    let backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return end + 1;
  }
}
