import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import fc from 'fast-check';
import pc from 'picocolors';
import { describe, expect, it } from 'vitest';
import type { FileReport, Finding, FindingWording } from '../../cli/diagnostics/finding.ts';
import type { FormatInput } from '../../cli/diagnostics/formats/format.ts';
import { FORMATS } from '../../cli/diagnostics/formats/formats.ts';
import { type Colors, measureWidth, PLAIN, stripControls } from '../../cli/io/terminal.ts';
import { validateTexts } from '../../cli/wording/validate/texts.ts';
import { createWording, type UiLanguage } from '../../cli/wording/wording.ts';

const WORDS: Record<UiLanguage, FindingWording> = {
  en: {
    message: ({ args }) => stripControls(`"${args.field}" is wrong: 100%, really`),
    hint: ({ rule }) => (rule === 'has-hint' ? 'Write it again.' : ''),
    meaning: (rule) => `meaning of ${rule}`,
  },
  'zh-CN': {
    message: ({ args }) => stripControls(`"${args.field}" 有误`),
    hint: ({ rule }) => (rule === 'has-hint' ? '请重写。' : ''),
    meaning: (rule) => `${rule} 的含义`,
  },
};

const finding = (changes: Partial<Finding> = {}): Finding => ({
  rule: 'has-hint',
  severity: 'error',
  pointer: '/text',
  start: { line: 12, column: 13 },
  end: { line: 12, column: 17 },
  args: { field: 'text' },
  excerpt: '\t"名": "你好", "bad"',
  excerptColumn: 1,
  fixable: false,
  ...changes,
});

const warning = finding({
  rule: 'no-hint',
  severity: 'warning',
  pointer: '',
  start: { line: 1, column: 1 },
  end: { line: 2, column: 1 },
  excerpt: '{<a&b>',
  fixable: true,
});

const REPORTS: readonly FileReport[] = [
  {
    path: './a,b.json',
    kinds: ['envelope'],
    findings: [finding(), warning],
    errors: 3,
    warnings: 1,
  },
  { path: 'good.json', kinds: ['envelope'], findings: [], errors: 0, warnings: 0 },
  {
    path: 'gone.json',
    kinds: [],
    findings: [],
    errors: 0,
    warnings: 0,
    unreadable: { errno: 'EACCES' },
  },
];

const input = (changes: Partial<FormatInput> = {}, language: UiLanguage = 'en'): FormatInput => ({
  reports: REPORTS,
  summary: { files: 3, documents: 2, errors: 3, warnings: 1, unreadable: 1 },
  wording: WORDS[language],
  colors: PLAIN,
  columns: undefined,
  version: '1.2.3',
  rules: [
    { id: 'has-hint', severity: 'error' },
    { id: 'no-hint', severity: 'warning' },
  ],
  quiet: false,
  strict: false,
  say: createWording(language, validateTexts).say,
  ...changes,
});

const one = (changes: Partial<Finding>): Partial<FormatInput> => ({
  reports: [{ path: 'a', kinds: [], findings: [finding(changes)], errors: 1, warnings: 0 }],
});

const CLEAN: Partial<FormatInput> = {
  reports: [REPORTS[1] as FileReport],
  summary: { files: 1, documents: 1, errors: 0, warnings: 0, unreadable: 0 },
};

