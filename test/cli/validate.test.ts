import nodeFs from 'node:fs';
import path from 'node:path';
import { Ajv } from 'ajv';
import fs from 'fs-extra';
import { describe, expect, it } from 'vitest';
import type { Context } from '../../cli/context.ts';
import { RULES, TEXT_RULES } from '../../cli/envelope/rules.ts';
import { runCli } from '../../cli/run.ts';
import { collectOutput } from '../collect-output.ts';
import { makeFolder, readTree, root, runBinary } from '../run-binary.ts';

const envelope = {
  chorus_version: '0.4',
  sender_id: 'lin.yue@agchorus',
  original_text: '明天十点见',
  sender_culture: 'zh-CN',
};
const invalid = { ...envelope, sender_id: 'nobody' };
const doubtful = { ...envelope, turn_number: 1 };

type Files = Record<string, unknown>;

/** A folder with these files: texts as they are, anything else as JSON. */
async function makeFiles(files: Files): Promise<string> {
  const cwd = await makeFolder();
  for (const [name, content] of Object.entries(files)) {
    const isText = typeof content === 'string' || content instanceof Uint8Array;
    await fs.outputFile(path.join(cwd, name), isText ? content : JSON.stringify(content));
  }
  return cwd;
}

interface Options {
  env?: Record<string, string>;
  input?: string;
}

/** Runs `validate` over these files. */
async function validate(args: string[], files: Files, options: Options = {}) {
  const cwd = await makeFiles(files);
  return { cwd, ...(await runBinary(['validate', ...args], { cwd, ...options })) };
}

/** The same, as the data that --json prints. */
async function inspect(args: string[], files: Files, options: Options = {}) {
  const { exitCode, stdout, cwd } = await validate(['--json', ...args], files, options);
  const report = JSON.parse(stdout);
  const paths = report.files?.map((file: { path: string }) => file.path);
  const rules = report.files?.flatMap((file: { findings: { rule: string }[] }) =>
    file.findings.map(({ rule }) => rule),
  );
  return { exitCode, report, paths, rules, cwd };
}

describe('inputs', () => {
  const tree = {
    'a.json': envelope,
    'b.json': envelope,
    'sub/c.jsonl': `${JSON.stringify(envelope)}\n`,
    'sub/deep/d.json': envelope,
    'sub/notes.txt': 'no document',
    'node_modules/m.json': invalid,
    '.hidden/h.json': invalid,
    '.chorus-skill.json': {},
  };

  it.each([
    [['a.json'], ['a.json']],
    [
      ['b.json', 'a.json'],
      ['b.json', 'a.json'],
    ],
    [
      ['a.json', './a.json', '*.json'],
      ['a.json', 'b.json'],
    ],
    [['.'], ['a.json', 'b.json', 'sub/c.jsonl', 'sub/deep/d.json']],
    [['sub'], ['sub/c.jsonl', 'sub/deep/d.json']],
    [['*.json'], ['a.json', 'b.json']],
    [['**/*.json'], ['a.json', 'b.json', 'sub/deep/d.json']],
    [['sub/**/*.json*'], ['sub/c.jsonl', 'sub/deep/d.json']],
    [['.hidden/../sub/*.jsonl'], ['sub/c.jsonl']],
    [['{a,b}.json'], ['a.json', 'b.json']],
    [['s*'], ['sub/c.jsonl', 'sub/deep/d.json']],
    [['?ub/deep'], ['sub/deep/d.json']],
    [['[!a].json'], ['b.json']],
    [['?.json'], ['a.json', 'b.json']],
  ])('%j are the files %j', async (args, expected) => {
    const { paths, exitCode } = await inspect(args, tree);
    expect(paths).toEqual(expected);
    expect(exitCode).toBe(0);
  });

  it('of a folder schemas and the state of the inbox are none, unless they are named', async () => {
    const files = { 'a.json': envelope, 'x.schema.json': {}, 'chorus-inbox.jsonl': {} };
    expect(await inspect(['.'], files)).toMatchObject({ paths: ['a.json'], exitCode: 0 });
    expect(await inspect(['x.schema.json'], files)).toMatchObject({ exitCode: 1 });
  });

  it('standard input is one document, or one on each line', async () => {
    const text = JSON.stringify(envelope);
    for (const [input, documents] of [
      [text, 1],
      [JSON.stringify(envelope, null, 2), 1],
      [`${text}\n${text}\n`, 2],
      [`[${text},${text}]`, 2],
    ] as const) {
      const { report, exitCode } = await inspect(['-'], {}, { input });
      expect(report.summary).toMatchObject({ documents, errors: 0 });
      expect(exitCode).toBe(0);
    }
  });

  it.each([
    ['nothing-there.json', 'there is no such file'],
    ['no*match.json', 'there is no such file'],
    ['empty', 'this folder holds no .json or .jsonl file to check'],
    ['', 'there is no such file'],
    ['a.json/b.json', 'there is no such file'],
  ])('%j cannot be read, which is told in words', async (name, words) => {
    const { exitCode, stdout } = await validate([name, 'a.json'], {
      'a.json': envelope,
      'empty/readme.txt': '',
    });
    expect(exitCode).toBe(2);
    expect(stdout).toContain(` error ${words}\n`);
    expect(stdout).toContain('files: 2, documents: 1');
  });

  it('what init has written is valid', async () => {
    const cwd = await makeFolder();
    await runBinary(['init'], { cwd });
    expect(await runBinary(['validate', 'chorus', '--strict'], { cwd })).toMatchObject({
      exitCode: 0,
      stdout: 'all valid (files: 3, documents: 3)',
    });
  });
});

