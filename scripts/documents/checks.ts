import type { Check, DocumentSet, Finding } from './document-set.ts';
import { documentedLimits } from './documented-limits.ts';
import { documentedNames } from './documented-names.ts';
import { documentedTables } from './documented-tables.ts';
import { exampleForm } from './example-form.ts';
import { knownCodes } from './known-codes.ts';
import { knownEndpoints } from './known-endpoints.ts';
import { knownNames } from './known-names.ts';
import { knownNumbers } from './known-numbers.ts';
import { knownValues } from './known-values.ts';
import { linksResolve } from './links-resolve.ts';
import { sameBlocks } from './same-blocks.ts';
import { sameFiles } from './same-files.ts';
import { sameHeadings } from './same-headings.ts';
import { sameKeywords } from './same-keywords.ts';
import { sameLinks } from './same-links.ts';
import { sameNumbers } from './same-numbers.ts';
import { sameSpans } from './same-spans.ts';
import { sameTables } from './same-tables.ts';
import { skillFrontmatter } from './skill-frontmatter.ts';
import { validEnvelopes } from './valid-envelopes.ts';

export const CHECKS: readonly Check[] = [
  // every language says the same
  sameFiles,
  sameHeadings,
  sameTables,
  sameBlocks,
  sameKeywords,
  sameLinks,
  sameNumbers,
  sameSpans,
  // what the documents name exists
  knownEndpoints,
  knownNames,
  knownCodes,
  knownValues,
  knownNumbers,
  // what exists is documented
  documentedNames,
  documentedTables,
  documentedLimits,
  // and each document is sound in itself
  validEnvelopes,
  exampleForm,
  linksResolve,
  skillFrontmatter,
];

export function checkDocuments(set: DocumentSet): Finding[] {
  return CHECKS.flatMap((check) =>
    check.run(set).map((finding) => ({ check: check.id, ...finding })),
  );
}
