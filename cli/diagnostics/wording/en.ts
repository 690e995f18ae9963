import type { BaseCatalogue } from './finding-wording.ts';

/** What a person reads about findings, in English. `{name}` stands for an argument. */
export const en = {
  rules: {
    'legacy-field': {
      message: '{field} is the name of an older version; it is now {now}.',
      hint: 'Rename it to {now}.',
      meaning:
        'A field has the name it had before Chorus 0.4; receivers no longer look for it there.',
    },
    'wrong-version': {
      message: 'chorus_version is "{given}"; it must be "{expected}".',
      hint: 'Set it to "{expected}" once the rest follows Chorus {expected}; other versions are refused.',
      meaning: 'The version is not the one of this protocol; receivers refuse all others.',
    },
    'misspelt-field': {
      message: 'The required field {meant} is written as {field}.',
      hint: 'Rename it to {meant}.',
      meaning: 'A required field has a slip in its name; for a receiver it is missing.',
    },
    'missing-field': {
      message: 'The field {field} is missing.',
      hint: '',
      meaning: 'A required field is missing; receivers refuse the document without it.',
    },
    'wrong-type': {
      message: '{field} must be {expected}, not {given}.',
      hint: '',
      meaning:
        'A value is of the wrong kind, such as a number where a text belongs; receivers refuse it.',
    },
    length: {
      message: '{field} {requirement}.',
      hint: '',
      meaning: 'A text is empty, too short or too long for its field; receivers refuse it.',
    },
    'address-form': {
      message: '{field} is "{given}", which is not an address.',
      hint: 'Write it as name@host; both sides take letters from a to z, digits, ".", "_" and "-".',
      meaning: 'An address is not written as name@host, so nothing can be delivered to it.',
    },
    'culture-form': {
      message: '{field} is "{given}", which is not a language tag.',
      hint: 'Write the language in small letters and, if needed, the region in capitals: "ja", "zh-CN", "pt-BR".',
      meaning:
        'A culture is not written as a language tag like "ja" or "zh-CN", so receivers cannot tell the language.',
    },
    range: {
      message: '{field} is {given}; it must be at least {min}.',
      hint: '',
      meaning: 'A number is smaller than its field allows; receivers refuse it.',
    },
    choice: {
      message: '{field} is "{given}"; allowed: {available}.',
      hint: '',
      meaning: 'A value is none of those its field allows, so nobody knows what it means.',
    },
    'date-form': {
      message: '{field} is "{given}", which is not a date with time and time zone.',
      hint: 'Write it like 2026-11-18T09:30:00Z.',
      meaning:
        'A time lacks its date or time zone, or does not exist; others would read it differently.',
    },
    'url-form': {
      message: '{field} is "{given}", which is not a web address.',
      hint: 'Write the whole address, beginning with https:// or http://.',
      meaning: 'A web address is not a complete http or https address, so it cannot be called.',
    },
    'key-form': {
      message: '{field} is not a key from a hub.',
      hint: 'Put in the key that the hub gave at registration; it begins with "ca_".',
      meaning:
        'A key does not look like one from a hub, which would refuse it; its value is never shown.',
    },
    'card-version-field': {
      message: 'A card gives its version in card_version, not in chorus_version.',
      hint: 'Remove chorus_version and set card_version to "{expected}".',
      meaning: "A card has the envelope's version field in place of its own, as old cards did.",
    },
    'language-list': {
      message: 'supported_languages must contain language tags only.',
      hint: 'Write it like ["zh-CN", "en"].',
      meaning:
        'A card lists a language that is not written as a language tag like "ja" or "zh-CN".',
    },
    'error-without-code': {
      message: 'The response reports an error but has no error_code.',
      hint: 'Add error_code: INVALID_ENVELOPE, UNSUPPORTED_VERSION or ADAPTATION_FAILED.',
      meaning: 'An error response has no error_code, so the sender cannot tell what went wrong.',
    },
    'a2a-without-envelope': {
      message: 'No part of this A2A message carries an envelope.',
      hint: 'Put the envelope into "data" of a part with the mediaType "{mediaType}".',
      meaning: 'An A2A message has no part with an envelope, so there is nothing to receive.',
    },
    'field-typo': {
      message: 'The field {field} looks like a slip for {meant}.',
      hint: 'Rename it to {meant}.',
      meaning: 'An unknown field is nearly named like an optional one; receivers would ignore it.',
    },
    'turn-without-conversation': {
      message: 'There is a turn_number but no conversation_id.',
      hint: 'Add the conversation_id that the turn belongs to, or leave turn_number out.',
      meaning: 'A turn belongs to no conversation; receivers cannot use its number.',
    },
    'conversation-without-turn': {
      message: 'There is a conversation_id but no turn_number.',
      hint: 'Add turn_number: one more than the latest message of the conversation, or 1 if it is the first.',
      meaning:
        'A message of a conversation has no turn number, so receivers cannot recognise it when it arrives twice.',
    },
    'receiver-in-envelope': {
      message: "The receiver's address does not belong in the envelope.",
      hint: 'Move receiver_id out of the envelope, into the request that sends it.',
      meaning:
        'The envelope names its receiver; delivery follows the request around it and ignores this.',
    },
    'unknown-culture': {
      message: '"{given}" names a language or region that does not exist.',
      hint: 'Check it for a slip: Japanese is "ja", not "jp"; Chinese is "zh", not "cn".',
      meaning:
        'A culture is well written but names an unknown language or region, most often by a slip.',
    },
    'context-script': {
      message: 'cultural_context is hardly written in the script of {culture}.',
      hint: "Write it in the sender's language.",
      meaning: "The cultural context seems to be in another language than the sender's.",
    },
    'reply-marker': {
      message: 'original_text contains {marker}, which is meant for your own side only.',
      hint: 'Remove the marker, and any words that were meant for your own user.',
      meaning:
        'A marker of the sending program was left in the text; the other side would read it.',
    },
    'slash-command': {
      message: 'original_text is nothing but the command {given}.',
      hint: 'Remove it unless it is meant to be read: receivers show it as text and never run it.',
      meaning:
        'The message is only a command such as /new, probably meant for the own program and sent by mistake.',
    },
    'hidden-characters': {
      message: 'The text contains a character that cannot be seen ({character}).',
      hint: 'Remove it unless you put it there on purpose.',
      meaning: 'A text contains invisible characters, which can hide or reorder what people read.',
    },
    'lone-surrogate': {
      message: 'The text contains half a character.',
      hint: 'Write the character whole or remove it; texts cut in the middle of an emoji end like this.',
      meaning:
        'A text contains half of a two-part character (a lone surrogate), which is lost or damaged on the way.',
    },
    'placeholder-sender': {
      message: '"{given}" is an address as in the examples.',
      hint: 'Put in the address under which you are registered.',
      meaning: 'The sender has an address from the documentation, so no reply can arrive.',
    },
    'needless-context': {
      message: 'cultural_context is given although both sides have the same culture.',
      hint: 'Leave it out.',
      meaning: 'An example explains the culture to a receiver who shares it.',
    },
    'extra-field': {
      message: 'The protocol has no field {field}.',
      hint: 'Remove it unless the receiver needs it.',
      meaning: 'An envelope has a field of its own; this is allowed, but some hubs refuse it.',
    },
    'long-text': {
      message: 'original_text is {length} UTF-16 units long; some hubs take at most {max}.',
      hint: 'Send it as several messages, or make sure that your hub takes it.',
      meaning: 'A text is longer than some hubs take; they would refuse the message.',
    },
    'json-syntax': {
      message: 'This is not JSON: expected {expected}, found {found}.',
      hint: 'JSON has no comments, no comma after the last entry, and only double quotes.',
      meaning: 'The text is not JSON, so nothing in it can be read.',
    },
    'invalid-utf8': {
      message: 'The bytes from here on are not UTF-8 text.',
      hint: 'Save it as UTF-8.',
      meaning: 'The file is not in UTF-8, so its characters cannot be read with certainty.',
    },
    'duplicate-key': {
      message: 'The field {field} is there more than once.',
      hint: 'Keep one of them.',
      meaning: 'An object has the same field twice; programs differ in which of them they read.',
    },
    'unknown-document': {
      message: 'This is not a document that Chorus knows. Expected: {kinds}.',
      hint: 'A document is a JSON object; an envelope has chorus_version, sender_id, original_text and sender_culture.',
      meaning: 'The content is none of the documents of Chorus, so it could not be checked.',
    },
    schema: {
      message: 'The schema does not allow this: {detail} ({keyword}).',
      hint: '',
      meaning: 'A value breaks a rule of the schema that you gave.',
    },
    'byte-order-mark': {
      message: 'The file begins with a byte order mark.',
      hint: 'Save it as UTF-8 without byte order mark (BOM).',
      meaning: 'The file begins with an invisible mark at which many programs fail to read JSON.',
    },
    'turn-order': {
      message:
        'turn_number is {turn}, but the conversation "{conversation}" is at {previous} already.',
      hint: 'Give every message one more than the latest before it.',
      meaning:
        'The turns of a conversation do not go up; receivers may take a message for a repetition and drop it.',
    },
  },
  /** What JSON needs at a place. */
  expectations: {
    value: 'a value',
    key: 'a field name in double quotes',
    colon: 'a colon',
    'comma-or-brace': 'a comma or "}"',
    'comma-or-bracket': 'a comma or "]"',
    end: 'the end of the text',
    'string-end': 'the closing double quote of the text',
    escape: 'an escape that JSON knows (such as \\n, \\" or \\u00e9)',
  },
  /** What is there in its place. */
  found: {
    character: '"{character}"',
    invisible: 'the invisible character {code}',
    nothing: 'the end of the text',
    lineBreak: 'a line break',
    tab: 'a tab',
    doubleQuote: 'a double quote',
  },
  types: {
    string: 'a text ("…")',
    integer: 'a whole number',
    number: 'a number',
    boolean: 'true or false',
    array: 'a list ([…])',
    object: 'an object ({…})',
    null: 'null',
    /** In place of `number` where a whole one is needed. */
    fraction: 'a number with decimals',
  },
  lengths: {
    notEmpty: 'must not be empty',
    atLeast: 'must have {min} characters or more',
    atMost: 'must not have more than {max} characters',
    between: 'must have {min} to {max} characters',
  },
} as const satisfies BaseCatalogue;