describe('kinds', () => {
  const card = { card_version: '0.3', user_culture: 'ja', supported_languages: ['ja'] };
  const part = { mediaType: 'application/vnd.chorus.envelope+json', data: envelope };
  it.each(
    Object.entries({
      envelope,
      example: { envelope, adapted_output: { receiver_culture: 'ja', text: 'x' } },
      'send-request': { receiver_id: 'haruka@agchorus', envelope },
      message: { trace_id: 't', envelope, timestamp: '2026-11-18T09:30:00Z' },
      'history-line': { ts: '2026-11-18T09:30:00Z', dir: 'sent', peer: 'a@agchorus', envelope },
      'a2a-message': { messageId: 'm', role: 'ROLE_USER', parts: [part] },
      'register-request': { agent_id: 'lin.yue@agchorus' },
      card,
      credentials: { agent_id: 'a@b', api_key: 'ca_1', hub_url: 'https://agchorus.com' },
      response: { status: 'ok' },
      discovery: { chorus_version: '0.4', endpoints: {} },
    }),
  )('%s is recognised, alone, in a list and in lines', async (kind, value) => {
    const line = JSON.stringify(value);
    const { report, exitCode } = await inspect(['.'], {
      'a.json': value,
      'b.json': [value, value],
      'c.jsonl': `${line}\n\n${line}\n`,
    });
    expect(exitCode).toBe(0);
    expect(report.summary).toMatchObject({ documents: 5, errors: 0 });
    for (const file of report.files) expect(file.kinds).toEqual([kind]);
  });

  it('--kind forces one', async () => {
    const files = { 'a.json': card };
    expect(await inspect(['a.json'], files)).toMatchObject({ exitCode: 0 });
    const { exitCode, report } = await inspect(['--kind', 'envelope', 'a.json'], files);
    expect(exitCode).toBe(1);
    expect(report.files[0].kinds).toEqual(['envelope']);
  });

  it.each([['{}'], ['[]'], ['null'], ['3'], ['"text"'], ['{"name": "package"}']])(
    '%s is none of them, and told what was expected',
    async (text) => {
      const { exitCode, stdout } = await validate(['a.json'], { 'a.json': text });
      expect(exitCode).toBe(1);
      expect(stdout).toMatch(/a\.json:1:1 error .*envelope.*\(unknown-document\)/);
    },
  );

  it('credentials are known by their name, and may have more fields', async () => {
    const good = { agent_id: 'a@b', api_key: 'ca_1', hub_url: 'https://agchorus.com' };
    const name = 'chorus-credentials.json';
    const later = { ...good, user_culture: 'ja', registered_at: 'today', notes: {} };
    expect(await inspect(['--strict', name], { [name]: later })).toMatchObject({ exitCode: 0 });
    const { report, exitCode } = await inspect([name], { [name]: { agent_id: 'a@b' } });
    expect(exitCode).toBe(1);
    expect(report.files[0]).toMatchObject({ kinds: ['credentials'], errors: 2 });
  });

  it('an envelope in a card, and a version in the wrong field, are told once', async () => {
    const { card_version: _, ...rest } = card;
    const request = { agent_id: 'a@b', agent_card: { ...rest, chorus_version: '0.2' } };
    const { rules, report } = await inspect(['a.json'], { 'a.json': request });
    expect(rules).toEqual(['card-version-field']);
    expect(report.files[0].findings[0].pointer).toBe('/agent_card/chorus_version');
  });
});

