import { A2A_MEDIA_TYPE } from '../protocol/constants.ts';
import { isObject, type JsonObject, type Kind } from './kinds.ts';
import type { Subject } from './rule.ts';

/** The member of a kind that is a subject of its own. */
const PARTS: Readonly<Partial<Record<Kind, { field: string; kind: Kind }>>> = {
  example: { field: 'envelope', kind: 'envelope' },
  'send-request': { field: 'envelope', kind: 'envelope' },
  message: { field: 'envelope', kind: 'envelope' },
  'history-line': { field: 'envelope', kind: 'envelope' },
  'register-request': { field: 'agent_card', kind: 'card' },
};

/** A value as the subjects to check: itself and the envelopes or cards in it. */
export function findSubjects(value: JsonObject, kind: Kind, pointer: string): Subject[] {
  const subjects: Subject[] = [{ kind, value, pointer }];
  const parent = { kind, value };
  const part = PARTS[kind];
  const inner = part && value[part.field];
  // What is no object, the rules for the outer one speak of.
  if (part && isObject(inner)) {
    const place = `${pointer}/${part.field}`;
    // An A2A message may stand where the envelope does.
    const isA2a = part.kind === 'envelope' && Array.isArray(inner.parts);
    if (isA2a) subjects.push(...findSubjects(inner, 'a2a-message', place));
    else subjects.push({ kind: part.kind, value: inner, pointer: place, parent });
  }
  const inA2a = kind === 'a2a-message' ? findA2aEnvelope(value) : undefined;
  if (inA2a !== undefined) {
    subjects.push({
      kind: 'envelope',
      value: inA2a.envelope,
      pointer: `${pointer}/parts/${inA2a.index}/data`,
      parent,
    });
  }
  return subjects;
}

export function findA2aEnvelope(
  message: JsonObject,
): { envelope: JsonObject; index: number } | undefined {
  if (!Array.isArray(message.parts)) return undefined;
  const index = message.parts.findIndex(
    (part: unknown) =>
      isObject(part) && isObject(part.data) && mediaTypeOf(part) === A2A_MEDIA_TYPE,
  );
  return index === -1 ? undefined : { envelope: message.parts[index].data, index };
}

/** Since A2A 1.0 a member of the part; before, of its metadata. */
function mediaTypeOf(part: JsonObject): unknown {
  if ('mediaType' in part) return part.mediaType;
  const { metadata } = part;
  return isObject(metadata) ? (metadata.mediaType ?? metadata.mimeType) : undefined;
}
