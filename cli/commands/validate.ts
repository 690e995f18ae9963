import type { ValidationSummary } from '../diagnostics/finding.ts';
import { formatDiff } from '../diagnostics/format-diff.ts';
import { countFailures } from '../diagnostics/formats/format.ts';
import { FORMATS } from '../diagnostics/formats/formats.ts';
import { formatRules, listRules } from '../diagnostics/list-rules.ts';
import { createFindingWording } from '../diagnostics/wording/finding-wording.ts';
import { type CheckedFile, type CheckOptions, checkFile } from '../envelope/check-file.ts';
import { applyFix, planFix } from '../envelope/fix-file.ts';
import { KINDS } from '../envelope/kinds.ts';
import { createResponse } from '../envelope/protocol-response.ts';
import { RULES, TEXT_RULES } from '../envelope/rules.ts';
import { CliError } from '../errors.ts';
import { errnoOf } from '../io/files.ts';
import { type FoundInput, findInputs, STANDARD_INPUT } from '../io/find-inputs.ts';
import { readWhole } from '../io/read-text.ts';
import { endAtOnceWhenStopped } from '../io/stop-signal.ts';
import { printJson } from '../io/terminal.ts';
import { validateTexts } from '../wording/validate/texts.ts';
import { createWording } from '../wording/wording.ts';
import {
  type CommandTools,
  type DefineCommand,
  parseChoice,
  readCwd,
  valueOption,
  withTexts,
} from './command.ts';

type ValidateTools = CommandTools<typeof validateTexts.en>;

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

