import path from 'node:path';
import { isObject } from '../envelope/kinds.ts';
import { appendLines } from '../io/append-lines.ts';
import { errnoOf, type FileSystem, readFileIfThere } from '../io/files.ts';
import type { Place } from './conversation.ts';
import { nameHistoryFile } from './history-folder.ts';

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

/** That it cannot be noted is no reason to keep silent about the message. */
export function noteUnsureTurn(fs: FileSystem, folder: string, peer: string, turn: UnsureTurn) {
  try {
    appendLines(fs, fileOf(folder, peer), [JSON.stringify(turn)]);
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
  }
}

function fileOf(folder: string, peer: string): string {
  return path.join(folder, `${nameHistoryFile(peer)}.unknown`);
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
