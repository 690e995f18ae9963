import nodeFs from 'node:fs';
import path from 'node:path';
import { execa, execaNode } from 'execa';
import fc from 'fast-check';
import fs from 'fs-extra';
import { describe, expect, it } from 'vitest';
import { checkFile } from '../../cli/envelope/check-file.ts';
import { findInputs } from '../../cli/io/find-inputs.ts';
import { binary, makeFolder, runBinary } from '../run-binary.ts';

const envelope = {
  chorus_version: '0.4',
  sender_id: 'lin.yue@agchorus',
  original_text: '明天十点见',
  sender_culture: 'zh-CN',
};
const text = JSON.stringify(envelope);

/** Runs `validate` over one file with this content. */
async function check(content: string | Uint8Array, name = 'a.json', args: string[] = []) {
  const cwd = await makeFolder();
  await fs.writeFile(path.join(cwd, name), content);
  const { exitCode, stdout, stderr } = await runBinary(['validate', ...args, '--json', name], {
    cwd,
  });
  expect(stderr).toBe('');
  const report = JSON.parse(stdout);
  const rules = report.files[0].findings.map(({ rule }: { rule: string }) => rule);
  return { exitCode, rules, summary: report.summary };
}

const many = (count: number, make: (index: number) => string, separator = ',') =>
  Array.from({ length: count }, (_, index) => make(index)).join(separator);
const spoil = (changes: object) => JSON.stringify({ ...envelope, ...changes });