export const defineValidate: DefineCommand = (command, programTools) => {
  const tools = withTexts(programTools, validateTexts);
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

async function runValidate(paths: string[], flags: ValidateFlags, tools: ValidateTools) {
  const { context } = tools;
  refuseConflicts(paths, flags);
  if (flags.rules) {
    const { wording } = tools;
    context.stdout.write(
      flags.json ? printJson(listRules('en')) : formatRules(wording, context.stdout.colors),
    );
    return;
  }
  if (paths.length === 0) {
    throw new CliError('missing-argument', { argument: '<paths>', command: 'validate' });
  }
  const output = chooseOutput(flags, tools);
  const options: CheckOptions = {
    kind: flags.kind === undefined ? undefined : parseChoice('--kind', flags.kind, KINDS),
    forEnvelope: output === 'response',
    ...(flags.schema === undefined ? {} : { check: await readSchema(flags.schema, tools) }),
  };
  const inputs = findInputs(context.fs, readCwd(context), paths);
  const fixed = flags.fix ? await fixAll(inputs, options, flags, tools) : new Set();
  endAtOnceWhenStopped();
  const reports = checkAll(inputs, options, tools);
  for (const report of reports) if (fixed.has(report.path)) report.isFixed = true;
  const summary = summarise(reports);
  if (output === 'response') writeResponse(reports, tools);
  else {
    const language = output === 'json' ? 'en' : tools.wording.language;
    const strict = flags.strict ?? false;
    const text = FORMATS[output]({
      reports,
      summary,
      wording: createFindingWording(language),
      say: createWording(language, validateTexts).say,
      colors: context.stdout.colors,
      columns: context.stdout.columns,
      version: tools.package.version,
      rules: [...RULES, ...TEXT_RULES],
      // What counts as an error is shown as one.
      quiet: (flags.quiet ?? false) && !strict,
      strict,
    });
    context.stdout.write(text);
  }
  tools.setExitCode(decideExitCode(summary, flags));
}

/** Options of which one would be ignored: nobody would notice. */
function refuseConflicts(paths: readonly string[], flags: ValidateFlags): void {
  const refuse = (isGiven: unknown, option: string, other: string) => {
    if (isGiven) throw new CliError('conflicting-options', { option, other });
  };
  if (flags.dryRun && !flags.fix) {
    throw new CliError('option-needs', { option: '--dry-run', needed: '--fix' });
  }
  refuse(flags.json && (flags.format ?? 'json') !== 'json', '--json', `--format ${flags.format}`);
  refuse(flags.schema !== undefined && flags.kind !== undefined, '--schema', '--kind');
  refuse(flags.schema !== undefined && flags.fix, '--schema', '--fix');
  refuse(flags.fix && paths.includes(STANDARD_INPUT), '--fix', STANDARD_INPUT);
  refuse(flags.rules && flags.format !== undefined, '--rules', '--format');
  refuse(flags.rules && flags.fix, '--rules', '--fix');
  refuse(flags.rules && paths.length > 0, '--rules', paths[0] ?? '');
}

function decideExitCode(summary: ValidationSummary, flags: ValidateFlags) {
  if (summary.unreadable > 0) return 2;
  return countFailures(summary, flags.strict ?? false) > 0 ? 1 : 0;
}

function chooseOutput(flags: ValidateFlags, { context }: ValidateTools) {
  if (flags.format !== undefined) return parseChoice('--format', flags.format, OUTPUTS);
  if (flags.json) return 'json';
  return context.env.GITHUB_ACTIONS === 'true' ? 'github' : 'pretty';
}

async function readSchema(file: string, { context }: ValidateTools) {
  try {
    const { compileSchema } = await import('../envelope/user-schema.ts');
    const [input] = findInputs(context.fs, readCwd(context), [file]);
    if (input === undefined || 'errno' in input) throw createUnreadable(file, input?.errno);
    return compileSchema(JSON.parse(readWhole(context.fs, input).toString('utf8')));
  } catch (error) {
    if (error instanceof CliError) throw error;
    const detail = error instanceof Error ? error.message : String(error);
    throw new CliError('bad-schema', { path: file, detail }, error);
  }
}

function createUnreadable(path: string, errno = 'ENOENT'): CliError {
  return new CliError(errno === 'ENOENT' ? 'file-missing' : 'unreadable', { path, errno });
}

/** Repairs one file after the other, and returns the names of those that were changed. */
async function fixAll(
  inputs: readonly FoundInput[],
  options: CheckOptions,
  flags: ValidateFlags,
  { context, wording }: ValidateTools,
): Promise<Set<string>> {
  const { fs, stderr } = context;
  const fixed = new Set<string>();
  for (const input of inputs) {
    if ('errno' in input || input.isStream) continue;
    try {
      const fix = planFix(fs, input, options);
      if (fix === undefined) continue;
      if (flags.dryRun) {
        stderr.write(formatDiff(input.path, fix.before, fix.after, stderr.colors));
        continue;
      }
      applyFix(fs, input, fix);
    } catch (error) {
      const errno = errnoOf(error);
      if (errno === undefined) throw error;
      if (errno === 'ENOENT') continue; // gone meanwhile: the check says so
      throw new CliError('fix-failed', { path: input.path, errno }, error);
    }
    fixed.add(input.path);
    stderr.write(`${wording.say('validate.repaired', { path: input.path })}\n`);
    // Between two files is the moment to be stopped.
    await new Promise((resolve) => setImmediate(resolve));
  }
  return fixed;
}

function checkAll(inputs: readonly FoundInput[], options: CheckOptions, tools: ValidateTools) {
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

function writeResponse(reports: readonly CheckedFile[], { context }: ValidateTools): void {
  const unreadable = reports.find((report) => report.unreadable);
  if (unreadable?.unreadable) {
    throw createUnreadable(unreadable.path, unreadable.unreadable.errno);
  }
  const findings = reports.flatMap((report) => report.findings);
  const count = reports.reduce((sum, report) => sum + report.documents, 0);
  if (count > 1 || reports.length > 1 || (count === 0 && findings.length === 0)) {
    throw new CliError('response-needs-one', { count });
  }
  const response = createResponse(findings, createFindingWording('en'));
  context.stdout.write(`${JSON.stringify(response)}\n`);
}
