import { formatShape, splitBlock } from './block-json.ts';
import { type Check, pairSections } from './document-set.ts';
import type { Block } from './parse-document.ts';

function compareBlocks(ours: Block, theirs: Block): { line: number; message: string } | undefined {
  if (ours.info !== theirs.info) {
    return { line: theirs.line, message: `labelled "${theirs.info}", not "${ours.info}"` };
  }
  const [our, their] = [splitBlock(ours), splitBlock(theirs)];
  for (let index = 0; index < Math.max(our.plain.length, their.plain.length); index++) {
    const [expected, found] = [our.plain[index], their.plain[index]];
    if (expected?.text !== found?.text) {
      const message = `"${found?.text ?? ''}" instead of "${expected?.text ?? ''}"`;
      return { line: found?.line ?? theirs.line, message };
    }
  }
  if (our.json.length !== their.json.length) {
    const message = `${their.json.length} pieces of JSON instead of ${our.json.length}`;
    return { line: theirs.line, message };
  }
  for (const [index, { value }] of our.json.entries()) {
    const found = their.json[index];
    // What is no JSON at all is valid-envelopes' to report.
    if (value === undefined || found?.value === undefined) continue;
    const [expected, shape] = [formatShape(value), formatShape(found.value)];
    if (expected !== shape) return { line: found.line, message: `keys ${shape}, not ${expected}` };
  }
  return undefined;
}

export const sameBlocks: Check = {
  id: 'same-blocks',
  run(set) {
    return pairSections(set).flatMap(({ file, ours, theirs }) => {
      if (ours.blocks.length !== theirs.blocks.length) {
        const message = `${theirs.blocks.length} fenced blocks instead of ${ours.blocks.length}`;
        return [{ file, line: theirs.line, message }];
      }
      return ours.blocks.flatMap((block, index) => {
        const other = theirs.blocks[index];
        const difference = other && compareBlocks(block, other);
        return difference ? [{ file, ...difference }] : [];
      });
    });
  },
};
