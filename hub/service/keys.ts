import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { KEY_PREFIX } from '../../cli/protocol/constants.ts';

export function createKey(): string {
  return KEY_PREFIX + randomBytes(32).toString('base64url');
}

/** Keys are random, so a plain hash is enough: there is nothing to guess from it. */
export function hashKey(key: string): string {
  return createHash('sha256').update(key).digest('base64');
}

export function isSameHash(one: string, other: string): boolean {
  const [first, second] = [Buffer.from(one), Buffer.from(other)];
  return first.length === second.length && timingSafeEqual(first, second);
}

/** The key of an `Authorization: Bearer` header. */
export function readBearer(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  return /^bearer +([\x21-\x7e]{1,512}) *$/i.exec(header)?.[1];
}
