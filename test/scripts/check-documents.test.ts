import os from 'node:os';
import path from 'node:path';
import fs from 'fs-extra';
import { validate } from 'skills-ref';
import { describe, expect, it } from 'vitest';
import { CHECKS, checkDocuments } from '../../scripts/documents/checks.ts';
import type { DocumentSet } from '../../scripts/documents/document-set.ts';
import { readDocumentSet } from '../../scripts/documents/read-document-set.ts';
import { estimateTokens } from '../../scripts/documents/skill-frontmatter.ts';

const root = path.resolve(import.meta.dirname, '../..');
const shipped = await readDocumentSet(path.join(root, 'templates'));

const copySet = (): DocumentSet => ({
  languages: new Map([...shipped.languages].map(([name, files]) => [name, new Map(files)])),
  shared: new Map(shipped.shared),
});

type Edit = (set: DocumentSet) => void;

function replaceIn(files: Map<string, string> | undefined, name: string, from: string, to: string) {
  const text = files?.get(name);
  // A mutation that no longer changes anything would prove nothing.
  if (!text?.includes(from)) throw new Error(`${name} has no "${from}"`);
  files?.set(name, text.replaceAll(from, to));
}

const inLanguage =
  (language: string, name: string, from: string, to: string): Edit =>
  (set) =>
    replaceIn(set.languages.get(language), name, from, to);

const inAll =
  (name: string, from: string, to: string): Edit =>
  (set) => {
    for (const files of set.languages.values()) replaceIn(files, name, from, to);
  };

const inShared =
  (name: string, from: string, to: string): Edit =>
  (set) =>
    replaceIn(set.shared, name, from, to);

const zh = (name: string, from: string, to: string) => inLanguage('zh-CN', name, from, to);