describe('pretty', () => {
  it('shows each finding in its line, then the counts', () => {
    expect(FORMATS.pretty(input())).toBe(
      `./a,b.json:12:13 error "text" is wrong: 100%, really (has-hint)
  12 |  "名": "你好", "bad"
     |                ^^^^
  try: Write it again.

./a,b.json:1:1 warning "text" is wrong: 100%, really (no-hint)
  1 | {<a&b>
    | ^^^^^^

./a,b.json more findings, not shown: 2

gone.json error cannot be read: no permission (EACCES)

files: 3, documents: 2, errors: 3, warnings: 1
files that cannot be read: 1
can be repaired with --fix: 1
`,
    );
  });

  it('says the same in Chinese', () => {
    expect(FORMATS.pretty(input({}, 'zh-CN'))).toBe(
      `./a,b.json:12:13 错误 "text" 有误 (has-hint)
  12 |  "名": "你好", "bad"
     |                ^^^^
  建议：请重写。

./a,b.json:1:1 警告 "text" 有误 (no-hint)
  1 | {<a&b>
    | ^^^^^^

./a,b.json 另有 2 个问题未显示

gone.json 错误 无法读取：没有权限（EACCES）

文件 3 个，文档 2 个，错误 3 个，警告 1 个
无法读取的文件：1 个
其中 1 个可用 --fix 自动修复
`,
    );
  });

  it('says that all is valid, unless it shall be quiet', () => {
    expect(FORMATS.pretty(input(CLEAN))).toBe('all valid (files: 1, documents: 1)\n');
    expect(FORMATS.pretty(input({ ...CLEAN, quiet: true }))).toBe('');
  });

  it('marks wide characters with two carets each, and escapes with as many as they show', () => {
    const frame = (changes: Partial<Finding>) =>
      FORMATS.pretty(input(one(changes)))
        .split('\n')
        .slice(1, 3);
    const at = (from: number, to: number) => ({
      start: { line: 1, column: from },
      end: { line: 1, column: to },
    });
    expect(frame({ excerpt: '"你好"', ...at(2, 4) })).toEqual(['  1 | "你好"', '    |  ^^^^']);
    expect(frame({ excerpt: '\u001b\u001b!', ...at(2, 3) })).toEqual([
      '  1 | \\u001b\\u001b!',
      '    |       ^^^^^^',
    ]);
    expect(frame({ excerpt: '{', ...at(2, 2) })).toEqual(['  1 | {', '    |  ^']);
  });

  it('cuts a long line around the finding', () => {
    const excerpt = `${'x'.repeat(500)}HERE${'y'.repeat(500)}`;
    const place = { start: { line: 1, column: 501 }, end: { line: 1, column: 505 } };
    const [, source = '', carets = ''] = FORMATS.pretty(input(one({ excerpt, ...place }))).split(
      '\n',
    );
    expect(source).toBe(`  1 | …${'x'.repeat(39)}HERE${'y'.repeat(55)}…`);
    expect(carets.indexOf('^^^^')).toBe(source.indexOf('HERE'));
  });
});

it('no line of source is wider than the terminal, and the carets are below their place', () => {
  fc.assert(
    fc.property(fc.integer({ min: 30, max: 120 }), fc.nat(200), fc.nat(200), (columns, a, b) => {
      const excerpt = `${'x'.repeat(a)}HERE${'你'.repeat(b)}`;
      const place = { start: { line: 7, column: a + 1 }, end: { line: 7, column: a + 5 } };
      const shown = FORMATS.pretty(input({ ...one({ excerpt, ...place }), columns })).split('\n');
      const [, source = '', carets = ''] = shown;
      expect(measureWidth(source)).toBeLessThanOrEqual(columns);
      expect(carets.indexOf('^^^^')).toBe(source.indexOf('HERE'));
    }),
  );
});

describe('json', () => {
  it('says everything as data', () => {
    const result = JSON.parse(FORMATS.json(input()));
    expect(result).toEqual({
      ok: false,
      summary: { files: 3, documents: 2, errors: 3, warnings: 1, unreadable: 1 },
      files: [
        {
          path: './a,b.json',
          kinds: ['envelope'],
          errors: 3,
          warnings: 1,
          findings: [expect.anything(), expect.objectContaining({ rule: 'no-hint', hint: '' })],
        },
        { path: 'good.json', kinds: ['envelope'], errors: 0, warnings: 0, findings: [] },
        {
          path: 'gone.json',
          kinds: [],
          errors: 0,
          warnings: 0,
          unreadable: { errno: 'EACCES', message: 'cannot be read: no permission (EACCES)' },
          findings: [],
        },
      ],
    });
    expect(result.files[0].findings[0]).toEqual({
      rule: 'has-hint',
      severity: 'error',
      pointer: '/text',
      line: 12,
      column: 13,
      endLine: 12,
      endColumn: 17,
      message: '"text" is wrong: 100%, really',
      hint: 'Write it again.',
      args: { field: 'text' },
      fixable: false,
    });
    expect(JSON.parse(FORMATS.json(input(CLEAN))).ok).toBe(true);
  });
});

