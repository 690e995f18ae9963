import { CliError, type ErrorArgs } from '../errors.ts';
import { errorTexts } from './errors/texts.ts';
import { createWording, type UiLanguage } from './wording.ts';

/** What every message may mention. */
export type Facts = Readonly<Record<'program' | 'package' | 'version', string>>;

/** What is wrong, and what to do. */
export interface Told {
  message: string;
  hint: string;
}

export function wordError(error: CliError, facts: Facts, language: UiLanguage): Told {
  const { sayData } = createWording(language, errorTexts);
  const args: ErrorArgs = { ...facts, ...error.args };
  const { cause } = error;
  if (cause instanceof CliError) args.cause = sayData(`error.${cause.code}`, cause.args);
  const nearest =
    'nearest' in args
      ? sayData('sentence.separator', {}) + sayData('error.did-you-mean', args)
      : '';
  return {
    message: sayData(`error.${error.code}`, args) + nearest,
    hint: sayData(`hint.${error.code}`, args).trim(),
  };
}
