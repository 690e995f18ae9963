import type { Rule } from './rule.ts';
import { a2aWithoutEnvelope } from './rules/a2a-without-envelope.ts';
import { addressForm } from './rules/address-form.ts';
import { cardVersionField } from './rules/card-version-field.ts';
import { choice } from './rules/choice.ts';
import { contextScript } from './rules/context-script.ts';
import { conversationWithoutTurn } from './rules/conversation-without-turn.ts';
import { cultureForm } from './rules/culture-form.ts';
import { dateForm } from './rules/date-form.ts';
import { errorWithoutCode } from './rules/error-without-code.ts';
import { extraField } from './rules/extra-field.ts';
import { fieldTypo } from './rules/field-typo.ts';
import { hiddenCharacters } from './rules/hidden-characters.ts';
import { secretKeyForm } from './rules/key-form.ts';
import { languageList } from './rules/language-list.ts';
import { legacyField } from './rules/legacy-field.ts';
import { length } from './rules/length.ts';
import { loneSurrogate } from './rules/lone-surrogate.ts';
import { longText } from './rules/long-text.ts';
import { missingField } from './rules/missing-field.ts';
import { misspeltField } from './rules/misspelt-field.ts';
import { needlessContext } from './rules/needless-context.ts';
import { placeholderSender } from './rules/placeholder-sender.ts';
import { range } from './rules/range.ts';
import { receiverInEnvelope } from './rules/receiver-in-envelope.ts';
import { replyMarker } from './rules/reply-marker.ts';
import { slashCommand } from './rules/slash-command.ts';
import { turnWithoutConversation } from './rules/turn-without-conversation.ts';
import { unknownCulture } from './rules/unknown-culture.ts';
import { urlForm } from './rules/url-form.ts';
import { wrongType } from './rules/wrong-type.ts';
import { wrongVersion } from './rules/wrong-version.ts';

/** Every rule about a value, in the order in which its findings are told. */
export const RULES: readonly Rule[] = [
  legacyField,
  wrongVersion,
  misspeltField,
  missingField,
  wrongType,
  length,
  addressForm,
  cultureForm,
  range,
  choice,
  dateForm,
  urlForm,
  secretKeyForm,
  cardVersionField,
  languageList,
  errorWithoutCode,
  a2aWithoutEnvelope,
  fieldTypo,
  turnWithoutConversation,
  conversationWithoutTurn,
  receiverInEnvelope,
  unknownCulture,
  contextScript,
  replyMarker,
  slashCommand,
  hiddenCharacters,
  loneSurrogate,
  placeholderSender,
  needlessContext,
  extraField,
  longText,
];

/** Rules about the text, and about several documents together: what they find is found elsewhere. */
export const TEXT_RULES = [
  { id: 'json-syntax', severity: 'error' },
  { id: 'invalid-utf8', severity: 'error' },
  { id: 'duplicate-key', severity: 'error' },
  { id: 'unknown-document', severity: 'error' },
  { id: 'schema', severity: 'error' },
  { id: 'byte-order-mark', severity: 'warning' },
  { id: 'turn-order', severity: 'warning' },
] as const;
