import type { ValidationSummary } from '../diagnostics/finding.ts';
import { formatDiff } from '../diagnostics/format-diff.ts';
import { FORMATS } from '../diagnostics/formats/formats.ts';
import { createFindingWording } from '../diagnostics/wording/finding-wording.ts';
import type { CheckedFile } from '../envelope/check-file.ts';
import { type CheckOptions, checkFile } from '../envelope/check-file.ts';
import { applyFix, planFix } from '../envelope/fix-file.ts';
import { KINDS, type Kind } from '../envelope/kinds.ts';
import { createResponse } from '../envelope/protocol-response.ts';
import { RULES, TEXT_RULES } from '../envelope/rules.ts';
import { CliError } from '../errors.ts';
import { errnoOf, toFileError } from '../io/files.ts';
import { type FoundInput, findInputs } from '../io/find-inputs.ts';
import { findNearest } from '../nearest.ts';
import { createWording } from '../wording/wording.ts';
import { type CommandTools, type DefineCommand, readCwd, valueOption } from './command.ts';

interface ValidateFlags {
  kind?: string;
  schema?: string;
  format?: string;
  json?: boolean;
  fix?: boolean;
  dryRun?: boolean;
  strict?: boolean;
  quiet?: boolean;
  rules?: boolean;
}

const OUTPUTS = [...Object.keys(FORMATS), 'response'] as (keyof typeof FORMATS | 'response')[];
/** With fewer files there is nothing to wait for. */
const PROGRESS_FROM = 200;

export const defineValidate: DefineCommand = (command, tools) => {
  const { say } = tools.wording;
  command
    .usage(say('validate.usage'))
    .description(say('validate.description'))
    .argument('[paths...]', say('validate.paths'))
    .addOption(valueOption('-k, --kind <kind>', say('validate.kind', { kinds: KINDS })))
    .addOption(valueOption('-s, --schema <file>', say('validate.schema')))
    .addOption(valueOption('-f, --format <name>', say('validate.format', { formats: OUTPUTS })))
    .option('--json', say('validate.json'))
    .option('--fix', say('validate.fix'))
    .option('-n, --dry-run', say('validate.dry-run'))
    .option('--strict', say('validate.strict'))
    .option('-q, --quiet', say('validate.quiet'))
    .option('--rules', say('validate.rules'))
    .action((paths: string[], flags: ValidateFlags) => runValidate(paths, flags, tools));
};

async function runValidate(paths: string[], flags: ValidateFlags, tools: CommandTools) {
  const { context } = tools;
  if (flags.rules) {
    context.stdout.write(formatRules(tools));
    return;
  }
  if (paths.length === 0) {
    throw new CliError('missing-argument', { argument: '<paths>', command: 'validate' });
  }
  const output = chooseOutput(flags, tools);
  const kind = flags.kind === undefined ? undefined : parseChoice('--kind', flags.kind, KINDS);
  const options: CheckOptions = {
    kind,
    ...(flags.schema === undefined ? {} : { check: await readSchema(flags.schema, tools) }),
  };
  const inputs = findInputs(context.fs, readCwd(context), paths);
  if (flags.fix) for (const input of inputs) fixInput(input, kind, flags, tools);
  const reports = checkAll(inputs, options, tools);
  const summary = summarise(reports);
  if (output === 'response') writeResponse(reports, tools);
  else {
    const language = output === 'json' ? 'en' : tools.wording.language;
    const text = FORMATS[output]({
      reports,
      summary,
      wording: createFindingWording(language),
      say: createWording(language).say,
      colors: context.stdout.colors,
      version: tools.package.version,
      rules: [...RULES, ...TEXT_RULES],
      quiet: flags.quiet ?? false,
    });
    context.stdout.write(text);
  }
  tools.setExitCode(decideExitCode(summary, flags));
}

function decideExitCode({ unreadable, errors, warnings }: ValidationSummary, flags: ValidateFlags) {
  if (unreadable > 0) return 2;
  return errors > 0 || (flags.strict && warnings > 0) ? 1 : 0;
}

function chooseOutput(flags: ValidateFlags, { context }: CommandTools) {
  if (flags.format !== undefined) return parseChoice('--format', flags.format, OUTPUTS);
  if (flags.json) return 'json';
  return context.env.GITHUB_ACTIONS === 'true' ? 'github' : 'pretty';
}

function parseChoice<Value extends string>(
  option: string,
  given: string,
  available: readonly Value[],
): Value {
  const value = available.find((it) => it === given);
  if (value !== undefined) return value;
  const nearest = findNearest(given, available);
  const near = nearest === undefined ? {} : { nearest };
  throw new CliError('unknown-value', { option, given, available, ...near });
}

async function readSchema(file: string, { context }: CommandTools) {
  try {
    const { compileSchema } = await import('../envelope/user-schema.ts');
    const [input] = findInputs(context.fs, readCwd(context), [file]);
    if (input === undefined || 'errno' in input) throw new Error(input?.errno ?? 'ENOENT');
    return compileSchema(JSON.parse(context.fs.readFileSync(input.file, 'utf8')));
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    throw new CliError('bad-schema', { path: file, detail }, error);
  }
}

function fixInput(
  input: FoundInput,
  kind: Kind | undefined,
  flags: ValidateFlags,
  { context }: CommandTools,
): void {
  if ('errno' in input || input.isStream) return;
  try {
    const fix = planFix(context.fs, input, kind);
    if (fix === undefined) return;
    if (flags.dryRun) {
      const { colors } = context.stderr;
      context.stderr.write(formatDiff(input.path, fix.before, fix.after, colors));
    } else applyFix(context.fs, input, fix);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return; // gone meanwhile: the check says so
    throw toFileError(error, input.path);
  }
}

function checkAll(inputs: readonly FoundInput[], options: CheckOptions, tools: CommandTools) {
  const { stderr, fs } = tools.context;
  const showsProgress = stderr.isTTY && inputs.length >= PROGRESS_FROM;
  const reports = inputs.map((input, index) => {
    if (showsProgress && index % 100 === 0) stderr.write(`\r${index}/${inputs.length}`);
    return checkFile(fs, input, options);
  });
  if (showsProgress) stderr.write(`\r${' '.repeat(24)}\r`);
  return reports;
}

function summarise(reports: readonly CheckedFile[]): ValidationSummary {
  const sum = (count: (report: CheckedFile) => number) =>
    reports.reduce((total, report) => total + count(report), 0);
  return {
    files: reports.length,
    documents: sum((report) => report.documents),
    errors: sum((report) => report.errors),
    warnings: sum((report) => report.warnings),
    unreadable: sum((report) => (report.unreadable ? 1 : 0)),
  };
}

function writeResponse(reports: readonly CheckedFile[], { context }: CommandTools): void {
  const [report, ...others] = reports;
  if (report === undefined || others.length > 0 || report.documents > 1) {
    throw new CliError('response-needs-one');
  }
  if (report.unreadable) {
    throw new CliError('unreadable', { path: report.path, errno: report.unreadable.errno });
  }
  const response = createResponse(report.findings, createFindingWording('en'));
  context.stdout.write(`${JSON.stringify(response)}\n`);
}

function formatRules({ context, wording }: CommandTools): string {
  const { colors } = context.stdout;
  const words = createFindingWording(wording.language);
  return [...RULES, ...TEXT_RULES]
    .map(({ id, severity }) => {
      const label = severity === 'error' ? 'error.label' : 'validate.warning-label';
      return `${colors.bold(id)} (${wording.say(label)})\n  ${words.meaning(id)}\n`;
    })
    .join('');
}
