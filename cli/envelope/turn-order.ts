import type { JsonObject } from './kinds.ts';
import type { Problem } from './rule.ts';

/** More conversations than this are not kept in mind: memory must not grow with a history. */
const MAX_CONVERSATIONS = 10_000;

/** Watches the turn numbers of conversations over the documents of one file. */
export function createTurnWatch(): (envelope: JsonObject) => Problem | undefined {
  // Most files are one envelope, and there are many files.
  let last: Map<string, number> | undefined;
  return ({ conversation_id: conversation, turn_number: turn }) => {
    if (typeof conversation !== 'string' || typeof turn !== 'number') return undefined;
    last ??= new Map();
    const previous = last.get(conversation);
    // Taken out and put back, the ones in use stay the youngest.
    last.delete(conversation);
    last.set(conversation, Math.max(turn, previous ?? turn));
    if (last.size > MAX_CONVERSATIONS) {
      for (const [oldest] of last) {
        last.delete(oldest);
        break;
      }
    }
    if (previous === undefined || turn > previous) return undefined;
    return { field: 'turn_number', args: { conversation, turn, previous } };
  };
}
