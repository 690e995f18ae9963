import { createHash } from 'node:crypto';
import path from 'node:path';
import { execa } from 'execa';
import fs from 'fs-extra';
import { describe, expect, it } from 'vitest';
import { binary, makeFolder, readTree, root, runBinary } from '../run-binary.ts';

const NAMES = [
  'SKILL.md',
  'PROTOCOL.md',
  'TRANSPORT.md',
  'envelope.schema.json',
  'examples/en-to-en.json',
  'examples/ja-to-zh-CN.json',
  'examples/zh-CN-to-ja.json',
];
const MANIFEST = '.chorus-skill.json';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

describe('a fresh folder', () => {
  for (const language of ['en', 'zh-CN']) {
    it(`gets every file in ${language}, and a manifest that is true`, async () => {
      const cwd = await makeFolder();
      const run = await runBinary(['init', '--lang', language], { cwd });
      expect(run).toMatchObject({ exitCode: 0, stderr: '' });

      const tree = await readTree(path.join(cwd, 'chorus'));
      expect(Object.keys(tree).sort()).toEqual([...NAMES, MANIFEST].sort());
      for (const name of NAMES) {
        const folder = name.endsWith('.md') ? language : 'shared';
        expect(tree[name]).toBe(
          await fs.readFile(path.join(root, 'templates', folder, name), 'utf8'),
        );
        expect(run.stdout).toContain(path.join('chorus', name));
      }
      const { version } = await fs.readJson(path.join(root, 'package.json'));
      expect(JSON.parse(tree[MANIFEST] ?? '')).toEqual({
        package: '@chorus-protocol/skill',
        version,
        protocol: '0.4',
        language,
        files: Object.fromEntries(NAMES.map((name) => [name, sha256(tree[name] ?? '')])),
      });
      expect(await fs.readdir(cwd)).toEqual(['chorus']);
    });
  }

  it('is in English without --lang and without a terminal, whatever the locale', async () => {
    const cwd = await makeFolder();
    const run = await runBinary(['init', '--yes'], { cwd, env: { LANG: 'zh_CN.UTF-8' } });
    expect(run.exitCode).toBe(0);
    expect(run.stdout).toContain('Chorus 技能');
    expect((await fs.readJson(path.join(cwd, 'chorus', MANIFEST))).language).toBe('en');
  });

  it('may lie several folders deep', async () => {
    const cwd = await makeFolder();
    const run = await runBinary(['init', '--dir', 'a/b/c'], { cwd });
    expect(run.exitCode).toBe(0);
    expect(await fs.readdir(path.join(cwd, 'a/b'))).toEqual(['c']);
  });

  it('ends with the next step in the language of the user', async () => {
    const cwd = await makeFolder();
    const english = await runBinary(['init', '--dir', 'a'], { cwd });
    const chinese = await runBinary(['init', '--dir', 'b', '--ui-lang', 'zh'], { cwd });
    expect(english.stdout.trimEnd().split('\n').at(-1)).toBe(
      'Next: tell your agent: "Read a/SKILL.md and follow it."',
    );
    expect(chinese.stdout.trimEnd().split('\n').at(-1)).toMatch(/下一步.*b\/SKILL\.md/);
  });
});

