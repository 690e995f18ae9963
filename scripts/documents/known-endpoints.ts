import { type Check, listDocuments } from './document-set.ts';
import { ENDPOINTS, EXTRA_PATHS } from './facts.ts';
import type { Located, Section } from './parse-document.ts';

const REQUEST = /^([A-Z]+) (\/\S*)/;
const ANY_METHOD = '';

const isEndpoint = (method: string, path: string): boolean =>
  ENDPOINTS.some((e) => (method === ANY_METHOD || e.method === method) && e.path === path);

interface Named extends Located {
  method: string;
  path: string;
}

function listEndpoints(section: Section): Named[] {
  const requests = section.blocks
    .filter(({ info }) => info === 'http')
    .map(({ lines, line }) => ({ text: lines[0] ?? '', line: line + 1 }));
  const commands = section.blocks.flatMap(({ lines, line }) =>
    lines.flatMap((text, index) =>
      [...text.matchAll(/\$HUB_URL(\/[^"?\s]*)/g)].map((match) => ({
        text: match[0],
        line: line + 1 + index,
        method: ANY_METHOD,
        path: match[1] ?? '',
      })),
    ),
  );
  const named = [...section.spans, ...requests].flatMap(({ text, line }) => {
    const request = REQUEST.exec(text);
    const path = request?.[2] ?? (/^\/\S*$/.test(text) ? text : undefined);
    if (path === undefined || EXTRA_PATHS.includes(path)) return [];
    const bare = path.replace(/\?.*$/, '');
    return [{ text, line, method: request?.[1] ?? ANY_METHOD, path: bare }];
  });
  return [...named, ...commands];
}

export const knownEndpoints: Check = {
  id: 'known-endpoints',
  run(set) {
    return listDocuments(set).flatMap(({ file, sections }) =>
      sections
        .flatMap(listEndpoints)
        .filter(({ method, path }) => !isEndpoint(method, path))
        .map(({ text, line }) => ({ file, line, message: `no such endpoint: ${text}` })),
    );
  },
};
