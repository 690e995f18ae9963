import { A2A_MEDIA_TYPE } from '../protocol/constants.ts';
import { detectKind, isObject, type JsonObject, type Kind } from './kinds.ts';
import type { Subject } from './rule.ts';

/** The members of a kind that are subjects of their own. */
const PARTS: Readonly<Partial<Record<Kind, Readonly<Record<string, Kind>>>>> = {
  example: { envelope: 'envelope' },
  'send-request': { envelope: 'envelope' },
  message: { envelope: 'envelope' },
  'history-line': { envelope: 'envelope' },
  'register-request': { agent_card: 'card' },
};

/** A value as the subjects to check: itself and the envelopes or cards in it. */
export function findSubjects(value: JsonObject, kind: Kind, pointer: string): Subject[] {
  const subjects: Subject[] = [{ kind, value, pointer }];
  const parent = { kind, value };
  for (const [field, partKind] of Object.entries(PARTS[kind] ?? {})) {
    const part = value[field];
    if (!isObject(part)) continue; // the rules for the outer object say so
    // An A2A message may stand where the envelope does.
    const isA2a = partKind === 'envelope' && detectKind(part) === 'a2a-message';
    if (isA2a) subjects.push(...findSubjects(part, 'a2a-message', `${pointer}/${field}`));
    else subjects.push({ kind: partKind, value: part, pointer: `${pointer}/${field}`, parent });
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
