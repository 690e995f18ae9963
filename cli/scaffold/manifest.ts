import { createHash } from 'node:crypto';
import { type FileContent, isInsidePath } from '../io/files.ts';
import { PROTOCOL_VERSION } from '../protocol/constants.ts';

/** Lies in every installed folder: tells untouched files from changed ones. */
export const MANIFEST_FILE = '.chorus-skill.json';

export interface Manifest {
  package: string;
  version: string;
  protocol: string;
  language: string;
  /** Path → SHA-256 of what we wrote. */
  files: Readonly<Record<string, string>>;
}

export function hashContent(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}

export function createManifest(
  { name, version }: { name: string; version: string },
  language: string,
  files: readonly FileContent[],
): Manifest {
  return {
    package: name,
    version,
    protocol: PROTOCOL_VERSION,
    language,
    files: Object.fromEntries(files.map((file) => [file.path, hashContent(file.content)])),
  };
}

export function formatManifest(manifest: Manifest): Buffer {
  return Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`);
}

/** Undefined for anything that is not a manifest of ours, so that its word is not taken. */
export function parseManifest(content: Buffer | undefined): Manifest | undefined {
  if (content === undefined) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(content.toString('utf8'));
  } catch {
    return undefined;
  }
  return isManifest(value) ? value : undefined;
}

function isManifest(value: unknown): value is Manifest {
  if (!isRecord(value) || !isRecord(value.files)) return false;
  return (
    [value.package, value.version, value.protocol, value.language].every(
      (member) => typeof member === 'string',
    ) &&
    Object.entries(value.files).every(
      ([path, hash]) =>
        isInsidePath(path) && typeof hash === 'string' && /^[0-9a-f]{64}$/.test(hash),
    )
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
