import { parseFrontmatter, validateMetadata } from 'skills-ref';
import { PROTOCOL_VERSION } from '../../cli/protocol/constants.ts';
import { type Check, listDocuments } from './document-set.ts';

const MAX_DESCRIPTION = 1024;
const MAX_LINES = 500;
const MAX_TOKENS = 5000;

/** A guess without a tokenizer: four ASCII characters a token, 0.7 tokens any other. */
export function estimateTokens(text: string): number {
  const characters = [...text];
  const ascii = characters.filter((character) => character < '\u0080').length;
  return Math.ceil(ascii / 4 + (characters.length - ascii) * 0.7);
}

function listProblems(text: string): string[] {
  let metadata: Record<string, unknown>;
  try {
    [metadata] = parseFrontmatter(text) as [Record<string, unknown>, string];
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
  // The folder's name is the installed one's to match, so none is given here.
  const problems = validateMetadata(metadata);
  if (metadata.name !== 'chorus') problems.push(`name is "${metadata.name}", not "chorus"`);
  const description = metadata.description;
  if (typeof description !== 'string' || [...description].length > MAX_DESCRIPTION) {
    problems.push(`description is not a text of at most ${MAX_DESCRIPTION} characters`);
  }
  const version = (metadata.metadata as { version?: unknown } | undefined)?.version;
  if (version !== PROTOCOL_VERSION) problems.push(`metadata.version is not ${PROTOCOL_VERSION}`);
  return problems;
}

export const skillFrontmatter: Check = {
  id: 'skill-frontmatter',
  run(set) {
    return listDocuments(set, 'SKILL.md').flatMap(({ file, text }) => {
      const problems = listProblems(text);
      const lines = text.trimEnd().split('\n').length;
      if (lines >= MAX_LINES) problems.push(`${lines} lines; it must stay under ${MAX_LINES}`);
      const tokens = estimateTokens(text);
      if (tokens > MAX_TOKENS) problems.push(`about ${tokens} tokens; the bound is ${MAX_TOKENS}`);
      return problems.map((message) => ({ file, line: 1, message }));
    });
  },
};