const MUTATIONS: [check: string, what: string, edit: Edit][] = [
  ['same-files', 'a file only in en', (set) => set.languages.get('en')?.set('MORE.md', '# More\n')],
  [
    'same-files',
    'a file not in en',
    (set) => set.languages.get('zh-CN')?.set('MORE.md', '# 更多\n'),
  ],
  ['same-headings', 'a level changed', zh('PROTOCOL.md', '## 6. 对话', '### 6. 对话')],
  [
    'same-headings',
    'a heading more',
    zh('SKILL.md', '\n**OpenClaw：**', '\n### 主机\n\n**OpenClaw：**'),
  ],
  [
    'same-tables',
    'a row dropped',
    zh('TRANSPORT.md', '| 新开的收件箱会关闭旧的 | 每个身份只开一个收件箱 |\n', ''),
  ],
  ['same-tables', 'a column dropped', zh('TRANSPORT.md', '| 带额外字段的信封被拒绝 | 只', '| 只')],
  ['same-blocks', 'a key renamed', zh('SKILL.md', '"peer":', '"endpoint":')],
  ['same-blocks', 'a label changed', zh('SKILL.md', '```sh', '```bash')],
  [
    'same-blocks',
    'a header dropped',
    zh('TRANSPORT.md', '?session=<token>\nAccept: text/event-stream', '?session=<token>'),
  ],
  ['same-keywords', 'MUST removed', zh('PROTOCOL.md', '接收方 MUST 先校验', '接收方先校验')],
  [
    'same-keywords',
    'MUST weakened',
    inLanguage('en', 'TRANSPORT.md', 'A hub SHOULD serve', 'A hub MAY serve'),
  ],
  ['same-numbers', 'a section', zh('SKILL.md', '里，再转到第 2 节', '里，再转到第 3 节')],
  ['same-numbers', 'an exit code', zh('SKILL.md', '退出码 2 表示', '退出码 0 表示')],
  ['same-numbers', 'a status', zh('TRANSPORT.md', '新建 201，更新 200', '新建 200，更新 200')],
  ['same-links', 'a link removed', zh('TRANSPORT.md', '按 [PROTOCOL.md](PROTOCOL.md)', '按协议')],
  [
    'same-spans',
    'a name removed from prose',
    zh('PROTOCOL.md', '供人阅读的 `detail`', '供人阅读的说明'),
  ],
  [
    'known-endpoints',
    'a path in prose',
    inAll('SKILL.md', '`POST /register`', '`POST /registration`'),
  ],
  ['known-endpoints', 'a method', inAll('SKILL.md', '`POST /register`', '`GET /register`')],
  [
    'known-endpoints',
    'a request line',
    inAll('TRANSPORT.md', 'GET /agent/messages?since=40', 'GET /agent/history?since=40'),
  ],
  ['known-endpoints', 'a command', inAll('SKILL.md', '$HUB_URL/messages', '$HUB_URL/send')],
  ['known-names', 'a field in prose', inAll('SKILL.md', '`delivery`', '`delivery_state`')],
  ['known-names', 'a value in prose', inAll('PROTOCOL.md', '`"ok"`', '`"fine"`')],
  ['known-names', 'a query', inAll('TRANSPORT.md', '?session=<token>', '?token=<token>')],
  ['known-names', 'a query in prose', inAll('SKILL.md', '`?since=0`', '`?from=0`')],
  [
    'known-names',
    'a key in a block',
    inAll('TRANSPORT.md', '"registration": {', '"registration": { "secret": 1,'),
  ],
  [
    'known-names',
    'a delivery',
    (set) => {
      inLanguage('en', 'TRANSPORT.md', '| `queued` messages', '| `parked` messages')(set);
      zh('TRANSPORT.md', '| `queued` 的', '| `parked` 的')(set);
    },
  ],
  [
    'known-codes',
    'a transport error',
    inAll('TRANSPORT.md', '`409` `ERR_AGENT_ID_TAKEN`', '`409` `ERR_ID_TAKEN`'),
  ],
  ['known-codes', 'a protocol error', inAll('PROTOCOL.md', '`"ok"`', '`"ok"` `BAD_ENVELOPE`')],
  [
    'known-values',
    'a delivery',
    inAll('TRANSPORT.md', '"delivery": "delivered_sse"', '"delivery": "sse"'),
  ],
  [
    'known-values',
    'the version of the card',
    inAll('TRANSPORT.md', '"card_version": "0.3"', '"card_version": "0.4"'),
  ],
  [
    'known-values',
    'a limit of the discovery document',
    inAll('TRANSPORT.md', '"body_bytes": 65536', '"body_bytes": 32768'),
  ],
  [
    'known-values',
    'a path of the discovery document',
    inAll('TRANSPORT.md', '"send": "/messages"', '"send": "/send"'),
  ],
  ['known-values', 'a header', inAll('TRANSPORT.md', 'Idempotency-Key: 5b', 'Idempotence-Key: 5b')],
  ['known-numbers', 'a version', inAll('PROTOCOL.md', '`"0.4"`', '`"0.5"`')],
  ['known-numbers', 'a status', inAll('TRANSPORT.md', '`413`', '`418`')],
  ['documented-names', 'a file', inAll('SKILL.md', '`chorus-invalid.jsonl`', '`chorus-bad.jsonl`')],
  ['documented-names', 'an event', inAll('TRANSPORT.md', '`chunk`', '`message`')],
  [
    'documented-names',
    'a pattern',
    inAll('PROTOCOL.md', '`^[a-zA-Z0-9._-]+@', '`^[a-zA-Z0-9._]+@'),
  ],
  [
    'documented-tables',
    'an error',
    (set) => {
      inLanguage(
        'en',
        'TRANSPORT.md',
        '| `ERR_TIMEOUT` | 504 | yes | try again with backoff |\n',
        '',
      )(set);
      zh('TRANSPORT.md', '| `ERR_TIMEOUT` | 504 | 是 | 退避后重试 |\n', '')(set);
    },
  ],
  [
    'documented-tables',
    'the status of an error',
    inAll('TRANSPORT.md', '| `ERR_TIMEOUT` | 504', '| `ERR_TIMEOUT` | 502'),
  ],
  [
    'documented-tables',
    'whether to retry',
    zh('TRANSPORT.md', '| `ERR_REGISTRY_FULL` | 429 | 否', '| `ERR_REGISTRY_FULL` | 429 | 稍后'),
  ],
  [
    'documented-tables',
    'the key of an endpoint',
    zh('TRANSPORT.md', '`POST /agents` | 运营者', '`POST /agents` | 无'),
  ],
  [
    'documented-limits',
    'no limit',
    (set) => {
      inLanguage('en', 'SKILL.md', '10 to 500 characters', '10 to 400 characters')(set);
      zh('SKILL.md', '10 到 500 个字符', '10 到 400 个字符')(set);
    },
  ],
  [
    'documented-limits',
    "another limit's number",
    (set) => {
      inLanguage('en', 'SKILL.md', '10 to 500 characters', '16 to 500 characters')(set);
      zh('SKILL.md', '10 到 500 个字符', '16 到 500 个字符')(set);
    },
  ],
  [
    'documented-limits',
    'a limit left out',
    (set) => {
      inLanguage('en', 'TRANSPORT.md', ' of at least 16 characters', '')(set);
      zh('TRANSPORT.md', '至少 16 个字符的', '')(set);
    },
  ],
  [
    'documented-limits',
    'the limit of a hub',
    (set) => {
      inLanguage('en', 'TRANSPORT.md', ', or a body over 64 KiB,', '')(set);
      zh('TRANSPORT.md', '，或请求体超过 64 KiB', '')(set);
    },
  ],
  [
    'valid-envelopes',
    'a field that breaks its rule',
    inAll('PROTOCOL.md', '"sender_culture": "ja"', '"sender_culture": "JA"'),
  ],
  [
    'valid-envelopes',
    'an event of the inbox',
    inAll('TRANSPORT.md', '"turn_number": 2}', '"turn_number": 0}'),
  ],
  [
    'valid-envelopes',
    'a required field missing',
    inAll('TRANSPORT.md', '    "sender_id": "your-name@hub.example",\n', ''),
  ],
  [
    'valid-envelopes',
    'a block that is not JSON',
    inAll('PROTOCOL.md', '{ "status": "ok" }', '{ "status": ok }'),
  ],
  [
    'valid-envelopes',
    'an example',
    inShared('examples/en-to-en.json', 'oliver.grant@agchorus', 'oliver.grant'),
  ],
  [
    'example-form',
    'an example without its output',
    inShared('examples/en-to-en.json', '"adapted_output"', '"output"'),
  ],
  ['links-resolve', 'a file', inAll('SKILL.md', '](TRANSPORT.md)', '](TRANSPORTS.md)')],
  ['links-resolve', 'an anchor', inAll('PROTOCOL.md', '](SKILL.md)', '](SKILL.md#nowhere)')],
  [
    'links-resolve',
    'a section',
    (set) => {
      inLanguage('en', 'PROTOCOL.md', 'section 5', 'section 8')(set);
      zh('PROTOCOL.md', '第 5 节', '第 8 节')(set);
    },
  ],
  ['skill-frontmatter', 'the name', zh('SKILL.md', 'name: chorus\n', 'name: 合唱\n')],
  ['skill-frontmatter', 'no description', zh('SKILL.md', '\ndescription: ', '\nlicence: ')],
  [
    'skill-frontmatter',
    'a long description',
    inAll('SKILL.md', '\ndescription: ', `\ndescription: ${'x'.repeat(1024)}`),
  ],
  [
    'skill-frontmatter',
    'no frontmatter',
    (set) => {
      for (const files of set.languages.values()) {
        files.set('SKILL.md', files.get('SKILL.md')?.replace(/^---.*?\n---\n/s, '') ?? '');
      }
    },
  ],
  [
    'skill-frontmatter',
    'too many lines',
    inAll('SKILL.md', '\n## 9.', `${'\n'.repeat(300)}\n## 9.`),
  ],
  [
    'skill-frontmatter',
    'too many tokens',
    zh('SKILL.md', '\n## 9.', `\n${'字'.repeat(4000)}\n\n## 9.`),
  ],
];