describe('--lang', () => {
  for (const given of ['zh', 'zh_CN.UTF-8', 'zh-cn', 'zh-Hans', 'ZH_cn', 'zh-SG']) {
    it(`understands ${given} as zh-CN`, async () => {
      const cwd = await makeFolder();
      const run = await runBinary(['init', '--lang', given, '--json'], { cwd });
      expect(JSON.parse(run.stdout)).toMatchObject({ ok: true, language: 'zh-CN' });
    });
  }

  it.each([
    ['zh-TW', 'zh-CN'],
    ['em', 'en'],
    ['cn', 'zh-CN'],
    ['chinese', undefined],
  ])('refuses %s, lists what there is and suggests %s', async (given, nearest) => {
    const cwd = await makeFolder();
    const run = await runBinary(['init', '--lang', given], { cwd });
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toContain('Available: en, zh-CN.');
    if (nearest) expect(run.stderr).toContain(`Did you mean ${nearest}?`);
    else expect(run.stderr).not.toContain('Did you mean');
    expect(await fs.readdir(cwd)).toEqual([]);
  });

  it('finds a language that is only a folder', async () => {
    const copy = path.join(await makeFolder(), 'package');
    for (const name of ['dist', 'templates', 'package.json']) {
      await fs.copy(path.join(root, name), path.join(copy, name));
    }
    await fs.copy(path.join(copy, 'templates/en'), path.join(copy, 'templates/pt-BR'));
    const cwd = await makeFolder();
    const bin = path.join(copy, 'dist/bin.cjs');
    expect((await runBinary(['init', '--lang', 'pt_BR'], { cwd, bin })).exitCode).toBe(0);
    expect((await fs.readJson(path.join(cwd, 'chorus', MANIFEST))).language).toBe('pt-BR');
  });
});

describe('--json and --dry-run', () => {
  it('give the result as one document', async () => {
    const cwd = await makeFolder();
    const run = await runBinary(['init', '--lang', 'en', '--json'], { cwd });
    const dir = path.join(cwd, 'chorus');
    expect(run).toMatchObject({ exitCode: 0, stderr: '' });
    expect(JSON.parse(run.stdout)).toMatchObject({
      ok: true,
      dryRun: false,
      dir,
      language: 'en',
      files: expect.arrayContaining([{ path: 'SKILL.md', action: 'create' }]),
      next: { action: 'read', path: path.join(dir, 'SKILL.md') },
    });
  });

  it('give an error as data, in English whatever the language', async () => {
    const cwd = await makeFolder();
    const run = await runBinary(['init', '--lang', 'xx', '--json', '--ui-lang', 'zh-CN'], { cwd });
    expect(run).toMatchObject({ exitCode: 2, stderr: '' });
    expect(JSON.parse(run.stdout)).toMatchObject({
      ok: false,
      error: { code: 'unknown-language', message: expect.stringContaining('Available: en, zh-CN') },
    });
  });

  it('plan without touching anything', async () => {
    const cwd = await makeFolder();
    const fresh = await runBinary(['init', '--dry-run', '--dir', 'a/b'], { cwd });
    expect(fresh.exitCode).toBe(0);
    expect(fresh.stdout).toContain('Nothing was changed');
    expect(await readTree(cwd)).toEqual({});

    await runBinary(['init'], { cwd });
    await fs.appendFile(path.join(cwd, 'chorus/SKILL.md'), 'mine');
    const before = await readTree(cwd);
    const over = await runBinary(['init', '--dry-run', '--force', '--json'], { cwd });
    expect(JSON.parse(over.stdout).files).toContainEqual({
      path: 'SKILL.md',
      action: 'replace-changed',
    });
    expect(await readTree(cwd)).toEqual(before);
  });
});

