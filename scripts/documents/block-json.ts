import type { Block, Located } from './parse-document.ts';

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

export interface JsonText extends Located {
  /** `undefined` when the text is not JSON. */
  value: Json | undefined;
}

function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

const located = (text: string, line: number): JsonText => ({ text, line, value: parseJson(text) });

interface BlockParts {
  /** What is not JSON: request and header lines, SSE fields, commands. */
  plain: Located[];
  json: JsonText[];
}

export function splitBlock(block: Block): BlockParts {
  const lines = block.lines.map((text, index) => ({ text, line: block.line + 1 + index }));
  if (block.info === 'json') {
    return { plain: [], json: [located(block.lines.join('\n'), block.line + 1)] };
  }
  if (block.info === 'http') {
    const blank = block.lines.indexOf('');
    if (blank < 0) return { plain: lines, json: [] };
    const body = block.lines.slice(blank + 1).join('\n');
    return { plain: lines.slice(0, blank), json: [located(body, block.line + blank + 2)] };
  }
  const isData = ({ text }: Located) => text.startsWith('data:');
  return {
    plain: lines.filter((line) => !isData(line)),
    json: lines.filter(isData).map(({ text, line }) => located(text.slice(5).trim(), line)),
  };
}

interface JsonMember {
  key: string;
  value: Json;
  parent: { [key: string]: Json };
}

/** Every member of every object, at any depth. */
export function listMembers(value: Json | undefined): JsonMember[] {
  if (Array.isArray(value)) return value.flatMap(listMembers);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => [
    { key, value: member, parent: value },
    ...listMembers(member),
  ]);
}

/** The keys of a value, recursively, in one comparable string. */
export function formatShape(value: Json | undefined): string {
  if (Array.isArray(value)) return `[${value.map(formatShape).join()}]`;
  if (typeof value !== 'object' || value === null) return '';
  const members = Object.keys(value)
    .sort()
    .map((key) => `${key}${formatShape(value[key])}`);
  return `{${members.join()}}`;
}

/** The line within the text on which a key first stands. */
export function lineOfKey({ text, line }: Located, key: string): number {
  const before = text.split(`"${key}"`)[0] ?? '';
  return line + before.split('\n').length - 1;
}
