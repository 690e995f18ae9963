import { isUtf8 } from 'node:buffer';
import type { FindingWording } from '../../cli/diagnostics/finding.ts';
import { createFindingWording } from '../../cli/diagnostics/wording/finding-wording.ts';
import { checkDocument, type LocatedProblem } from '../../cli/envelope/check-document.ts';
import { checkText } from '../../cli/envelope/check-text.ts';
import { isObject, type JsonObject, type Kind } from '../../cli/envelope/kinds.ts';
import type { Subject } from '../../cli/envelope/rule.ts';
import { hasDuplicateKeys } from '../../cli/json/duplicate-keys.ts';
import { Refusal } from '../refusal.ts';

interface CheckedRequest {
  value: JsonObject;
  /** The value itself and the envelope or card in it. */
  subjects: readonly Subject[];
}

const MAX_MESSAGE = 1000;
/** What works through a value level by level must not run out of stack. */
const MAX_DEPTH = 200;
let wording: FindingWording | undefined;

/** Parses a body and refuses it exactly if `validate` finds an error in it, with the same words. */
export function checkRequest(body: Buffer, kind: Kind): CheckedRequest {
  if (!isUtf8(body)) throw new Refusal('ERR_VALIDATION', 'The body is not UTF-8.');
  const text = body.toString('utf8').replace(/^\ufeff/, '');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw describe(text, kind);
  }
  if (!isObject(value)) {
    throw new Refusal('ERR_VALIDATION', `The body must be a JSON object: a ${kind}.`);
  }
  if (isDeeperThan(value, MAX_DEPTH)) {
    throw new Refusal('ERR_VALIDATION', `The body is nested more than ${MAX_DEPTH} levels deep.`);
  }
  const problems: LocatedProblem[] = [];
  const subjects = checkDocument(value, '', () => kind, problems);
  const isRefused = problems.some(({ severity }) => severity === 'error');
  if (isRefused || hasDuplicateKeys(text, value)) throw describe(text, kind);
  return { value, subjects };
}

function isDeeperThan(value: unknown, limit: number): boolean {
  let level = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > limit) return true;
    const next: unknown[] = [];
    for (const item of level) {
      if (typeof item !== 'object' || item === null) continue;
      for (const member of Object.values(item)) if (typeof member === 'object') next.push(member);
    }
    level = next;
  }
  return false;
}

/** Once more, slowly, with places and words: only for what is refused. */
function describe(text: string, kind: Kind): Refusal {
  const errors = checkText(text, { detect: () => kind }).findings.filter(
    ({ severity }) => severity === 'error',
  );
  wording ??= createFindingWording('en');
  const words = wording;
  const message = errors
    .map((finding) => {
      const place = finding.pointer === '' ? '' : `${finding.pointer}: `;
      return `${place}${words.message(finding)} ${words.hint(finding)}`.trim();
    })
    .join(' ');
  return new Refusal('ERR_VALIDATION', message.slice(0, MAX_MESSAGE));
}