describe('an existing folder', () => {
  it('is not touched, and the user is told what is there and what can be done', async () => {
    const cwd = await makeFolder();
    await runBinary(['init'], { cwd });
    await fs.outputFile(path.join(cwd, 'chorus/notes.txt'), 'mine');
    const before = await readTree(cwd);
    const run = await runBinary(['init', '--lang', 'zh-CN'], { cwd });
    expect(run).toMatchObject({ exitCode: 1, stdout: '' });
    for (const text of ['SKILL.md', 'notes.txt', '(en)', '--force', 'another place']) {
      expect(run.stderr).toContain(text);
    }
    expect(await readTree(cwd)).toEqual(before);
  });

  it('that is empty or holds other things is not touched either', async () => {
    const cwd = await makeFolder();
    await fs.ensureDir(path.join(cwd, 'empty'));
    await fs.outputFile(path.join(cwd, 'full/song.txt'), 'la');
    const empty = await runBinary(['init', '--dir', 'empty', '--json'], { cwd });
    const full = await runBinary(['init', '--dir', 'full', '--json'], { cwd });
    expect([empty.exitCode, JSON.parse(empty.stdout).error.code]).toEqual([
      1,
      'empty-folder-exists',
    ]);
    expect([full.exitCode, JSON.parse(full.stdout).error.code]).toEqual([1, 'folder-exists']);
    expect(await readTree(cwd)).toEqual({ 'empty/': '', 'full/song.txt': 'la' });
  });

  it('is brought up to date by --force; other files stay, changed ones are named', async () => {
    const cwd = await makeFolder();
    await runBinary(['init', '--lang', 'en'], { cwd });
    const folder = path.join(cwd, 'chorus');
    await fs.outputFile(path.join(folder, 'examples/mine.json'), '{}');
    await fs.appendFile(path.join(folder, 'PROTOCOL.md'), 'changed');
    await fs.remove(path.join(folder, 'envelope.schema.json'));

    const run = await runBinary(['init', '--lang', 'zh-CN', '--force', '--json'], { cwd });
    expect(run.exitCode).toBe(0);
    const actions = JSON.parse(run.stdout).files.map((file: { path: string; action: string }) => [
      file.path,
      file.action,
    ]);
    expect(Object.fromEntries(actions)).toEqual({
      'SKILL.md': 'replace',
      'PROTOCOL.md': 'replace-changed',
      'TRANSPORT.md': 'replace',
      'envelope.schema.json': 'create',
      'examples/en-to-en.json': 'keep',
      'examples/ja-to-zh-CN.json': 'keep',
      'examples/zh-CN-to-ja.json': 'keep',
      [MANIFEST]: 'replace',
    });
    const other = await makeFolder();
    await runBinary(['init', '--lang', 'zh-CN'], { cwd: other });
    expect(await readTree(folder)).toEqual({
      ...(await readTree(path.join(other, 'chorus'))),
      'examples/mine.json': '{}',
    });
  });

  it('keeps its language under --force unless another is asked for', async () => {
    const cwd = await makeFolder();
    await runBinary(['init', '--lang', 'zh-CN'], { cwd });
    const run = await runBinary(['init', '--force', '--json'], { cwd });
    expect(JSON.parse(run.stdout).language).toBe('zh-CN');
    const other = await runBinary(['init', '--force', '--json', '--lang', 'en'], { cwd });
    expect(JSON.parse(other.stdout).language).toBe('en');
  });

  it('loses what a newer version no longer ships, unless somebody changed it', async () => {
    const cwd = await makeFolder();
    await runBinary(['init'], { cwd });
    const folder = path.join(cwd, 'chorus');
    const manifest = await fs.readJson(path.join(folder, MANIFEST));
    for (const name of ['old/plain.md', 'old-changed.md']) {
      await fs.outputFile(path.join(folder, name), 'old');
      manifest.files[name] = sha256('old');
    }
    await fs.outputFile(path.join(folder, 'old-changed.md'), 'new words');
    await fs.writeJson(path.join(folder, MANIFEST), manifest);

    const run = await runBinary(['init', '--force'], { cwd });
    expect(run.exitCode).toBe(0);
    const tree = await readTree(folder);
    expect(Object.keys(tree).filter((name) => name.startsWith('old'))).toEqual(['old-changed.md']);
    expect(run.stdout).toMatch(/old-changed\.md.*kept/);
  });

  it('with a manifest that points outside loses nothing outside', async () => {
    const cwd = await makeFolder();
    await runBinary(['init'], { cwd });
    await fs.writeFile(path.join(cwd, 'precious'), 'x');
    const file = path.join(cwd, 'chorus', MANIFEST);
    const manifest = await fs.readJson(file);
    manifest.files['../precious'] = sha256('x');
    await fs.writeJson(file, manifest);
    expect((await runBinary(['init', '--force'], { cwd })).exitCode).toBe(0);
    expect(await fs.readFile(path.join(cwd, 'precious'), 'utf8')).toBe('x');
  });
});

