import { stripControls } from '../io/terminal.ts';
import { coreTexts } from './core/texts.ts';

export type UiLanguage = keyof typeof coreTexts;
export const UI_LANGUAGES = Object.keys(coreTexts) as UiLanguage[];

type Catalogue = Readonly<Record<string, string>>;
/** The texts of one area in every language; the English ones say which there are. */
export type Texts<English extends Catalogue = Catalogue> = {
  readonly en: English;
} & Readonly<Record<UiLanguage, Readonly<Record<keyof English, string>>>>;

export type CoreTexts = (typeof coreTexts)['en'];
export type CoreKey = keyof CoreTexts;

type Placeholder<Text> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholder<Rest>
  : never;
type Value = string | number | readonly string[];
type Args<Text> = [Placeholder<Text>] extends [never]
  ? []
  : [args: Record<Placeholder<Text>, Value>];

/** Words for people: those that every command needs, and those of an area. */
export interface Wording<English extends Catalogue = CoreTexts> {
  language: UiLanguage;
  /** The text of a message whose arguments the compiler checks. */
  say<Key extends keyof (English & CoreTexts)>(
    key: Key,
    ...args: Args<(English & CoreTexts)[Key]>
  ): string;
  /** The same for a key and arguments that are data, such as an error's. */
  sayData(key: keyof English | CoreKey, args: Readonly<Record<string, Value>>): string;
}

/** Each area's texts are loaded with the code that needs them, not before. */
export function createWording<English extends Catalogue = CoreTexts>(
  language: UiLanguage,
  texts?: Texts<English>,
): Wording<English> {
  const catalogue: Catalogue = { ...coreTexts[language], ...texts?.[language] };
  const fill = (key: string | number | symbol, args: Readonly<Record<string, Value>>) =>
    fillText(catalogue[String(key)] ?? '', args, coreTexts[language]['list.separator']);
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
