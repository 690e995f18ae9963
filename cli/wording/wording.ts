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
    catalogue[key].replace(/\{([a-zA-Z]+)\}/g, (whole, name: string) => {
      const value = args[name];
      if (value === undefined) return whole;
      return stripControls(
        typeof value === 'object' ? value.join(catalogue['list.separator']) : String(value),
      );
    });
  return {
    language,
    say: (key, ...args) => fill(key, args[0] ?? {}),
    sayData: fill,
  };
}