describe('the shipped documents', () => {
  it('have no findings', () => {
    expect(checkDocuments(shipped)).toEqual([]);
  });

  it('are found in more than one language', () => {
    expect([...shipped.languages.keys()]).toEqual(expect.arrayContaining(['en', 'zh-CN']));
    expect([...shipped.languages.keys()]).not.toContain('shared');
  });

  it.each([...shipped.languages.keys()])('%s is a skill once installed as chorus', async (lang) => {
    const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'chorus-skill-'));
    try {
      await fs.copy(path.join(root, 'templates', lang), path.join(folder, 'chorus'));
      expect(await validate(path.join(folder, 'chorus'))).toEqual([]);
    } finally {
      await fs.remove(folder);
    }
  });
});

describe('a changed document', () => {
  it.each(MUTATIONS)('%s: %s', (check, _what, edit) => {
    const set = copySet();
    edit(set);
    const findings = checkDocuments(set);
    const formatted = findings.map((f) => `${f.file}:${f.line}: [${f.check}] ${f.message}`);
    expect([...new Set(findings.map((finding) => finding.check))], formatted.join('\n')).toEqual([
      check,
    ]);
  });

  it('is made for every check', () => {
    const tried = new Set(MUTATIONS.map(([check]) => check));
    expect(CHECKS.map(({ id }) => id).filter((id) => !tried.has(id))).toEqual([]);
  });

  it('is reported at its line', () => {
    const set = copySet();
    inAll('TRANSPORT.md', '`409` `ERR_AGENT_ID_TAKEN`', '`409` `ERR_ID_TAKEN`')(set);
    for (const { file, line } of checkDocuments(set)) {
      const [, language = '', name = ''] = file.split('/');
      const text = set.languages.get(language)?.get(name)?.split('\n')[line - 1];
      expect(text).toContain('ERR_ID_TAKEN');
    }
  });

  it('that is gone is missed, besides by the links to it', () => {
    const set = copySet();
    set.languages.get('zh-CN')?.delete('TRANSPORT.md');
    const checks = new Set(checkDocuments(set).map(({ check }) => check));
    expect(checks).toEqual(new Set(['same-files', 'links-resolve']));
  });
});

describe('a third language', () => {
  const withThird = (): DocumentSet => {
    const set = copySet();
    set.languages.set('fr', new Map(shipped.languages.get('en')));
    return set;
  };

  it('is accepted when it says the same', () => {
    expect(checkDocuments(withThird())).toEqual([]);
  });

  it.each([
    [
      'same-tables',
      'TRANSPORT.md',
      '| a newer inbox closes the older one | keep one inbox for each identity |\n',
      '',
    ],
    ['same-keywords', 'PROTOCOL.md', 'The receiver MUST deliver', 'The receiver delivers'],
    ['documented-tables', 'TRANSPORT.md', '| 502 | yes |', '| 502 | oui |'],
  ])('is checked: %s', (check, name, from, to) => {
    const set = withThird();
    inLanguage('fr', name, from, to)(set);
    const findings = checkDocuments(set);
    expect(findings.map((f) => f.check)).toEqual([check]);
    expect(findings[0]?.file).toBe(`templates/fr/${name}`);
  });
});

describe('estimateTokens', () => {
  it('counts four ASCII characters or 0.7 of any other', () => {
    expect(estimateTokens('a'.repeat(400))).toBe(100);
    expect(estimateTokens('信'.repeat(100))).toBe(70);
  });
});
