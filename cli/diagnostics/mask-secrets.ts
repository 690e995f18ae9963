import { KEY_PREFIX } from '../protocol/constants.ts';

const KEY = new RegExp(`(\\b${KEY_PREFIX})[\\w-]+|("api_key"\\s*:\\s*")(?:[^"\\\\]|\\\\.)+`, 'g');

/** A text to show, with dots in the place of keys: as long as before, so that places stay right. */
export function maskSecrets(text: string): string {
  if (!text.includes(KEY_PREFIX) && !text.includes('api_key')) return text;
  return text.replace(KEY, (whole, prefix = '', field = '') => {
    const kept = prefix || field;
    return kept + '•'.repeat(whole.length - kept.length);
  });
}