/** Reads a workflow command as the runner of GitHub Actions does. */
function parseCommand(line: string) {
  const [, level, list = '', data = ''] = /^::(\w+) (.*?)::(.*)$/s.exec(line) ?? [];
  const readData = (text: string) =>
    text.replaceAll('%0D', '\r').replaceAll('%0A', '\n').replaceAll('%25', '%');
  const readProperty = (text: string) =>
    readData(text.replaceAll('%3A', ':').replaceAll('%2C', ','));
  const properties = Object.fromEntries(
    list.split(',').map((pair) => {
      const at = pair.indexOf('=');
      return [pair.slice(0, at), readProperty(pair.slice(at + 1))];
    }),
  );
  return { level, properties, message: readData(data) };
}

describe('github', () => {
  it('writes annotations with the official escapes', () => {
    expect(FORMATS.github(input())).toBe(
      `::error file=a%2Cb.json,line=12,endLine=12,col=13,title=has-hint::"text" is wrong: 100%25, really%0AWrite it again.
::warning file=a%2Cb.json,line=1,endLine=2,col=1,title=no-hint::"text" is wrong: 100%25, really
::error file=gone.json,title=unreadable::cannot be read: no permission (EACCES)
files: 3, documents: 2, errors: 3, warnings: 1
`,
    );
    expect(FORMATS.github(input(CLEAN))).toBe('all valid (files: 1, documents: 1)\n');
  });

  it('is read back as it was meant', () => {
    const text = fc.string({ unit: fc.constantFrom('%', ':', ',', '\n', '=', 'A', '0', '你') });
    fc.assert(
      fc.property(text, text, (path, message) => {
        fc.pre(!path.includes('\n') && message !== '');
        const wording = { ...WORDS.en, message: () => message, hint: () => '' };
        const reports = [{ ...(REPORTS[0] as FileReport), path, findings: [finding()] }];
        const [line = ''] = FORMATS.github(input({ wording, reports })).split('\n');
        const command = parseCommand(line);
        expect(command).toMatchObject({ level: 'error', message, properties: { file: path } });
      }),
    );
  });
});