describe('a place that is no free folder', () => {
  it('a file named chorus', async () => {
    const cwd = await makeFolder();
    await fs.writeFile(path.join(cwd, 'chorus'), 'a song');
    for (const flags of [[], ['--force']]) {
      const run = await runBinary(['init', ...flags], { cwd });
      expect(run).toMatchObject({ exitCode: 1, stdout: '' });
      expect(run.stderr).toContain('is a file, not a folder');
    }
    expect(await readTree(cwd)).toEqual({ chorus: 'a song' });
  });

  it('a file on the way', async () => {
    const cwd = await makeFolder();
    await fs.writeFile(path.join(cwd, 'notes'), 'x');
    const run = await runBinary(['init', '--dir', 'notes/deep/chorus', '--json'], { cwd });
    expect(JSON.parse(run.stdout).error).toMatchObject({
      code: 'not-a-folder',
      args: { path: path.join(cwd, 'notes') },
    });
  });

  it('a symbolic link, leading somewhere or nowhere', async () => {
    const cwd = await makeFolder();
    await fs.ensureDir(path.join(cwd, 'real'));
    await fs.symlink('real', path.join(cwd, 'chorus'));
    await fs.symlink('gone', path.join(cwd, 'broken'));
    for (const [dir, code] of [
      ['chorus', 'symbolic-link'],
      ['broken', 'broken-link'],
      ['broken/deep', 'broken-link'],
    ]) {
      const run = await runBinary(['init', '--force', '--json', '--dir', dir ?? ''], { cwd });
      expect([run.exitCode, JSON.parse(run.stdout).error.code]).toEqual([1, code]);
    }
    expect(await readTree(cwd)).toEqual({ chorus: '→ real', broken: '→ gone', 'real/': '' });
  });

  it('a link above the folder is followed, and the user is told where the files are', async () => {
    const cwd = await makeFolder();
    await fs.ensureDir(path.join(cwd, 'real'));
    await fs.symlink('real', path.join(cwd, 'link'));
    const run = await runBinary(['init', '--dir', 'link/chorus'], { cwd });
    expect(run.exitCode).toBe(0);
    expect(run.stdout).toContain(path.join(cwd, 'real/chorus'));
    expect(await fs.readdir(path.join(cwd, 'real'))).toEqual(['chorus']);
  });

  it('a link among our files is not written through', async () => {
    const cwd = await makeFolder();
    await runBinary(['init'], { cwd });
    await fs.writeFile(path.join(cwd, 'precious'), 'x');
    await fs.remove(path.join(cwd, 'chorus/SKILL.md'));
    await fs.symlink('../precious', path.join(cwd, 'chorus/SKILL.md'));
    const before = await readTree(cwd);
    const run = await runBinary(['init', '--force', '--json'], { cwd });
    expect([run.exitCode, JSON.parse(run.stdout).error.code]).toEqual([1, 'symbolic-link']);
    expect(await readTree(cwd)).toEqual(before);
  });

  it('a pipe in the place of a file of ours keeps nobody waiting', async () => {
    const cwd = await makeFolder();
    await fs.ensureDir(path.join(cwd, 'chorus'));
    await execa('mkfifo', [path.join(cwd, 'chorus', MANIFEST)]);
    const plain = await runBinary(['init', '--json'], { cwd });
    expect(JSON.parse(plain.stdout).error.code).toBe('folder-exists');
    const forced = await runBinary(['init', '--force', '--json'], { cwd });
    expect(JSON.parse(forced.stdout).error.code).toBe('not-a-file');
  });

  it('a current folder that is gone', async () => {
    const cwd = await makeFolder();
    const gone = path.join(cwd, 'gone');
    await fs.ensureDir(gone);
    const script = 'rmdir "$PWD"; exec "$0" "$1" init';
    const run = await execa('sh', ['-c', script, process.execPath, binary], {
      cwd: gone,
      reject: false,
      env: { LANG: 'C' },
    });
    expect(run.exitCode).toBe(2);
    expect(run.stderr).toContain('The current folder does not exist any more.');
    expect(run.stderr).not.toContain('at ');
  });

  it('an empty --dir', async () => {
    const cwd = await makeFolder();
    expect(await runBinary(['init', '--dir', ''], { cwd })).toMatchObject({
      exitCode: 2,
      stdout: '',
    });
  });
});
