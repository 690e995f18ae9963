import { Ajv2020 } from 'ajv/dist/2020.js';
import { envelopeSchema } from '../../cli/protocol/envelope-schema.ts';
import { type Json, type JsonText, listMembers, splitBlock } from './block-json.ts';
import { type Check, type DocumentSet, listDocuments } from './document-set.ts';

const ajv = new Ajv2020({ allErrors: true });
const validate = ajv.compile(envelopeSchema);

const isObject = (value: Json): value is { [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** By their members, or by their place: one that lost a member must not slip through. */
function listEnvelopes(value: Json): Json[] {
  const members = listMembers(value);
  const placed = members
    .filter(
      ({ key, value: member }) => key === 'envelope' && !(isObject(member) && 'parts' in member),
    )
    .map((member) => member.value);
  const shaped = [value, ...members.map((member) => member.value)].filter(
    (object) => isObject(object) && 'chorus_version' in object && 'sender_id' in object,
  );
  return [...new Set([...placed, ...shaped])];
}

function checkJson(file: string, { value, line }: JsonText) {
  if (value === undefined) return [{ file, line, message: 'this is not JSON' }];
  return listEnvelopes(value).flatMap((envelope) => {
    if (validate(envelope)) return [];
    return [{ file, line, message: ajv.errorsText(validate.errors, { dataVar: 'envelope' }) }];
  });
}

function checkExamples({ shared }: DocumentSet) {
  return [...shared]
    .filter(([name]) => name.startsWith('examples/'))
    .flatMap(([name, text]) => {
      let value: Json | undefined;
      try {
        value = JSON.parse(text) as Json;
      } catch {
        value = undefined;
      }
      return checkJson(`templates/shared/${name}`, { text, line: 1, value });
    });
}

export const validEnvelopes: Check = {
  id: 'valid-envelopes',
  run(set) {
    const documents = listDocuments(set).flatMap(({ file, sections }) =>
      sections
        .flatMap(({ blocks }) => blocks.flatMap((block) => splitBlock(block).json))
        .flatMap((json) => checkJson(file, json)),
    );
    return [...documents, ...checkExamples(set)];
  },
};