describe('findings', () => {
  it('have a code, a place and words', async () => {
    const text = '{\n  "chorus_version": "0.4",\n\t"sender_id": "nobody"\n}\n';
    const { report, exitCode } = await inspect(['a.json'], { 'a.json': text });
    expect(exitCode).toBe(1);
    expect(report.files[0].findings).toContainEqual({
      rule: 'address-form',
      severity: 'error',
      pointer: '/sender_id',
      line: 3,
      column: 15,
      endLine: 3,
      endColumn: 23,
      message: expect.stringContaining('nobody'),
      hint: expect.any(String),
      args: { field: 'sender_id', given: 'nobody' },
      fixable: false,
    });
    expect(report.summary.errors).toBe(3);
  });

  it('of lines are on their line, and turns are watched over the whole file', async () => {
    const turn = (turn_number: number) =>
      JSON.stringify({ ...envelope, conversation_id: 'c', turn_number });
    const text = [turn(1), '', 'broken', turn(2), turn(2)].join('\r\n');
    const { report } = await inspect(['a.jsonl'], { 'a.jsonl': text });
    const found = report.files[0].findings.map((it: { rule: string; line: number }) => [
      it.rule,
      it.line,
    ]);
    expect(found).toEqual([
      ['json-syntax', 3],
      ['turn-order', 5],
    ]);
  });

  it('of old envelopes say what to rename', async () => {
    const { original_text, ...rest } = envelope;
    const old = { ...rest, chorus_version: '0.3', original_semantic: original_text };
    const { stdout } = await validate(['a.json'], { 'a.json': old });
    expect(stdout).toContain('(legacy-field)');
    expect(stdout).toMatch(/original_semantic.*original_text|original_text.*original_semantic/);
    expect(stdout).toContain('(wrong-version)');
    expect(stdout).toContain('can be repaired with --fix: 2');
  });
});

it('a key is never shown, wherever it stands and whatever is printed', async () => {
  const key = 'ca_0123456789abcdef';
  const credentials = { agent_id: 'a', api_key: key, hub_url: key, user_cultur: 'zh-cn' };
  const odd = { agent_id: 'a', api_key: 'hunter2"2', hub_url: 'x' };
  const files = {
    'a.json': credentials,
    'b.json': JSON.stringify(credentials, null, 2),
    'c.json': odd,
    'd.json': `\ufeff${JSON.stringify(credentials)},`,
    'e.json': Buffer.concat([Buffer.from(JSON.stringify(credentials)), Buffer.from([255])]),
    'f.json': { ...envelope, original_text: `/${key}`, extra: key, sender_id: key },
  };
  for (const args of [[], ['--fix', '--dry-run']]) {
    for (const format of ['pretty', 'json', 'github', 'sarif', 'junit']) {
      const run = await validate([...args, '--format', format, '.'], files);
      expect(run.exitCode).toBe(1);
      expect(run.stdout + run.stderr).not.toMatch(/0123456789|hunter/);
    }
  }
});