const schema = JSON.parse(
  readFileSync(new URL('../fixtures/sarif-2.1.0.schema.json', import.meta.url), 'utf8'),
);
const isSarif = new Ajv({
  strict: false,
  // One pattern of the official schema is no valid Unicode regular expression.
  unicodeRegExp: false,
  formats: {
    uri: (text: string) => URL.canParse(text),
    'uri-reference': /^(?:[\w\-.~!$&'()*+,;=:@/?#]|%[0-9A-F]{2})*$/,
    'date-time': true,
  },
}).compile(schema);
const checkSarif = (text: string) => {
  const log = JSON.parse(text);
  isSarif(log);
  expect(isSarif.errors ?? []).toEqual([]);
  return log.runs[0];
};

describe('sarif', () => {
  it('is valid and tells rules, places and unreadable files', () => {
    const run = checkSarif(FORMATS.sarif(input()));
    expect(run.tool.driver).toMatchObject({ name: 'chorus-skill', version: '1.2.3' });
    expect(run.tool.driver.rules.map(({ id }: { id: string }) => id)).toEqual([
      'has-hint',
      'no-hint',
      'unreadable',
    ]);
    expect(run.columnKind).toBe('utf16CodeUnits');
    expect(run.invocations).toEqual([{ executionSuccessful: false }]);
    expect(run.results).toEqual([
      {
        ruleId: 'has-hint',
        ruleIndex: 0,
        level: 'error',
        message: { text: '"text" is wrong: 100%, really\nWrite it again.' },
        locations: [
          {
            physicalLocation: {
              artifactLocation: { uri: 'a%2Cb.json' },
              region: { startLine: 12, startColumn: 13, endLine: 12, endColumn: 17 },
            },
            logicalLocations: [{ fullyQualifiedName: '/text' }],
          },
        ],
      },
      expect.objectContaining({ ruleId: 'no-hint', ruleIndex: 1, level: 'warning' }),
      {
        ruleId: 'unreadable',
        ruleIndex: 2,
        level: 'error',
        message: { text: 'cannot be read: no permission (EACCES)' },
        locations: [{ physicalLocation: { artifactLocation: { uri: 'gone.json' } } }],
      },
    ]);
    expect(checkSarif(FORMATS.sarif(input(CLEAN))).results).toEqual([]);
  });

  it.each([
    ['sub/a b#1?.json', 'sub/a%20b%231%3F.json'],
    ['信封.json', '%E4%BF%A1%E5%B0%81.json'],
    ['c:x.json', 'c%3Ax.json'],
    ['/tmp/a.json', 'file:///tmp/a.json'],
    ['C:\\sub\\a.json', 'file:///C:/sub/a.json'],
    ['.\\sub\\a.json', 'sub/a.json'],
    ['\ud800', '%EF%BF%BD'],
  ])('addresses %j as %s', (path, uri) => {
    const reports = [{ ...(REPORTS[0] as FileReport), path }];
    const [{ locations }] = checkSarif(FORMATS.sarif(input({ reports }))).results;
    expect(locations[0].physicalLocation.artifactLocation.uri).toBe(uri);
  });
});

/** Whether a text is well-formed, as far as this format can go wrong. */
function checkXml(text: string) {
  const reference = '&(?:amp|lt|gt|quot|apos|#\\d+);';
  const attribute = ` [a-z]+="(?:[^<>&"\\n\\t]|${reference})*"`;
  const token = new RegExp(
    `<\\?xml version="1\\.0" encoding="UTF-8"\\?>|<(/?)([a-z-]+)((?:${attribute})*)(/?)>|(?:[^<>&]|${reference})+`,
    'gy',
  );
  const open: string[] = [];
  let end = 0;
  for (const match of text.matchAll(token)) {
    end = match.index + match[0].length;
    const [, closing, name, , empty] = match;
    if (name === undefined) continue;
    if (closing) expect(open.pop()).toBe(name);
    else if (!empty) open.push(name);
  }
  expect(text.slice(end)).toBe('');
  expect(open).toEqual([]);
  expect(text).not.toMatch(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u);
}

describe('junit', () => {
  it('is a test per file, with failures for errors', () => {
    const text = FORMATS.junit(input());
    checkXml(text);
    expect(text).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="chorus-skill validate" tests="3" failures="1" errors="1">
  <testsuite name="./a,b.json" tests="1" failures="1" errors="0">
    <testcase name="./a,b.json" classname="chorus-skill.validate">
      <failure message="&quot;text&quot; is wrong: 100%, really" type="has-hint">./a,b.json:12:13 &quot;text&quot; is wrong: 100%, really (has-hint)
Write it again.</failure>
      <system-out>./a,b.json:1:1 &quot;text&quot; is wrong: 100%, really (no-hint)</system-out>
    </testcase>
  </testsuite>
  <testsuite name="good.json" tests="1" failures="0" errors="0">
    <testcase name="good.json" classname="chorus-skill.validate">
    </testcase>
  </testsuite>
  <testsuite name="gone.json" tests="1" failures="0" errors="1">
    <testcase name="gone.json" classname="chorus-skill.validate">
      <error message="cannot be read: no permission (EACCES)" type="unreadable"/>
    </testcase>
  </testsuite>
</testsuites>
`);
  });

  it('removes what XML cannot contain and escapes the rest', () => {
    const path = '<a&"b\'>\u0000\u001b\ud800\ufffe\n\t\u009b';
    const text = FORMATS.junit(input({ reports: [{ ...(REPORTS[1] as FileReport), path }] }));
    checkXml(text);
    expect(text).toContain('name="&lt;a&amp;&quot;b&apos;&gt;&#10;&#9;&#155;"');
  });
});

it.each(Object.entries(FORMATS))('%s leaves warnings out when quiet', (_, format) => {
  expect(format(input())).toContain('no-hint');
  const quiet = format(input({ quiet: true, rules: [] }));
  expect(quiet).not.toContain('no-hint');
  expect(quiet).toContain('has-hint');
});

describe('whatever a file contains', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units)),
    fc.string({
      unit: fc.constantFrom(
        '\u001b[',
        '\n',
        '\t',
        '\r',
        '\u009b',
        '\ud83d',
        '\ude00',
        '你',
        '%',
        ']]>',
        '::',
      ),
    }),
  );
  const position = fc.record({
    line: fc.integer({ min: 1, max: 3 }),
    column: fc.integer({ min: 1, max: 200 }),
  });
  const anyFinding: fc.Arbitrary<Finding> = fc.record({
    rule: text,
    severity: fc.constantFrom('error' as const, 'warning' as const),
    pointer: text,
    start: position,
    end: position,
    args: fc.record({ field: text }),
    excerpt: fc.oneof(
      text,
      text.map((part) => part.repeat(40)),
    ),
    excerptColumn: fc.integer({ min: 1, max: 300 }),
    fixable: fc.boolean(),
  });
  const anyReport: fc.Arbitrary<FileReport> = fc.record(
    {
      path: text,
      kinds: fc.array(text),
      findings: fc.array(anyFinding, { maxLength: 3 }),
      errors: fc.nat(5),
      warnings: fc.nat(5),
      unreadable: fc.record({ errno: text }),
    },
    { requiredKeys: ['path', 'kinds', 'findings', 'errors', 'warnings'] },
  );
  const reports = fc.array(anyReport, { maxLength: 3 });
  const CONTROLS = /[\p{Cc}\p{Bidi_Control}]/u;

  it.each(['pretty', 'github'] as const)('%s shows no control characters', (name) => {
    fc.assert(
      fc.property(reports, fc.boolean(), (reports, quiet) => {
        expect(FORMATS[name](input({ reports, quiet })).replaceAll('\n', '')).not.toMatch(CONTROLS);
      }),
    );
  });

  it('pretty shows no control characters but those of its own colours', () => {
    const colors: Colors = pc.createColors(true);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the purpose
    const own = /\u001b\[\d+m|\n/g;
    fc.assert(
      fc.property(reports, (reports) => {
        const shown = FORMATS.pretty(input({ reports, colors }));
        expect(shown).toMatch(own);
        expect(shown.replace(own, '')).not.toMatch(CONTROLS);
      }),
    );
  });

  it('a file can add no line to pretty or github', () => {
    fc.assert(
      fc.property(text, (path) => {
        const reports = [{ ...(REPORTS[2] as FileReport), path }];
        expect(FORMATS.github(input({ reports })).split('\n')).toHaveLength(3);
        expect(FORMATS.pretty(input({ reports })).split('\n')).toHaveLength(5);
      }),
    );
  });

  it('json and sarif keep it as it is, and sarif is valid', () => {
    fc.assert(
      fc.property(reports, (reports) => {
        const json = FORMATS.json(input({ reports }));
        expect(json.replaceAll('\n', '')).not.toMatch(CONTROLS);
        const { files } = JSON.parse(json);
        expect(files.map(({ path }: FileReport) => path)).toEqual(reports.map(({ path }) => path));
        checkSarif(FORMATS.sarif(input({ reports })));
      }),
    );
  });

  it('junit is well-formed', () => {
    fc.assert(fc.property(reports, (reports) => checkXml(FORMATS.junit(input({ reports })))));
  });
});
