import type { TEXT_RULES } from '../../envelope/rules.ts';
import type { Format } from '../../envelope/shapes.ts';
import type { ErrorArgs } from '../../errors.ts';
import type { Expectation } from '../../json/find-syntax-problem.ts';
import { coreTexts } from '../../wording/core/texts.ts';
import { fillText, type UiLanguage } from '../../wording/wording.ts';
import type { Finding, FindingWording } from '../finding.ts';
import { en } from './en.ts';
import { zhCN } from './zh-cn.ts';

interface RuleWording {
  message: string;
  hint: string;
  meaning: string;
}
type KnownRule = Format['rule'] | (typeof TEXT_RULES)[number]['id'];
type TypeName =
  | 'string'
  | 'integer'
  | 'number'
  | 'boolean'
  | 'array'
  | 'object'
  | 'null'
  | 'fraction';

interface Terms {
  expectations: Record<Expectation, string>;
  found: Record<
    'character' | 'invisible' | 'nothing' | 'lineBreak' | 'tab' | 'doubleQuote',
    string
  >;
  types: Record<TypeName, string>;
  lengths: Record<'notEmpty' | 'atLeast' | 'atMost' | 'between', string>;
}

/** What the first catalogue must have; it then says what the others must have. */
export interface BaseCatalogue extends Terms {
  rules: Record<KnownRule, RuleWording> & Record<string, RuleWording>;
}
export interface FindingCatalogue extends Terms {
  rules: Record<keyof typeof en.rules, RuleWording>;
}

export const FINDING_CATALOGUES = { en, 'zh-CN': zhCN } as const satisfies Record<
  UiLanguage,
  FindingCatalogue
>;

export function createFindingWording(language: UiLanguage): FindingWording {
  const catalogue: FindingCatalogue = FINDING_CATALOGUES[language];
  const separator = coreTexts[language]['list.separator'];
  const wordingOf = (rule: string): RuleWording => {
    if (!Object.hasOwn(catalogue.rules, rule)) throw new Error(`no wording for the rule ${rule}`);
    return catalogue.rules[rule as keyof FindingCatalogue['rules']];
  };
  const fill = (text: string, { rule, args }: Pick<Finding, 'rule' | 'args'>) =>
    fillText(text, keepOnLine(translate(rule, args, catalogue)), separator);
  return {
    message: (finding) => fill(wordingOf(finding.rule).message, finding),
    hint: (finding) => fill(wordingOf(finding.rule).hint, finding),
    meaning: (rule) => wordingOf(rule).meaning,
  };
}

/** Puts words in the place of arguments that are codes. */
function translate(rule: string, args: ErrorArgs, terms: Terms): ErrorArgs {
  const look = (words: Readonly<Record<string, string>>, code: unknown) =>
    words[String(code)] ?? String(code);
  switch (rule) {
    case 'json-syntax':
      return {
        expected: look(terms.expectations, args.expected),
        found: nameFound(String(args.found ?? ''), terms.found),
      };
    case 'wrong-type': {
      const isFraction = args.expected === 'integer' && args.given === 'number';
      return {
        ...args,
        expected: look(terms.types, args.expected),
        given: look(terms.types, isFraction ? 'fraction' : args.given),
      };
    }
    case 'length':
      return { ...args, requirement: fillText(nameLength(args, terms.lengths), args, '') };
    default:
      return args;
  }
}

function nameFound(found: string, words: Terms['found']): string {
  if (found === '') return words.nothing;
  if (found === '\n' || found === '\r') return words.lineBreak;
  if (found === '\t') return words.tab;
  if (found === '"') return words.doubleQuote;
  if (!/^[\p{C}\p{Z}]/u.test(found)) return fillText(words.character, { character: found }, '');
  const code = `U+${(found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
  return fillText(words.invisible, { code }, '');
}

function nameLength({ min, max }: ErrorArgs, words: Terms['lengths']): string {
  if (max === '∞') return min === 1 ? words.notEmpty : words.atLeast;
  return min === 0 ? words.atMost : words.between;
}

/** A finding is told in one line: a checked text must not be able to add lines of its own. */
function keepOnLine(args: ErrorArgs): ErrorArgs {
  const escapeBreaks = (text: string) => text.replaceAll('\n', '\\n').replaceAll('\t', '\\t');
  return Object.fromEntries(
    Object.entries(args).map(([name, value]) => [
      name,
      typeof value === 'string'
        ? escapeBreaks(value)
        : typeof value === 'number'
          ? value
          : value.map(escapeBreaks),
    ]),
  );
}