describe('--schema', () => {
  const files = { 'good.json': { n: [1] }, 'bad.json': { n: ['x', 2.5], m: 1 } };
  const shape = { type: 'object', additionalProperties: false };

  it.each([
    ['http://json-schema.org/draft-07/schema#', { n: { items: [{ type: 'integer' }] } }],
    [
      'https://json-schema.org/draft/2020-12/schema',
      { n: { prefixItems: [{ type: 'integer' }], items: false } },
    ],
  ])('of %s is used in place of our rules', async ($schema, properties) => {
    const schema = { $schema, ...shape, properties };
    const all = { ...files, 'my.json': schema };
    expect(await inspect(['-s', 'my.json', 'good.json'], all)).toMatchObject({ exitCode: 0 });
    const { exitCode, report } = await inspect(['-s', 'my.json', 'bad.json'], all);
    expect(exitCode).toBe(1);
    const pointers = report.files[0].findings.map((it: { pointer: string }) => it.pointer);
    expect(pointers).toContain('/n/0');
  });

  it.each([
    ['my.json', { 'my.json': 'not JSON' }],
    ['my.json', { 'my.json': { type: 'nonsense' } }],
    ['my.json', { 'my.json': { $ref: '#/nowhere' } }],
  ])('that cannot be used (%s) is refused', async (schema, more) => {
    const { exitCode, stderr, stdout } = await validate(['-s', schema, 'good.json'], {
      ...files,
      ...more,
    });
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain(`The schema ${schema} cannot be used`);
  });

  it('that does not exist is said to be missing', async () => {
    const run = (language: string) =>
      runBinary(['validate', '-s', 'nope.json', 'a.json'], { cwd: '.', env: { LC_ALL: language } });
    expect(await run('en_US.UTF-8')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('There is no file nope.json.'),
    });
    expect((await run('zh_CN.UTF-8')).stderr).toContain('文件 nope.json 不存在');
  });

  /** The program's own files that a run has loaded. */
  async function listLoaded(args: string[]): Promise<string[]> {
    const probe = `process.on('exit', () => require('node:fs').writeSync(2, Object.keys(require.cache).join('\\n')))`;
    const cwd = await makeFiles({ 'a.json': envelope, 'my.json': true, 'probe.cjs': probe });
    const env = { NODE_OPTIONS: `--require=${path.join(cwd, 'probe.cjs')}` };
    const { stderr, exitCode } = await runBinary(['validate', ...args], { cwd, env });
    expect(exitCode).toBe(0);
    return stderr.split('\n').filter((file) => file.startsWith(path.join(root, 'dist')));
  }

  it('is the only thing that loads ajv', async () => {
    const hasAjv = (files: string[]) =>
      files.some((file) => fs.readFileSync(file, 'utf8').includes('strictSchema'));
    const plain = await listLoaded(['a.json']);
    expect(plain.length).toBeGreaterThan(1);
    expect(hasAjv(plain)).toBe(false);
    expect(hasAjv(await listLoaded(['-s', 'my.json', 'a.json']))).toBe(true);
  });
});

describe('--fix', () => {
  const before =
    '\ufeff{ "chorus_version":"0.3",\r\n\t"sender_id": "a@b",  "original_semantic": "h\\u0069",\n "sender_cultur" : "zh-cn", "n": 1e+0 }\n\n';
  const after =
    '{ "chorus_version":"0.4",\r\n\t"sender_id": "a@b",  "original_text": "h\\u0069",\n "sender_culture" : "zh-CN", "n": 1e+0 }\n\n';
  const files = { 'a.json': before, 'b.json': envelope, 'c.json': '{ broken' };

  it('repairs what has one right answer and keeps every other byte', async () => {
    const cwd = await makeFiles(files);
    await fs.chmod(path.join(cwd, 'a.json'), 0o640);
    await fs.symlink('a.json', path.join(cwd, 'link.json'));
    const first = await runBinary(['validate', '--fix', 'link.json', 'b.json', 'c.json'], { cwd });
    expect(first).toMatchObject({ exitCode: 1, stderr: 'repaired: link.json' });
    expect(await readTree(cwd)).toEqual({
      'a.json': after,
      'b.json': JSON.stringify(envelope),
      'c.json': '{ broken',
      'link.json': '→ a.json',
    });
    expect((await fs.stat(path.join(cwd, 'a.json'))).mode & 0o777).toBe(0o640);
    const again = await runBinary(['validate', '--fix', 'a.json'], { cwd });
    expect(again).toMatchObject({ exitCode: 0, stderr: '' });
  });

  it('names what it repaired in JSON, too', async () => {
    const { report } = await inspect(['--fix', 'a.json', 'b.json'], files);
    expect(report.files.map((it: { fixed?: true }) => it.fixed)).toEqual([true, undefined]);
  });

  it('--dry-run shows the difference and writes nothing', async () => {
    const { cwd, exitCode, stderr } = await validate(['--fix', '--dry-run', 'a.json'], files);
    expect(exitCode).toBe(1);
    expect(await fs.readFile(path.join(cwd, 'a.json'), 'utf8')).toBe(before);
    expect(stderr).toContain('--- a.json\n+++ a.json\n@@ -1,');
    expect(stderr).toContain('+ "sender_culture" : "zh-CN", "n": 1e+0 }');
  });

  it('never turns a valid file into an invalid one', async () => {
    const odd = { ...envelope, turn_numbr: 'one', cultural_contxt: 'short' };
    const { cwd, exitCode } = await validate(['--fix', 'a.json'], { 'a.json': odd });
    expect(exitCode).toBe(0);
    expect(await fs.readJson(path.join(cwd, 'a.json'))).toEqual(odd);
  });
});

