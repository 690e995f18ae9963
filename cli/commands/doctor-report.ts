import type { CheckResult, Group } from '../doctor/check.ts';
import { measureWidth, printJson, stripControls } from '../io/terminal.ts';
import type { doctorTexts } from '../wording/doctor/texts.ts';
import { doctorTexts as texts } from '../wording/doctor/texts.ts';
import { wordError } from '../wording/word-error.ts';
import { createWording, type UiLanguage } from '../wording/wording.ts';
import type { CommandTools } from './command.ts';

export type DoctorTools = CommandTools<typeof doctorTexts.en>;

interface Report {
  results: readonly CheckResult[];
  /** Whether a message could really be received. */
  canReceive: boolean;
  hasFailed: boolean;
  agent: string;
}

const NAME_WIDTH = 14;
const MARKS = { pass: '✓', warn: '!', fail: '✗', skipped: '-' } as const;
const STYLES = { pass: 'green', warn: 'cyan', fail: 'red', skipped: 'dim' } as const;

export function formatGroup(group: Group, { context, wording }: DoctorTools): string {
  return `\n${context.stdout.colors.bold(wording.say(`doctor.group-${group}`))}\n`;
}

export function formatResult(result: CheckResult, tools: DoctorTools): string {
  const { colors } = tools.context.stdout;
  const { say, sayData } = tools.wording;
  const { check, outcome, fixed } = result;
  const name = check.title ?? sayData(`check.${check.id}` as 'check.key', {});
  const gap = ' '.repeat(Math.max(1, NAME_WIDTH - measureWidth(name)));
  const { message, remedy } = wordResult(result, tools, tools.wording.language);
  const mark = colors[STYLES[outcome]](MARKS[outcome]);
  const shown = outcome === 'skipped' ? colors.dim(message) : message;
  const lines = [`  ${mark} ${name}${gap}${shown}`];
  const indent = ' '.repeat(NAME_WIDTH + 4);
  if (fixed !== undefined) {
    const was = wordResult({ ...result, finding: fixed }, tools, tools.wording.language).message;
    lines.push(`${indent}${colors.green(say('doctor.fixed-label'))}${say('sentence.colon')}${was}`);
  }
  if (remedy !== '')
    lines.push(
      `${indent}${colors.cyan(say('doctor.remedy-label'))}${say('sentence.colon')}${remedy}`,
    );
  return `${lines.join('\n')}\n`;
}

export function formatSummary(report: Report, { context, wording }: DoctorTools): string {
  const { say } = wording;
  const { colors } = context.stdout;
  const { canReceive, hasFailed, agent } = report;
  const counts = countOutcomes(report.results);
  const failed = colors.red(say('doctor.not-fine', counts));
  const fine = () => {
    if (!canReceive) return say('doctor.not-known');
    return counts.warnings === 0
      ? colors.green(say('doctor.all-fine', { agent }))
      : say('doctor.fine-with-warnings', { agent, ...counts });
  };
  return `\n${colors.bold(hasFailed ? failed : fine())}\n`;
}

/** The same in every language. */
export function formatDoctorJson(
  report: Report & { ms: number; isOffline: boolean },
  tools: DoctorTools,
): string {
  const { results, canReceive, hasFailed, ms, isOffline } = report;
  return printJson({
    ok: !hasFailed,
    canReceive,
    offline: isOffline,
    ms,
    counts: countOutcomes(results),
    checks: results.map((result) => ({
      id: result.check.id,
      group: result.check.group,
      outcome: result.outcome,
      code: result.finding?.code ?? result.error?.code ?? null,
      ...wordResult(result, tools, 'en'),
      args: result.finding?.args ?? result.error?.args ?? {},
      skippedBecause: result.because ?? null,
      fixed: result.fixed?.code ?? null,
      ms: result.ms,
    })),
  });
}

function countOutcomes(results: readonly CheckResult[]) {
  const count = (wanted: CheckResult['outcome']) =>
    results.filter(({ outcome }) => outcome === wanted).length;
  return {
    passed: count('pass'),
    warnings: count('warn'),
    failed: count('fail'),
    skipped: count('skipped'),
  };
}

/** What was found, and what to do about it. */
function wordResult(
  { finding, error, because }: CheckResult,
  tools: DoctorTools,
  language: UiLanguage,
): { message: string; remedy: string } {
  const { sayData, say } = createWording(language, texts);
  const { program } = tools;
  if (error) {
    const facts = { program, package: tools.package.name, version: tools.package.version };
    const { message, hint } = wordError(error, facts, language);
    return { message, remedy: hint };
  }
  if (finding) {
    const args = { program, ...finding.args };
    const words = (key: string) => stripControls(sayData(key as 'doctor.hub', args));
    return { message: words(`finding.${finding.code}`), remedy: words(`remedy.${finding.code}`) };
  }
  if (because === 'offline') return { message: say('doctor.skipped-offline'), remedy: '' };
  const name = sayData(`check.${because}` as 'check.key', {});
  return { message: say('doctor.skipped', { because: name }), remedy: '' };
}
