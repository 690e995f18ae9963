import type { JsonObject } from '../envelope/kinds.ts';
import { PROTOCOL_VERSION } from '../protocol/constants.ts';
import type { Place } from './conversation.ts';

export interface EnvelopeParts {
  sender: string;
  culture: string;
  text: string;
  context?: string | undefined;
  place: Place;
}

/** Only the fields of the protocol: some hubs refuse others. */
export function composeEnvelope({
  sender,
  culture,
  text,
  context,
  place,
}: EnvelopeParts): JsonObject {
  return {
    chorus_version: PROTOCOL_VERSION,
    sender_id: sender,
    original_text: text,
    sender_culture: culture,
    ...(context === undefined ? {} : { cultural_context: context }),
    ...place,
  };
}
