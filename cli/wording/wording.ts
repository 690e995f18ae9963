import { stripControls } from '../io/terminal.ts';
import { en } from './en.ts';
import { zhCN } from './zh-cn.ts';

export type MessageKey = keyof typeof en;
export type Catalogue = Readonly<Record<MessageKey, string>>;

export const CATALOGUES = { en, 'zh-CN': zhCN } as const satisfies Record<string, Catalogue>;
export type UiLanguage = keyof typeof CATALOGUES;
export const UI_LANGUAGES = Object.keys(CATALOGUES) as UiLanguage[];

type Placeholder<Text> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholder<Rest>
  : never;
type Value = string | number | readonly string[];
type Args<Key extends MessageKey> = [Placeholder<(typeof en)[Key]>] extends [never]
  ? []
  : [args: Record<Placeholder<(typeof en)[Key]>, Value>];

export interface Wording {
  language: UiLanguage;
  /** The text of a message whose arguments the compiler checks. */
  say<Key extends MessageKey>(key: Key, ...args: Args<Key>): string;
  /** The same for a key and arguments that are data, such as an error's. */
  sayData(key: MessageKey, args: Readonly<Record<string, Value>>): string;
}

export function createWording(language: UiLanguage): Wording {
  const catalogue: Catalogue = CATALOGUES[language];
  const fill = (key: MessageKey, args: Readonly<Record<string, Value>>) =>
    fillText(catalogue[key], args, catalogue['list.separator']);
  return {
    language,
    say: (key, ...args) => fill(key, args[0] ?? {}),
    sayData: fill,
  };
}

/** Puts arguments, made safe to show, in the place of `{name}`; they are not filled in turn. */
export function fillText(
  text: string,
  args: Readonly<Record<string, Value>>,
  separator: string,
): string {
  return text.replace(/\{([a-zA-Z]+)\}/g, (whole, name: string) => {
    const value = args[name];
    if (value === undefined) return whole;
    const shown = typeof value === 'object' ? value.join(separator) : String(value);
    // On one line: a name from outside must not look like a line of ours.
    return stripControls(shown).replaceAll('\n', '\\n').replaceAll('\t', '\\t');
  });
}
