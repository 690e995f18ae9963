import path from 'node:path';
import { CHECKS, checkDocuments } from './documents/checks.ts';
import { readDocumentSet } from './documents/read-document-set.ts';
import { estimateTokens } from './documents/skill-frontmatter.ts';

const root = path.dirname(import.meta.dirname);
const set = await readDocumentSet(path.join(root, 'templates'));
const findings = checkDocuments(set);

for (const { file, line, check, message } of findings) {
  console.error(`${file}:${line}: [${check}] ${message}`);
}

if (findings.length > 0) {
  process.exitCode = 1;
} else {
  const languages = [...set.languages].map(([language, files]) => {
    const tokens = estimateTokens(files.get('SKILL.md') ?? '');
    return `${language} (${files.size} documents, skill about ${tokens} tokens)`;
  });
  const examples = [...set.shared.keys()].filter((name) => name.startsWith('examples/'));
  console.log(
    `${CHECKS.length} checks passed: ${languages.join(', ')}, ${examples.length} examples`,
  );
}
