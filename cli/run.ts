import type { Context } from './context.ts';
import { CliError } from './errors.ts';
import { printJson, printJsonLine } from './io/terminal.ts';
import { matchTag, normaliseTag, readLocale } from './locale.ts';
import { findNearest } from './nearest.ts';
import { type PackageInfo, readPackageInfo, UNKNOWN_PACKAGE } from './package-info.ts';
import { createProgram, isOrderlyEnd } from './program.ts';
import type { Told } from './wording/word-error.ts';
import { createWording, UI_LANGUAGES, type UiLanguage } from './wording/wording.ts';

/** Runs one command line and returns its exit code. */
export async function runCli(argv: readonly string[], context: Context): Promise<number> {
  let language = languageOfLocale(context);
  let info = UNKNOWN_PACKAGE;
  let exitCode = 0;
  let isLines = false;
  try {
    language = readUiLanguage(argv) ?? language;
    const wording = createWording(language);
    info = readPackageInfo(context);
    const program = nameProgram(context, info);
    const setExitCode = (code: number) => {
      exitCode = code;
    };
    const useJsonLines = () => {
      isLines = true;
    };
    const tools = { context, wording, package: info, program, setExitCode, useJsonLines };
    await createProgram(tools).parseAsync(argv, { from: 'user' });
    return exitCode;
  } catch (error) {
    if (isOrderlyEnd(error)) return 0;
    const failure = toFailure(error);
    const facts = {
      program: nameProgram(context, info),
      package: info.name,
      version: info.version,
    };
    const isJson = hasFlag(argv, '--json') && failure.code !== 'output-failed';
    try {
      // The same in every language where a program reads it.
      const { wordError } = await import('./wording/word-error.ts');
      const told = wordError(failure, facts, isJson ? 'en' : language);
      if (isJson) context.stdout.write(formatJsonError(failure, told, isLines));
      else context.stderr.write(formatError(told, language, context));
      if (failure.code === 'bug' && context.env.CHORUS_DEBUG) {
        context.stderr.write(`${(error as Error)?.stack ?? String(error)}\n`);
      }
    } catch {
      // Nowhere left to say it; the exit code still does.
    }
    return failure.exitCode;
  }
}

/** What the user types to run us: under npx our own name is not on the PATH. */
function nameProgram({ env }: Context, info: PackageInfo): string {
  return env.npm_command === 'exec' ? `npx ${info.name}` : 'chorus-skill';
}

function languageOfLocale({ env }: Context): UiLanguage {
  const locale = readLocale(env);
  return (locale && matchTag(locale, UI_LANGUAGES)) || 'en';
}

/** `--ui-lang`: needed before the program can be put together. */
function readUiLanguage(argv: readonly string[]): UiLanguage | undefined {
  const given = readOption(argv, '--ui-lang');
  if (given === undefined) return undefined;
  const tag = normaliseTag(given);
  const language = tag && matchTag(tag, UI_LANGUAGES);
  if (language) return language;
  const nearest = findNearest(given, UI_LANGUAGES);
  throw new CliError('unknown-value', {
    option: '--ui-lang',
    given,
    available: UI_LANGUAGES,
    ...(nearest === undefined ? {} : { nearest }),
  });
}

function readOption(argv: readonly string[], name: string): string | undefined {
  const options = beforeTerminator(argv);
  // The last one counts, as it does for commander.
  const index = options.findLastIndex((it) => it === name || it.startsWith(`${name}=`));
  const found = options[index];
  if (found === undefined || found === name) {
    // Without a value it is commander's to complain.
    return found === undefined ? undefined : options[index + 1];
  }
  return found.slice(name.length + 1);
}

function hasFlag(argv: readonly string[], name: string): boolean {
  return beforeTerminator(argv).includes(name);
}

function beforeTerminator(argv: readonly string[]): readonly string[] {
  const end = argv.indexOf('--');
  return end === -1 ? argv : argv.slice(0, end);
}

function toFailure(error: unknown): CliError {
  if (error instanceof CliError) return error;
  return new CliError(
    'bug',
    { detail: error instanceof Error ? error.message : String(error) },
    error,
  );
}

/** What is wrong, then what to do, each on a line of its own. */
function formatError({ message, hint }: Told, language: UiLanguage, context: Context): string {
  const { colors } = context.stderr;
  const { say } = createWording(language);
  const colon = say('sentence.colon');
  const lines = [`${colors.red(say('error.label'))}${colon}${message}`];
  if (hint !== '') lines.push(`${colors.cyan(say('hint.label'))}${colon}${hint}`);
  return `${lines.join('\n')}\n`;
}

function formatJsonError({ code, args }: CliError, told: Told, isLine: boolean): string {
  return (isLine ? printJsonLine : printJson)({ ok: false, error: { code, ...told, args } });
}
