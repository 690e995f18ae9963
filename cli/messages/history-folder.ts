import { createHash } from 'node:crypto';
import path from 'node:path';
import { appendLines, repairTail } from '../io/append-lines.ts';
import { errnoOf, type FileSystem } from '../io/files.ts';
import { readParts } from '../io/read-text.ts';
import { HISTORY_FOLDER } from '../protocol/constants.ts';
import { formatHistoryLine, type HistoryLine, parseHistoryLine } from './history-line.ts';

const EXTENSION = '.jsonl';
/** File systems take 255 bytes; an address may be longer. */
const MAX_NAME = 200;

/** A line that is no history; it stays in its file. */
export interface DamagedLine {
  file: string;
  line: number;
}

export interface HistoryFolder {
  readonly folder: string;
  /** Returns when the lines are on disk. */
  append(lines: readonly HistoryLine[]): void;
  /** Of one peer, or of all; each file from its beginning. */
  read(peer?: string, report?: (damaged: DamagedLine) => void): Generator<HistoryLine>;
  /** Makes ready for writing; ends the lines that a power cut left torn. */
  prepare(): void;
}

/** `chorus-history/` beside the credentials. */
export function openHistory(fs: FileSystem, credentialsFolder: string): HistoryFolder {
  const folder = path.join(credentialsFolder, HISTORY_FOLDER);
  const fileOf = (peer: string) => path.join(folder, nameHistoryFile(peer));
  return {
    folder,
    append(lines) {
      const byFile = new Map<string, string[]>();
      for (const line of lines) {
        const file = fileOf(line.peer);
        const texts = byFile.get(file) ?? [];
        texts.push(formatHistoryLine(line));
        byFile.set(file, texts);
      }
      for (const [file, texts] of byFile) appendLines(fs, file, texts);
    },
    *read(peer, report) {
      for (const file of listFiles(fs, folder)) {
        if (peer !== undefined && !isSameName(path.basename(file), nameHistoryFile(peer))) continue;
        for (const line of readFile(fs, file, report)) {
          // Two addresses may share a file.
          if (peer === undefined || isSameName(line.peer, peer)) yield line;
        }
      }
    },
    prepare() {
      fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
      for (const file of listFiles(fs, folder)) repairTail(fs, file);
    },
  };
}

/** To whom people write as Lin and as lin is the same agent to a hub, and one file on some disks. */
export function isSameName(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/** Whatever the address is, the name stays inside the folder. */
export function nameHistoryFile(peer: string): string {
  const name = peer.replace(/[^a-zA-Z0-9._@-]/g, '_');
  if (name.length <= MAX_NAME) return `${name}${EXTENSION}`;
  const digest = createHash('sha256').update(peer).digest('hex').slice(0, 16);
  return `${name.slice(0, MAX_NAME - digest.length - 1)}-${digest}${EXTENSION}`;
}

/** What is kept beside the history of a peer: one file, however the peer is spelt. */
export function nameSideFile(peer: string, extension: string): string {
  return `${nameHistoryFile(peer.toLowerCase())}.${extension}`;
}

function listFiles(fs: FileSystem, folder: string): string[] {
  try {
    return fs
      .readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith(EXTENSION))
      .map((entry) => path.join(folder, entry.name))
      .sort();
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return [];
    throw error;
  }
}

function* readFile(
  fs: FileSystem,
  file: string,
  report?: (damaged: DamagedLine) => void,
): Generator<HistoryLine> {
  if (fs.statSync(file, { throwIfNoEntry: false }) === undefined) return;
  for (const { content, firstLine } of readParts(fs, { path: file, file, isStream: false })) {
    let number = firstLine;
    for (const text of content.toString('utf8').split('\n')) {
      if (text.trim() !== '') {
        const line = parseHistoryLine(text);
        if (line !== undefined) yield line;
        else report?.({ file, line: number });
      }
      number++;
    }
  }
}