describe('options', () => {
  it('--strict makes warnings count, in the exit code and in every format', async () => {
    const files = { 'a.json': doubtful };
    expect(await inspect(['a.json'], files)).toMatchObject({ exitCode: 0, report: { ok: true } });
    const strict = await inspect(['--strict', 'a.json'], files);
    expect(strict).toMatchObject({ exitCode: 1, report: { ok: false } });
    const junit = await validate(['--strict', '--format', 'junit', 'a.json'], files);
    expect(junit.stdout).toContain('failures="1"');
    const github = await validate(['--strict', '--format', 'github', 'a.json'], files);
    expect(github.stdout).toMatch(/^::error /);
    const { stdout } = await validate(['--strict', 'a.json'], files);
    expect(stdout).toContain('errors: 0, warnings: 1\n--strict: warnings count as errors');
  });

  it('--quiet shows errors only, and nothing where there are none', async () => {
    const files = { 'a.json': doubtful, 'b.json': invalid };
    const both = await validate(['--quiet', '.'], files);
    expect(both.stdout).toContain('(address-form)');
    expect(both.stdout).not.toContain('(turn-without-conversation)');
    expect(await validate(['--quiet', 'a.json'], files)).toMatchObject({ stdout: '', exitCode: 0 });
    // A failure is never silent.
    const strict = await validate(['--quiet', '--strict', 'a.json'], files);
    expect(strict.exitCode).toBe(1);
    expect(strict.stdout).toContain('(turn-without-conversation)');
  });

  it.each([
    ['en', 'error', 'warning'],
    ['zh-CN', '错误', '警告'],
  ])('--rules lists them all (%s)', async (language, error, warning) => {
    const { stdout, exitCode } = await validate(['--rules', '--ui-lang', language], {});
    expect(exitCode).toBe(0);
    for (const { id, severity } of [...RULES, ...TEXT_RULES]) {
      expect(stdout).toContain(`${id} (${severity === 'error' ? error : warning})\n  `);
    }
    const { stdout: json } = await validate(['--rules', '--json', '--ui-lang', language], {});
    expect(JSON.parse(json)).toHaveLength(RULES.length + TEXT_RULES.length);
  });

  it.each([
    [[], 'missing'],
    [['--kind', 'envelop', 'a.json'], 'Did you mean envelope?'],
    [['--format', 'prety', 'a.json'], 'Did you mean pretty?'],
    [['--dry-run', 'a.json'], '--fix'],
    [['--fix', '-'], 'do not go together'],
    [['--json', '--format', 'sarif', 'a.json'], 'do not go together'],
    [['--schema', 'a.json', '--fix', 'a.json'], 'do not go together'],
    [['--schema', 'a.json', '--kind', 'card', 'a.json'], 'do not go together'],
    [['--rules', '--format', 'json'], 'do not go together'],
    [['--stric', 'a.json'], 'Did you mean --strict?'],
  ])('%j is wrong usage', async (args, told) => {
    const { exitCode, stderr, stdout } = await validate(args, { 'a.json': envelope });
    expect(exitCode).toBe(2);
    expect(stderr + stdout).toContain(told);
  });
});

