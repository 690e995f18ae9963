import { posix } from 'node:path';
import { type Check, type Document, type DocumentSet, listDocuments } from './document-set.ts';
import { matchProse, parseDocument } from './parse-document.ts';
import { SECTION_REFERENCE } from './words.ts';

/** The anchor that GitHub makes of a heading. */
export function formatAnchor(title: string): string {
  const kept = title
    .replace(/[`*]/g, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}_\- ]/gu, '');
  return kept.replaceAll(' ', '-');
}

function checkTarget(set: DocumentSet, from: Document, target: string): string | undefined {
  if (/^[a-z]+:/.test(target)) return undefined;
  const [path = '', anchor] = target.split('#');
  const name = path === '' ? from.name : posix.normalize(path);
  // Installed, the shared files lie beside the documents.
  const text = set.languages.get(from.language)?.get(name) ?? set.shared.get(name);
  if (text === undefined) return `no such file: ${target}`;
  if (anchor === undefined) return undefined;
  const anchors = parseDocument(text).map(({ title }) => formatAnchor(title));
  return anchors.includes(decodeURIComponent(anchor)) ? undefined : `no such anchor: ${target}`;
}

export const linksResolve: Check = {
  id: 'links-resolve',
  run(set) {
    return listDocuments(set).flatMap((document) => {
      const { file, sections } = document;
      const numbers = new Set(sections.map(({ title }) => /^(\d+)\. /.exec(title)?.[1]));
      return sections.flatMap(({ links, prose }) => [
        ...links.flatMap(({ text, line }) => {
          const message = checkTarget(set, document, text);
          return message ? [{ file, line, message }] : [];
        }),
        ...matchProse(prose, SECTION_REFERENCE)
          .filter(({ match }) => !numbers.has(match[1] ?? match[2]))
          .map(({ match, line }) => ({ file, line, message: `no such section: ${match[0]}` })),
      ]);
    });
  },
};
