import { printJson } from '../../io/terminal.ts';
import type { FileReport, Finding, Position, Severity } from '../finding.ts';
import {
  explainUnreadable,
  type Format,
  type FormatInput,
  selectFindings,
  UNREADABLE,
} from './format.ts';

const SCHEMA =
  'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json';

/** SARIF 2.1.0, which code scanning services read. */
export const formatSarif: Format = (input) => {
  const { reports, summary, version } = input;
  const rules = listRules(input);
  const indexes = new Map(rules.map(({ id }, index) => [id, index]));
  return printJson({
    $schema: SCHEMA,
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'chorus-skill', version, rules } },
        columnKind: 'utf16CodeUnits',
        invocations: [{ executionSuccessful: summary.unreadable === 0 }],
        results: reports.flatMap((report) =>
          listResults(report, input).map((result) => {
            const ruleIndex = indexes.get(result.ruleId);
            return ruleIndex === undefined ? result : { ...result, ruleIndex };
          }),
        ),
      },
    ],
  });
};

function listRules(input: FormatInput) {
  const { reports, rules, wording } = input;
  const describe = (id: string, level: Severity, text: string) => ({
    id,
    shortDescription: { text: text || id },
    defaultConfiguration: { level },
  });
  const listed = rules.map(({ id, severity }) => describe(id, severity, wording.meaning(id)));
  const unreadable = reports.find((report) => report.unreadable)?.unreadable;
  return unreadable
    ? [...listed, describe(UNREADABLE, 'error', explainUnreadable(unreadable, input))]
    : listed;
}

function listResults(report: FileReport, input: FormatInput) {
  const { quiet, wording } = input;
  const artifactLocation = { uri: formatUri(report.path) };
  if (report.unreadable) {
    const text = explainUnreadable(report.unreadable, input);
    return [
      {
        ruleId: UNREADABLE,
        level: 'error',
        message: { text },
        locations: [{ physicalLocation: { artifactLocation } }],
      },
    ];
  }
  return selectFindings(report, quiet).map((finding: Finding) => ({
    ruleId: finding.rule,
    level: finding.severity,
    message: {
      text: [wording.message(finding), wording.hint(finding)].filter(Boolean).join('\n'),
    },
    locations: [
      {
        physicalLocation: { artifactLocation, region: createRegion(finding) },
        ...(finding.pointer && { logicalLocations: [{ fullyQualifiedName: finding.pointer }] }),
      },
    ],
  }));
}

function createRegion({ start, end }: { start: Position; end: Position }) {
  return {
    startLine: start.line,
    startColumn: start.column,
    endLine: end.line,
    endColumn: end.column,
  };
}

/** A path as SARIF wants it: with forward slashes, and absolute ones as `file:` addresses. */
function formatUri(path: string): string {
  const segments = path
    .replaceAll('\\', '/')
    .replace(/^(?:\.\/+)+/, '')
    .split('/');
  const [first = ''] = segments;
  // A lone half of a surrogate pair has no encoding and would throw.
  const encoded = segments.map((segment) =>
    encodeURIComponent(segment.replace(/\p{Surrogate}/gu, '\ufffd')),
  );
  if (/^[a-z]:$/i.test(first)) return `file:///${[first, ...encoded.slice(1)].join('/')}`;
  return first === '' && segments.length > 1 ? `file://${encoded.join('/')}` : encoded.join('/');
}
