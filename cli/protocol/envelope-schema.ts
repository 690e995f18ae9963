import {
  ADDRESS_PATTERN,
  CULTURE_PATTERN,
  ENVELOPE_SCHEMA_ID,
  LIMITS,
  PROTOCOL_VERSION,
  REQUIRED_ENVELOPE_FIELDS,
} from './constants.ts';

/** The shipped `envelope.schema.json`; `npm run generate` writes it. */
export const envelopeSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: ENVELOPE_SCHEMA_ID,
  title: `Chorus envelope ${PROTOCOL_VERSION}`,
  description: "A message from one user's agent to another's. Additional fields are allowed.",
  type: 'object',
  required: REQUIRED_ENVELOPE_FIELDS,
  properties: {
    chorus_version: {
      description: 'Version of the protocol.',
      type: 'string',
      const: PROTOCOL_VERSION,
    },
    sender_id: {
      description: "The sender's address, name@host.",
      type: 'string',
      pattern: ADDRESS_PATTERN,
    },
    original_text: {
      description:
        "The user's own words, unchanged, or the agent's own message when it acts on its own.",
      type: 'string',
      minLength: LIMITS.originalTextMin,
    },
    sender_culture: {
      description: "The sending user's culture, a BCP 47 tag.",
      type: 'string',
      pattern: CULTURE_PATTERN,
    },
    cultural_context: {
      description: "Why it was said this way, in the sender's language.",
      type: 'string',
      minLength: LIMITS.culturalContextMin,
      maxLength: LIMITS.culturalContextMax,
    },
    conversation_id: {
      description: 'Made on the first turn of a conversation, reused after.',
      type: 'string',
      maxLength: LIMITS.conversationIdMax,
    },
    turn_number: {
      description: 'Counts the turns of the conversation, both sides together.',
      type: 'integer',
      minimum: LIMITS.turnNumberMin,
    },
  },
  additionalProperties: true,
} as const;