describe('formats', () => {
  const files = { 'a.json': invalid, 'b.json': doubtful, 'c.json': envelope };

  it('pretty speaks the language of the user', async () => {
    const english = await validate(['.'], files);
    expect(english.stdout).toContain('a.json:1:37 error ');
    expect(english.stdout).toMatch(/\n {2}try: .*\n/);
    expect(english.stdout).toMatch(/files: 3, documents: 3, errors: 1, warnings: 1$/);
    const chinese = await validate(['.'], files, { env: { LANG: 'zh_CN.UTF-8' } });
    expect(chinese.stdout).toContain('a.json:1:37 错误 ');
    expect(chinese.stdout).toMatch(/文件 3 个，文档 3 个，错误 1 个，警告 1 个$/);
    expect(chinese.exitCode).toBe(english.exitCode);
  });

  it('json is the same in every language', async () => {
    const english = await validate(['--json', '.'], files);
    const chinese = await validate(['--json', '.'], files, { env: { LANG: 'zh_CN.UTF-8' } });
    expect(chinese.stdout).toBe(english.stdout);
  });

  it('github is chosen by itself in GitHub Actions, unless another is asked for', async () => {
    const env = { GITHUB_ACTIONS: 'true' };
    const { stdout, exitCode } = await validate(['.'], files, { env });
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/^::error file=a\.json,line=1,endLine=1,col=37,title=address-form::/);
    expect(stdout).toMatch(/^::warning file=b\.json/m);
    const pretty = await validate(['--format', 'pretty', '.'], files, { env });
    expect(pretty.stdout).not.toContain('::');
  });

  it('sarif is valid by the official schema', async () => {
    const { stdout, exitCode } = await validate(['--format', 'sarif', '.', 'no.json'], files);
    expect(exitCode).toBe(2);
    const schema = await fs.readJson(path.join(root, 'test/fixtures/sarif-2.1.0.schema.json'));
    const formats = { uri: true, 'uri-reference': true, 'date-time': true } as const;
    const ajv = new Ajv({ strict: false, unicodeRegExp: false, formats });
    const isValid = ajv.compile(schema);
    const log = JSON.parse(stdout);
    isValid(log);
    expect(isValid.errors ?? []).toEqual([]);
    expect(log.runs[0].results.map((it: { ruleId: string }) => it.ruleId)).toEqual([
      'address-form',
      'turn-without-conversation',
      'unreadable',
    ]);
  });

  it('junit has a test for each file', async () => {
    const { stdout } = await validate(['--format', 'junit', '.'], files);
    expect(stdout).toContain('tests="3" failures="1" errors="0"');
    expect(stdout.match(/<testcase /g)).toHaveLength(3);
  });

  it.each([
    ['an envelope', envelope, { status: 'ok' }],
    ['a warning', doubtful, { status: 'ok' }],
    ['a received message', { trace_id: 't', envelope }, { status: 'ok' }],
    ['a wrong field', invalid, { status: 'error', error_code: 'INVALID_ENVELOPE' }],
    [
      'another version, whatever else is wrong',
      { chorus_version: '0.3' },
      { status: 'error', error_code: 'UNSUPPORTED_VERSION' },
    ],
    ['a version that is no text', { ...envelope, chorus_version: 0.4 }, INVALID()],
    ['something else', { card_version: '0.3', user_culture: 'ja' }, INVALID()],
    ['a response', { status: 'ok' }, INVALID()],
    ['an empty list', [], INVALID()],
    ['no JSON', '{', INVALID()],
  ])('response answers %s', async (_, value, expected) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    const { stdout, exitCode } = await validate(['--format', 'response', '-'], {}, { input: text });
    const response = JSON.parse(stdout);
    expect(response).toMatchObject(expected);
    expect(exitCode).toBe(response.status === 'ok' ? 0 : 1);
    if (response.status === 'ok') expect(response).toEqual({ status: 'ok' });
    else expect(response.detail).toMatch(/./);
  });

  function INVALID() {
    return { status: 'error', error_code: 'INVALID_ENVELOPE' };
  }

  it('response is for one envelope', async () => {
    for (const content of [[envelope, envelope], '']) {
      const run = await validate(['--format', 'response', 'a.jsonl'], {
        'a.jsonl': Array.isArray(content) ? JSON.stringify(content) : content,
      });
      expect(run).toMatchObject({ exitCode: 2, stdout: '' });
      expect(run.stderr).toContain('exactly one envelope');
    }
  });
});

it('shows progress over many files on a terminal, and removes it again', async () => {
  const files = Array.from({ length: 300 }, (_, index) => [`${index}.json`, envelope]);
  const cwd = await makeFiles(Object.fromEntries(files));
  const [stdout, stderr] = [collectOutput(), collectOutput()];
  const context: Context = {
    cwd,
    env: {},
    stdout,
    stderr,
    fs: nodeFs,
    packageRoot: root,
    dialogue: undefined,
    takeStopSignal: () => new AbortController().signal,
  };
  expect(await runCli(['validate', '.'], context)).toBe(0);
  expect(stderr.text).toMatch(/^\r0\/300\r100\/300\r200\/300\r +\r$/);
  expect(stdout.text).toBe('all valid (files: 300, documents: 300)\n');
  const piped = await runBinary(['validate', '.'], { cwd });
  expect(piped.stderr).toBe('');
});
