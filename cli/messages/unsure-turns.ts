import path from 'node:path';
import { isObject } from '../envelope/kinds.ts';
import { appendLines } from '../io/append-lines.ts';
import { errnoOf, type FileSystem, readFileIfThere } from '../io/files.ts';
import { replaceFile } from '../io/replace-file.ts';
import type { Place } from './conversation.ts';
import { nameSideFile } from './history-folder.ts';

/** A turn whose message may have arrived: the next one must not take its number. */
export interface UnsureTurn extends Required<Place> {
  /** Under which it may be repeated. */
  idempotency_key: string;
}

/** Lies beside the history of the peer, which has only what was accepted. */
export function readUnsureTurns(fs: FileSystem, folder: string, peer: string): UnsureTurn[] {
  const content = readFileIfThere(fs, fileOf(folder, peer));
  return (content?.toString('utf8') ?? '').split('\n').flatMap((text) => parse(text) ?? []);
}

/** Before it is sent: whoever is killed meanwhile has no other chance. */
export function noteUnsureTurn(fs: FileSystem, folder: string, peer: string, turn: UnsureTurn) {
  appendLines(fs, fileOf(folder, peer), [JSON.stringify(turn)]);
}

/** What became of it is known. If this fails, a number is left out, and nothing is lost. */
export function forgetUnsureTurn(fs: FileSystem, folder: string, peer: string, key: string) {
  const others = readUnsureTurns(fs, folder, peer).filter((it) => it.idempotency_key !== key);
  const file = fileOf(folder, peer);
  try {
    if (others.length === 0) fs.unlinkSync(file);
    else replaceFile(fs, file, Buffer.from(others.map((it) => `${JSON.stringify(it)}\n`).join('')));
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
  }
}

function fileOf(folder: string, peer: string): string {
  return path.join(folder, nameSideFile(peer, 'unknown'));
}

function parse(text: string): UnsureTurn | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) && Number.isSafeInteger(value.turn_number)
      ? (value as unknown as UnsureTurn)
      : undefined;
  } catch {
    return undefined; // torn by a power cut
  }
}
