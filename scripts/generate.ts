import path from 'node:path';
import fs from 'fs-extra';
import type { Severity } from '../cli/diagnostics/finding.ts';
import { createFindingWording } from '../cli/diagnostics/wording/finding-wording.ts';
import { fixText } from '../cli/envelope/fix-text.ts';
import { RULES, TEXT_RULES } from '../cli/envelope/rules.ts';
import { envelopeSchema } from '../cli/protocol/envelope-schema.ts';
import type { UiLanguage } from '../cli/wording/wording.ts';

const root = path.dirname(import.meta.dirname);

/** Every file that is made from code, so that a test can tell when one is stale. */
export const GENERATED: Readonly<Record<string, () => string>> = {
  'templates/shared/envelope.schema.json': () => `${JSON.stringify(envelopeSchema, null, 2)}\n`,
  'docs/rules.md': () => formatRules('en'),
  'docs/rules.zh-CN.md': () => formatRules('zh-CN'),
};

interface RulesPage {
  title: string;
  otherLanguage: string;
  introduction: string;
  errors: string;
  warnings: string;
  warningsNote: string;
  columns: string;
  yes: string;
  no: string;
}

const RULES_PAGES: Readonly<Record<UiLanguage, RulesPage>> = {
  en: {
    title: 'Rules of `validate`',
    otherLanguage: 'English | [简体中文](rules.zh-CN.md)',
    introduction:
      '`chorus-skill validate --rules` lists them too. `--fix` repairs a finding of a rule marked\n"yes" where the finding has one right answer.',
    errors: 'Errors',
    warnings: 'Warnings',
    warningsNote: 'They count with `--strict` only.',
    columns: '| rule | what it means | `--fix` |',
    yes: 'yes',
    no: 'no',
  },
  'zh-CN': {
    title: '`validate` 的规则',
    otherLanguage: '[English](rules.md) | 简体中文',
    introduction:
      '也可以用 `chorus-skill validate --rules` 查看。最后一列为“是”的规则，只要问题只有一种正确改法，`--fix` 就会修复。',
    errors: '错误',
    warnings: '警告',
    warningsNote: '只有加上 `--strict` 才算不通过。',
    columns: '| 规则 | 含义 | `--fix` |',
    yes: '是',
    no: '否',
  },
};

function formatRules(language: UiLanguage): string {
  const page = RULES_PAGES[language];
  return `# ${page.title}

${page.otherLanguage}

${page.introduction}

## ${page.errors}

${formatTable('error', language)}

## ${page.warnings}

${page.warningsNote}

${formatTable('warning', language)}
`;
}

function formatTable(wanted: Severity, language: UiLanguage): string {
  const { meaning } = createFindingWording(language);
  const { columns, yes, no } = RULES_PAGES[language];
  const rows = [...RULES, ...TEXT_RULES]
    .filter(({ severity }) => severity === wanted)
    .map(({ id }) => {
      const fixable = isFixable(id) ? yes : no;
      return `| \`${id}\` | ${meaning(id).replaceAll('|', '\\|')} | ${fixable} |`;
    });
  return [columns, '| --- | --- | --- |', ...rows].join('\n');
}

/** A rule about a value offers a repair in its own file, or none; those about the text are tried. */
function isFixable(id: string): boolean {
  if (id === 'byte-order-mark') return fixText('\ufeff{}', false) === '{}';
  if (TEXT_RULES.some((rule) => rule.id === id)) return false;
  const source = fs.readFileSync(path.join(root, `cli/envelope/rules/${id}.ts`), 'utf8');
  return /\b(renameTo|replaceWith):/.test(source);
}

if (process.argv[1]?.endsWith('generate.ts')) {
  for (const [file, make] of Object.entries(GENERATED)) {
    await fs.outputFile(path.join(root, file), make());
    console.error(`wrote ${file}`);
  }
}
