import { CliError } from '../errors.ts';

/** A hub's address. Plain http carries the key in the clear: only to this machine, or on demand. */
export function parseHubUrl(text: string, { insecure = false } = {}): URL {
  const url = parseHttpUrl(text);
  if (url === undefined) {
    throw new CliError('bad-hub-url', { given: text, ...suggestUrl(text) });
  }
  if (!insecure && !isSafeUrl(url)) throw new CliError('hub-insecure', { url: text });
  return url;
}

export function isSafeUrl(url: URL): boolean {
  return url.protocol === 'https:' || isLoopback(url.hostname);
}

/** As it is kept in credentials: without the slash that the URL class adds. */
export function formatHubUrl(url: URL): string {
  return url.href.replace(/\/+$/, '');
}

export function isLoopback(hostname: string): boolean {
  const name = hostname.toLowerCase();
  return (
    name === 'localhost' ||
    name.endsWith('.localhost') ||
    name === '[::1]' ||
    /^127\.\d+\.\d+\.\d+$/.test(name)
  );
}

function parseHttpUrl(text: string): URL | undefined {
  // The URL class drops line breaks and blanks without a word.
  if (/[\s\p{Cc}]/u.test(text) || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  const isPlain = url.username === '' && url.password === '' && !/[?#]/.test(text);
  return /^https?:$/.test(url.protocol) && isPlain ? url : undefined;
}

function suggestUrl(text: string): { nearest?: string } {
  const rest = text.replace(/^[a-z]*:?\/\//i, '');
  const url = /^[\w./:@-]+$/.test(text) ? parseHttpUrl(`https://${rest}`) : undefined;
  if (url === undefined) return {};
  // A hub on this machine has no certificate.
  return { nearest: `${isLoopback(url.hostname) ? 'http' : 'https'}://${rest}` };
}
