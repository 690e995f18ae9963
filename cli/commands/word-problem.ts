import type { CliError } from '../errors.ts';
import { type Told, wordError } from '../wording/word-error.ts';
import type { UiLanguage } from '../wording/wording.ts';
import type { HostTools } from './describe-place.ts';

/** An error that does not end the run, in words: of the user, or of `--json`. */
export function wordProblem(error: CliError, tools: HostTools, language: UiLanguage): Told {
  const { name, version } = tools.package;
  return wordError(error, { program: tools.program, package: name, version }, language);
}
