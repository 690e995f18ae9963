import path from 'node:path';
import { stripControls } from '../io/terminal.ts';
import { readLocale } from '../locale.ts';
import { PROTOCOL_VERSION } from '../protocol/constants.ts';
import { type Installation, installSkill, readInstalledLanguage } from '../scaffold/install.ts';
import {
  DEFAULT_LANGUAGE,
  parseLanguage,
  readLanguages,
  suggestLanguage,
} from '../scaffold/languages.ts';
import type { FileAction } from '../scaffold/plan.ts';
import { ENTRY_FILE } from '../scaffold/skill-files.ts';
import type { Wording } from '../wording/wording.ts';
import { type CommandTools, type DefineCommand, readCwd, valueOption } from './command.ts';

interface InitFlags {
  lang?: string;
  dir: string;
  dryRun?: boolean;
  force?: boolean;
  yes?: boolean;
  json?: boolean;
}

export const defineInit: DefineCommand = (command, tools) => {
  const { say } = tools.wording;
  const languages = readLanguages(tools.context.fs, tools.context.packageRoot);
  command
    .description(say('init.description'))
    .addOption(valueOption('-l, --lang <tag>', say('init.lang', { languages })))
    .addOption(valueOption('-d, --dir <path>', say('init.dir')))
    .option('-n, --dry-run', say('init.dry-run'))
    .option('-f, --force', say('init.force'))
    .option('-y, --yes', say('init.yes'))
    .option('--json', say('init.json'))
    .action((flags: Partial<InitFlags>) => runInit({ dir: 'chorus', ...flags }, languages, tools));
};

async function runInit(
  flags: InitFlags,
  languages: readonly string[],
  tools: CommandTools,
): Promise<void> {
  const { context } = tools;
  const request = {
    cwd: readCwd(context),
    dir: flags.dir,
    packageRoot: context.packageRoot,
    package: tools.package,
    force: flags.force ?? false,
    dryRun: flags.dryRun ?? false,
  };
  // Nobody is asked a question only to be refused after it.
  const check = () =>
    installSkill(context.fs, { ...request, language: DEFAULT_LANGUAGE, dryRun: true });
  const { language, asked } = await chooseLanguage(flags, languages, tools, check);
  const installation = installSkill(context.fs, { ...request, language });
  if (flags.json) {
    context.stdout.write(formatJson(installation, language, flags, tools));
    return;
  }
  context.stdout.write(formatText(installation, language, flags, tools));
  if (asked) {
    const command = [tools.program, 'init', '--lang', language, ...repeatFlags(flags)].join(' ');
    context.stderr.write(`${tools.wording.say('init.skip-prompts', { command })}\n`);
  }
}

async function chooseLanguage(
  flags: InitFlags,
  languages: readonly string[],
  { context, wording }: CommandTools,
  beforeAsking: () => void,
): Promise<{ language: string; asked: boolean }> {
  if (flags.lang !== undefined) {
    return { language: parseLanguage(flags.lang, languages), asked: false };
  }
  const installed = flags.force
    ? readInstalledLanguage(context.fs, readCwd(context), flags.dir)
    : undefined;
  if (installed !== undefined && languages.includes(installed)) {
    return { language: installed, asked: false };
  }
  const { dialogue } = context;
  if (flags.json || !dialogue) return { language: DEFAULT_LANGUAGE, asked: false };
  const suggested = suggestLanguage(readLocale(context.env), languages);
  if (flags.yes) return { language: suggested, asked: false };
  beforeAsking();
  // Loaded only here: the prompts are the largest part of the program.
  const { askChoice } = await import('../io/prompts.ts');
  const language = await askChoice(dialogue, {
    message: wording.say('init.ask-language'),
    choices: languages.map((tag) => ({ value: tag, label: `${nameLanguage(tag)} (${tag})` })),
    suggested,
  });
  return { language, asked: true };
}

function repeatFlags(flags: InitFlags): string[] {
  return [
    ...(flags.dir === 'chorus' ? [] : ['--dir', quoteForShell(flags.dir)]),
    ...(flags.force ? ['--force'] : []),
    ...(flags.dryRun ? ['--dry-run'] : []),
  ];
}

function quoteForShell(text: string): string {
  return /^[\w./@:-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

function nameLanguage(tag: string): string {
  return new Intl.DisplayNames([tag], { type: 'language' }).of(tag) ?? tag;
}

/** The path as a person in this folder would type it. */
function shortPath(cwd: string, file: string): string {
  const relative = path.relative(cwd, file);
  return relative !== '' && !relative.startsWith('..') ? relative : file;
}

function formatText(
  { target, files }: Installation,
  language: string,
  flags: InitFlags,
  { context, wording }: CommandTools,
): string {
  const { colors } = context.stdout;
  const dir = shortPath(context.cwd, target.folder);
  const title = { protocol: PROTOCOL_VERSION, language, dir };
  const lines = [
    flags.dryRun
      ? colors.bold(wording.say('init.planned', title))
      : colors.bold(colors.green(wording.say('init.done', title))),
    ...(target.real === target.folder
      ? []
      : [wording.say('init.real-path', { dir, real: target.real })]),
    '',
    ...files.map((file) => {
      const note = describeAction(file.action, flags, wording);
      return `  ${stripControls(path.join(dir, file.path))}${note === '' ? '' : colors.dim(`  ${note}`)}`;
    }),
    '',
    ...(flags.dryRun
      ? []
      : [
          `${colors.bold(wording.say('init.next-title'))} ${wording.say('init.next', { skill: path.join(dir, ENTRY_FILE) })}`,
        ]),
  ];
  return `${lines.join('\n').trimEnd()}\n`;
}

function describeAction(action: FileAction, flags: InitFlags, { say }: Wording): string {
  // In a new folder every file is new: nothing to remark.
  if (action === 'create' && !flags.force) return '';
  return say('init.note', { note: say(`init.${flags.dryRun ? 'plan' : 'action'}-${action}`) });
}

function formatJson(
  { target, files }: Installation,
  language: string,
  flags: InitFlags,
  tools: CommandTools,
): string {
  const result = {
    ok: true,
    dryRun: flags.dryRun ?? false,
    dir: target.folder,
    realDir: target.real,
    language,
    protocol: PROTOCOL_VERSION,
    version: tools.package.version,
    files,
    next: { action: 'read', path: path.join(target.folder, ENTRY_FILE) },
  };
  return `${JSON.stringify(result, null, 2)}\n`;
}
