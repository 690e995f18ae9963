import path from 'node:path';
import { execa } from 'execa';
import fs from 'fs-extra';
import { describe, expect, it } from 'vitest';
import { FORMATS } from '../cli/diagnostics/formats/formats.ts';
import { KINDS } from '../cli/envelope/kinds.ts';
import { errorTexts } from '../cli/wording/errors/texts.ts';
import type { DocumentSet } from '../scripts/documents/document-set.ts';
import { formatAnchor } from '../scripts/documents/links-resolve.ts';
import { parseDocument } from '../scripts/documents/parse-document.ts';
import { sameHeadings } from '../scripts/documents/same-headings.ts';
import { sameLinks } from '../scripts/documents/same-links.ts';
import { sameNumbers } from '../scripts/documents/same-numbers.ts';
import { sameSpans } from '../scripts/documents/same-spans.ts';
import { sameTables } from '../scripts/documents/same-tables.ts';
import { binary, makeFolder, root, runBinary } from './run-binary.ts';

/** Every page for people, from the project's root: the READMEs and what is in docs/. */
const PAGES = ['README.md', 'README.zh-CN.md', ...listDocs()];
const ENGLISH = PAGES.filter((page) => languageOf(page) === 'en');

function listDocs(): string[] {
  return fs
    .readdirSync(path.join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`);
}

function languageOf(page: string): 'en' | 'zh-CN' {
  return page.endsWith('.zh-CN.md') ? 'zh-CN' : 'en';
}

function translate(page: string): string {
  return page.replace(/\.md$/, '.zh-CN.md');
}

function readPage(page: string): string {
  return fs.readFileSync(path.join(root, page), 'utf8');
}

/** A `console` block as its reader would type it: each `$ ` with what is printed below it. */
function readShown(page: string): { command: string; output: string }[] {
  return blocksOf(page, 'console').flatMap(({ lines }) =>
    lines
      .join('\n')
      .split(/^\$ /m)
      .slice(1)
      .map((part) => {
        const [command = '', ...output] = part.trimEnd().split('\n');
        return { command, output: output.join('\n') };
      }),
  );
}

/** Blocks labelled so, perhaps with more words behind it. */
function blocksOf(page: string, label: string) {
  return parseDocument(readPage(page))
    .flatMap(({ blocks }) => blocks)
    .filter(({ info }) => info.split(' ')[0] === label);
}

/** A computer on which the built program is installed, seen from a folder called /srv. */
async function createComputer(language: string) {
  const disk = await makeFolder();
  const cwd = path.join(disk, 'srv');
  const bin = path.join(disk, 'bin');
  const home = path.join(disk, 'home');
  await Promise.all([cwd, home].map((folder) => fs.ensureDir(folder)));
  const start = `exec "${process.execPath}" "${binary}" "$@"\n`;
  const scripts = { 'chorus-skill': start, npx: `shift\nexport npm_command=exec\n${start}` };
  for (const [name, script] of Object.entries(scripts)) {
    await fs.outputFile(path.join(bin, name), `#!/bin/sh\n${script}`, { mode: 0o755 });
  }
  const env = { PATH: `${bin}:${process.env.PATH}`, HOME: home, LANG: language };
  return {
    cwd,
    async run(command: string): Promise<string> {
      const options = { cwd, env, extendEnv: false, reject: false, all: true } as const;
      const { all } = await execa('sh', ['-c', command], options);
      return all.replaceAll(disk, '');
    },
  };
}

describe.each(PAGES)('%s', (page) => {
  it('shows what its commands print, one after the other', async () => {
    const { cwd, run } = await createComputer(languageOf(page));
    // A block labelled with a file's name as well is that file.
    for (const { info, lines } of blocksOf(page, 'json')) {
      const [, name] = info.split(' ');
      if (name) await fs.outputFile(path.join(cwd, name), `${lines.join('\n')}\n`);
    }
    const shown = readShown(page);
    const printed = [];
    for (const { command } of shown) printed.push({ command, output: await run(command) });
    expect(printed).toEqual(shown);
  });

  it('links to pages and sections that exist', () => {
    for (const { text: link } of parseDocument(readPage(page)).flatMap(({ links }) => links)) {
      if (/^[a-z]+:/.test(link)) continue;
      const [file = '', anchor] = link.split('#');
      const target = file === '' ? page : path.join(path.dirname(page), file);
      expect(fs.existsSync(path.join(root, target)), link).toBe(true);
      if (anchor === undefined) continue;
      const anchors = parseDocument(readPage(target)).map(({ title }) => formatAnchor(title));
      expect(anchors, link).toContain(decodeURIComponent(anchor));
    }
  });
});

