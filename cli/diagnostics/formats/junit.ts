import type { FileReport, Finding } from '../finding.ts';
import {
  countFailures,
  explainUnreadable,
  type Format,
  type FormatInput,
  selectFindings,
  UNREADABLE,
} from './format.ts';

/** JUnit XML: a file is a test, which fails if the file has errors. */
export const formatJunit: Format = (input) => {
  const { reports } = input;
  const counts = formatAttributes({
    name: 'chorus-skill validate',
    tests: reports.length,
    failures: reports.filter((report) => isFailure(report, input)).length,
    errors: reports.filter(({ unreadable }) => unreadable).length,
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${counts}>`,
    ...reports.flatMap((report) => formatSuite(report, input)),
    '</testsuites>',
    '',
  ].join('\n');
};

const isFailure = (report: FileReport, { strict }: FormatInput) =>
  !report.unreadable && countFailures(report, strict) > 0;

function formatSuite(report: FileReport, input: FormatInput): string[] {
  const name = report.path;
  const suite = formatAttributes({
    name,
    tests: 1,
    failures: isFailure(report, input) ? 1 : 0,
    errors: report.unreadable ? 1 : 0,
  });
  return [
    `  <testsuite${suite}>`,
    `    <testcase${formatAttributes({ name, classname: 'chorus-skill.validate' })}>`,
    ...formatOutcome(report, input).map((line) => `      ${line}`),
    '    </testcase>',
    '  </testsuite>',
  ];
}

function formatOutcome(report: FileReport, input: FormatInput): string[] {
  const { wording, quiet, strict } = input;
  if (report.unreadable) {
    const message = explainUnreadable(report.unreadable, input);
    return [`<error${formatAttributes({ message, type: UNREADABLE })}/>`];
  }
  const findings = selectFindings(report, quiet);
  const describe = (finding: Finding) => {
    const { rule, start } = finding;
    const place = `${report.path}:${start.line}:${start.column}`;
    const message = `${place} ${wording.message(finding)} (${rule})`;
    return [message, wording.hint(finding)].filter(Boolean).join('\n');
  };
  const fails = ({ severity }: Finding) => severity === 'error' || strict;
  const failures = findings.filter(fails).map((finding) => {
    const attributes = { message: wording.message(finding), type: finding.rule };
    return `<failure${formatAttributes(attributes)}>${escapeXml(describe(finding))}</failure>`;
  });
  const warnings = findings.filter((finding) => !fails(finding)).map(describe);
  return warnings.length === 0
    ? failures
    : [...failures, `<system-out>${escapeXml(warnings.join('\n'))}</system-out>`];
}

function formatAttributes(attributes: Readonly<Record<string, string | number>>): string {
  return Object.entries(attributes)
    .map(([name, value]) => {
      // Unescaped, a parser would read white space in an attribute as a plain space.
      const text = escapeXml(String(value)).replace(/[\t\n]/g, escapeCharacter);
      return ` ${name}="${text}"`;
    })
    .join('');
}

// What XML 1.0 cannot contain in any form, lone surrogates included.
const ILLEGAL = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;
// Markup, and what an XML parser would change or a terminal act on.
const SPECIAL = /[&<>"'\r\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

function escapeXml(text: string): string {
  return text
    .replace(ILLEGAL, '')
    .replace(SPECIAL, (character) => ENTITIES[character] ?? escapeCharacter(character));
}

function escapeCharacter(character: string): string {
  return `&#${character.charCodeAt(0)};`;
}