describe('whatever is in a file', () => {
  it.each<[string, string | Uint8Array, string[]]>([
    ['nothing', '', ['json-syntax']],
    ['white space', ' \n\t\r\n', ['json-syntax']],
    ['only a byte order mark', '\ufeff', ['byte-order-mark', 'json-syntax']],
    ['NUL bytes', '\0'.repeat(1000), ['json-syntax']],
    ['a NUL byte in a text', spoil({ original_text: 'a\0b' }), ['hidden-characters']],
    ['binary', Uint8Array.from({ length: 4096 }, (_, at) => (at * 37) % 256), ['invalid-utf8']],
    ['UTF-16', Buffer.from(`\ufeff${text}`, 'utf16le'), ['invalid-utf8']],
    ['a cut character', Buffer.from('{"a":"你').subarray(0, -1), ['invalid-utf8']],
    ['lone surrogates', spoil({ original_text: 'a\ud800b\udc00' }), ['lone-surrogate']],
    [
      'a huge number',
      spoil({ conversation_id: 'c', turn_number: 0 }).replace(/0}$/, '1e999}'),
      ['wrong-type'],
    ],
    [
      'a long number',
      spoil({ conversation_id: 'c', turn_number: 0 }).replace(/0}$/, `${'9'.repeat(10_000)}}`),
      ['wrong-type'],
    ],
    ['deep lists', `${'['.repeat(200_000)}${']'.repeat(200_000)}`, ['unknown-document']],
    ['deep objects', `${'{"a":'.repeat(200_000)}1${'}'.repeat(200_000)}`, ['unknown-document']],
    ['open brackets', '['.repeat(200_000), ['json-syntax']],
    [
      'a deep extra field',
      spoil({ x: 0 }).replace(/0}$/, `${'['.repeat(100_000)}${']'.repeat(100_000)}}`),
      ['extra-field'],
    ],
    ['a long key', spoil({ ['x'.repeat(1_000_000)]: 1 }), ['extra-field']],
    [
      'names of the prototype',
      spoil({ constructor: 1, toString: 1 }).replace('{', '{"__proto__":1,'),
      ['extra-field', 'extra-field', 'extra-field'],
    ],
    [
      'a long context',
      spoil({ cultural_context: 'x'.repeat(5_000_000) }),
      ['length', 'context-script'],
    ],
  ])('%s is told, not stumbled over', async (_, content, rules) => {
    expect(await check(content)).toMatchObject({ exitCode: expect.any(Number), rules });
  });

  it.each<[string, string, number]>([
    [
      'extra fields',
      spoil(Object.fromEntries(Array.from({ length: 50_000 }, (_, at) => [`k${at}`, 1]))),
      50_000,
    ],
    ['invalid envelopes on one line', `[${many(50_000, () => spoil({ sender_id: 'x' }))}]`, 50_000],
    ['double keys', `[${many(50_000, () => text.replace('{', '{"sender_id":1,'))}]`, 50_000],
    [
      'double keys, ever deeper',
      `${'{"aaaa":1,"aaaa":'.repeat(50_000)}1${'}'.repeat(50_000)}`,
      50_001,
    ],
  ])('very many %s take no more than seconds', async (_, content, count) => {
    const start = performance.now();
    const { summary, rules } = await check(content);
    expect(summary.errors + summary.warnings).toBe(count);
    expect(rules.length).toBeLessThanOrEqual(1000);
    // Quadratic, each of these takes minutes.
    expect(performance.now() - start).toBeLessThan(20_000);
  });

  it('50 MB and a line of 10 MB are checked like any other', async () => {
    const big = `[${many(Math.ceil(50e6 / text.length), () => text)}]`;
    expect(await check(big)).toMatchObject({ exitCode: 0, summary: { errors: 0 } });
    const line = spoil({ original_text: 'x'.repeat(10_000_000) });
    expect(await check(`${text}\n${line}\n${text}`, 'a.jsonl')).toMatchObject({
      exitCode: 0,
      rules: ['long-text'],
      summary: { documents: 3 },
    });
  });

  it.each<[string, string, string]>([
    ['invalid envelopes', `[${many(80_000, () => spoil({ sender_id: 'x y' }))}]`, 'a.json'],
    ['numbers', `[${many(5_000_000, () => '1')}]`, 'a.json'],
    [
      'extra fields',
      spoil(Object.fromEntries(Array.from({ length: 300_000 }, (_, at) => [`k${at}`, 1]))),
      'a.jsonl',
    ],
    ['double keys', `{${many(1_500_000, () => '"a":1')}}`, 'a.json'],
  ])('10 MB of %s fit into little memory', async (_, content, name) => {
    const cwd = await makeFolder();
    await fs.writeFile(path.join(cwd, name), content);
    const env = { NODE_OPTIONS: '--max-old-space-size=256' };
    const { exitCode, stderr } = await runBinary(['validate', '--json', name], { cwd, env });
    expect({ exitCode, stderr }).toEqual({ exitCode: name === 'a.jsonl' ? 0 : 1, stderr: '' });
  });

  it('a schema that refers to itself does not fall over deep nesting', async () => {
    const cwd = await makeFolder();
    await fs.writeJson(path.join(cwd, 's.json'), { type: 'array', items: { $ref: '#' } });
    await fs.writeFile(path.join(cwd, 'a.json'), `${'['.repeat(1e5)}${']'.repeat(1e5)}`);
    const run = await runBinary(['validate', '-s', 's.json', 'a.json'], { cwd });
    expect(run).toMatchObject({ exitCode: 1, stdout: expect.stringContaining('(schema)') });
  });

  it('no control sequence reaches the terminal, from any value, key or name', async () => {
    const attack = '\u001b[2J\u001b]0;owned\u0007\u009b31m\u202e\r\n::error::';
    const cwd = await makeFolder();
    const name = `a${attack.replaceAll('/', '')}.json`;
    const fields = { sender_id: attack, sender_culture: attack, [attack]: attack, ts: attack };
    await fs.writeJson(path.join(cwd, name), {
      ...envelope,
      ...fields,
      original_text: `${attack}`,
    });
    for (const format of ['pretty', 'json', 'github', 'sarif', 'response']) {
      for (const env of [{ FORCE_COLOR: '1' }, { NO_COLOR: '1' }]) {
        const run = await runBinary(['validate', '--format', format, name], { cwd, env });
        expect(run.exitCode).toBe(1);
        // biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the purpose
        const shown = (run.stdout + run.stderr).replace(/\u001b\[\d+m/g, '');
        expect(shown.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
        expect(shown).not.toMatch(/^::error::/m);
      }
    }
  });

  it('any bytes at all are checked without an exception', async () => {
    const cwd = await makeFolder();
    const json = fc.jsonValue().map((value) => Buffer.from(JSON.stringify(value)));
    const bytes = fc.uint8Array({ maxLength: 200 }).map((it) => Buffer.from(it));
    const mixed = fc.tuple(json, bytes, fc.constantFrom('\n', '', ','), json);
    const content = fc.oneof(
      json,
      bytes,
      mixed.map(([a, b, between, c]) => Buffer.concat([a, b, Buffer.from(between), c])),
    );
    fc.assert(
      fc.property(content, fc.constantFrom('a.json', 'a.jsonl', 'a'), (bytes, name) => {
        nodeFs.writeFileSync(path.join(cwd, name), bytes);
        for (const input of findInputs(nodeFs, cwd, [name])) {
          const { unreadable } = checkFile(nodeFs, input, {});
          expect(unreadable).toBeUndefined();
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe('whatever a path leads to', () => {
  it('a pipe is read to its end; one without a writer is empty', async () => {
    const cwd = await makeFolder();
    const pipe = path.join(cwd, 'pipe.json');
    await execa('mkfifo', [pipe]);
    const empty = await runBinary(['validate', 'pipe.json'], { cwd });
    expect(empty).toMatchObject({ exitCode: 1, stdout: expect.stringContaining('(json-syntax)') });
    await fs.writeFile(path.join(cwd, 'good.json'), text);
    // A writer that stops in between.
    const slowly = 'head -c 20 good.json; sleep 0.2; tail -c +21 good.json';
    const command = `'${process.execPath}' '${binary}' validate <(${slowly})`;
    const written = await execa('bash', ['-c', command], { cwd, reject: false });
    expect(written).toMatchObject({ exitCode: 0 });
  });

  it('a pipe that says nothing can be left with Ctrl-C', async () => {
    const cwd = await makeFolder();
    const pipe = path.join(cwd, 'pipe.json');
    await execa('mkfifo', [pipe]);
    // Both ways, so that there is a writer before the program opens it; it then waits.
    const holder = await fs.open(pipe, 'r+');
    const run = execaNode(binary, ['validate', 'first.json', 'pipe.json'], { cwd, reject: false });
    const marker = `/proc/${run.pid}/fd`;
    const isWaiting = async () => {
      const names = await fs.readdir(marker).catch(() => []);
      const targets = await Promise.all(
        names.map((name) => fs.readlink(path.join(marker, name)).catch(() => '')),
      );
      return targets.includes(pipe);
    };
    while (!(await isWaiting())) await new Promise((resolve) => setImmediate(resolve));
    run.kill('SIGINT');
    expect(await run).toMatchObject({ signal: 'SIGINT' });
    await fs.close(holder);
  });

  it('links that lead round or nowhere, and devices, do no harm', async () => {
    const cwd = await makeFolder();
    await fs.outputFile(path.join(cwd, 'in/a.json'), text);
    await fs.symlink('..', path.join(cwd, 'in/up'));
    await fs.symlink('loop.json', path.join(cwd, 'in/loop.json'));
    await fs.symlink('nowhere', path.join(cwd, 'in/gone.json'));
    await fs.symlink('a.json', path.join(cwd, 'in/link.json'));
    await execa('mkfifo', [path.join(cwd, 'in/pipe.json')]);
    await fs.symlink('nowhere', path.join(cwd, 'in/notes'));
    const folder = await runBinary(['validate', '.'], { cwd });
    expect(folder.exitCode).toBe(2);
    expect(folder.stdout.split('\n').filter(Boolean)).toEqual([
      'in/gone.json error there is no such file',
      'in/loop.json error cannot be read (ELOOP)',
      'files: 4, documents: 2, errors: 0, warnings: 0',
      'files that cannot be read: 2',
    ]);
    const named = await runBinary(['validate', 'in/loop.json', '/dev/null'], { cwd });
    expect(named.exitCode).toBe(2);
    expect(named.stdout).toContain('in/loop.json error cannot be read (ELOOP)');
  });

  it('a file that goes away midway is told of, and the others are checked', async () => {
    const cwd = await makeFolder();
    for (const name of ['a.json', 'b.json', 'c.jsonl']) {
      await fs.writeFile(path.join(cwd, name), text);
    }
    const inputs = findInputs(nodeFs, cwd, ['.']);
    await fs.remove(path.join(cwd, 'b.json'));
    await fs.remove(path.join(cwd, 'c.jsonl'));
    const reports = inputs.map((input) => checkFile(nodeFs, input, {}));
    expect(reports.map(({ path: name, unreadable }) => [name, unreadable?.errno])).toEqual([
      ['a.json', undefined],
      ['b.json', 'ENOENT'],
      ['c.jsonl', 'ENOENT'],
    ]);
  });

  it('a folder that cannot be read is told of, and does not hide the others', async () => {
    const cwd = await makeFolder();
    await fs.outputFile(path.join(cwd, 'a/x.json'), text);
    await fs.outputFile(path.join(cwd, 'b/y.json'), text);
    const refusing = {
      ...nodeFs,
      readdirSync: ((folder: string, options: { withFileTypes: true }) => {
        if (!folder.endsWith('/a')) return nodeFs.readdirSync(folder, options);
        throw Object.assign(new Error('no'), { code: 'EACCES' });
      }) as typeof nodeFs.readdirSync,
    };
    expect(findInputs(refusing, cwd, ['.'])).toMatchObject([
      { path: 'a', errno: 'EACCES' },
      { path: 'b/y.json' },
    ]);
  });
});

describe('the memory that a history takes', () => {
  /** Megabytes that a run over so many lines takes at most. */
  async function measure(count: number, make: (index: number) => string): Promise<number> {
    const cwd = await makeFolder();
    const probe = `process.on('exit', () => require('node:fs').writeSync(2, String(process.resourceUsage().maxRSS)))`;
    await fs.writeFile(path.join(cwd, 'probe.cjs'), probe);
    const file = await fs.open(path.join(cwd, 'a.jsonl'), 'w');
    for (let from = 0; from < count; from += 10_000) {
      await fs.write(file, `${many(10_000, (index) => make(from + index), '\n')}\n`);
    }
    await fs.close(file);
    const env = { NODE_OPTIONS: `--require=${path.join(cwd, 'probe.cjs')}` };
    const { stderr, stdout } = await runBinary(['validate', '--quiet', 'a.jsonl'], { cwd, env });
    expect(stdout).not.toContain('bug');
    return Number(stderr) / 1000;
  }
  const line = (index: number, sender_id = envelope.sender_id) =>
    spoil({ sender_id, conversation_id: `c-${index >> 2}`, turn_number: (index & 3) + 1 });

  it('does not grow with its length, nor with findings far apart', async () => {
    const small = await measure(30_000, (index) => line(index));
    const large = await measure(300_000, (index) => line(index));
    const spoilt = await measure(300_000, (index) =>
      line(index, index % 290 === 0 ? 'x'.repeat(100) : undefined),
    );
    expect(large).toBeLessThan(150);
    expect(large - small).toBeLessThan(40);
    expect(spoilt).toBeLessThan(150);
  });
});