describe.each(ENGLISH)('%s and its translation', (page) => {
  it('say the same: sections, tables, blocks, links and names', () => {
    const [ours, theirs] = [readPage(page), readPage(translate(page))];
    // A link from a translation leads to a translation.
    const asSet = (text: string) => new Map([[page, text.replaceAll('.zh-CN.md', '.md')]]);
    const set: DocumentSet = {
      languages: new Map([
        ['en', asSet(ours)],
        ['zh-CN', asSet(theirs)],
      ]),
      shared: new Map(),
    };
    const checks = [sameHeadings, sameTables, sameLinks, sameNumbers, sameSpans];
    expect(checks.flatMap((check) => check.run(set))).toEqual([]);
    const blocks = (text: string) => text.match(/^```.*$/gm);
    expect(blocks(theirs)).toEqual(blocks(ours));
  });
});

/** What stands under the first heading that is the command's name, wherever that is. */
function findSection(command: string, language: string): string | undefined {
  for (const page of PAGES.filter((it) => it !== 'README.md' && languageOf(it) === language)) {
    const text = readPage(page);
    const heading = new RegExp(`^(#+) \`${command}\`$`, 'm').exec(text);
    if (heading === null) continue;
    const rest = text.slice(heading.index + heading[0].length);
    const end = rest.search(new RegExp(`^#{1,${heading[1]?.length}} `, 'm'));
    return end === -1 ? rest : rest.slice(0, end);
  }
  return undefined;
}

const listOptions = (help: string) => new Set(help.match(/--[a-z][a-z-]*/g));
const { stdout: usage } = await runBinary(['--help'], { cwd: root });
const commands = [...usage.matchAll(/^ {2}([a-z]+) {2}/gm)]
  .map(([, name = '']) => name)
  .filter((name) => name !== 'help');

describe.each(['README.md', 'README.zh-CN.md'])('%s', (page) => {
  it('lists every command with a link to its page, and what all of them have', () => {
    const text = readPage(page);
    expect(commands).toContain('init');
    for (const command of commands) {
      expect(text).toMatch(new RegExp(`^\\| \`${command}\` \\|.*\\]\\(docs/.+\\.md`, 'm'));
    }
    for (const option of listOptions(usage)) expect(text).toContain(option);
    for (const code of [0, 1, 2, 70, 130]) expect(text).toContain(`| ${code} |`);
  });
});

describe.each(commands)('the page of %s', (command) => {
  it.each(['en', 'zh-CN'])('names every option (%s)', async (language) => {
    const section = findSection(command, language);
    expect(section).toBeDefined();
    const { stdout } = await runBinary(['help', command], { cwd: root });
    const own = [...listOptions(stdout)].filter((option) => !listOptions(usage).has(option));
    for (const option of own) expect(section).toContain(option);
  });
});

describe.each(['en', 'zh-CN'])('the skill in %s', (language) => {
  const sections = ['SKILL.md', 'TRANSPORT.md'].flatMap((name) =>
    parseDocument(readPage(`templates/${language}/${name}`)),
  );
  const spans = sections.flatMap((section) => section.spans.map(({ text }) => text));

  it('names commands with options that they have', async () => {
    const lines = sections.flatMap(({ blocks }) => blocks.flatMap((block) => block.lines));
    const uses = [...spans, ...lines].filter((text) => text.startsWith('chorus-skill '));
    expect(uses.length).toBeGreaterThan(15);
    const known = new Set<string>();
    for (const command of commands) {
      const { stdout } = await runBinary(['help', command], { cwd: root });
      for (const option of listOptions(stdout)) known.add(option).add(`${command} ${option}`);
    }
    for (const use of uses) {
      const [, command = ''] = use.split(' ');
      expect(commands).toContain(command);
      for (const option of listOptions(use)) expect(known).toContain(`${command} ${option}`);
    }
    const alone = spans.filter((text) => text.startsWith('--'));
    for (const option of listOptions(alone.join(' '))) expect(known).toContain(option);
  });

  it('names error codes that there are', () => {
    const codes = spans.filter((text) => /^(?!chorus-)[a-z]+(-[a-z]+)+$/.test(text));
    expect(codes).toContain('credentials-missing');
    for (const code of codes) expect(errorTexts.en).toHaveProperty([`error.${code}`]);
  });
});

it.each(['en', 'zh-CN'])('every kind and format of validate is on its page (%s)', (language) => {
  for (const name of [...KINDS, ...Object.keys(FORMATS), 'response']) {
    expect(findSection('validate', language)).toContain(`| \`${name}\` |`);
  }
});
