import path from 'node:path';
import fs from 'fs-extra';
import { describe, expect, it } from 'vitest';
import { ERROR_CODES } from '../../cli/errors.ts';
import { errorTexts } from '../../cli/wording/errors/texts.ts';
import { initTexts } from '../../cli/wording/init/texts.ts';
import { createWording, type Texts } from '../../cli/wording/wording.ts';
import { root } from '../run-binary.ts';

const folder = path.join(root, 'cli/wording');
const areas = fs.readdirSync(folder).filter((name) => !name.endsWith('.ts'));
const placeholders = (text: string) => [...new Set(text.match(/\{[a-zA-Z]+\}/g))].sort();

async function readTexts(area: string): Promise<Texts> {
  const [texts] = Object.values(await import(path.join(folder, area, 'texts.ts')));
  return texts as Texts;
}

describe.each(areas)('the texts of %s', async (area) => {
  const { en, ...others } = await readTexts(area);

  it.each(Object.entries(others))('have the same keys in %s', (_, catalogue) => {
    expect(Object.keys(catalogue).sort()).toEqual(Object.keys(en).sort());
  });

  it.each(Object.entries(others))('are filled with the same arguments in %s', (_, catalogue) => {
    for (const [key, text] of Object.entries(en)) {
      expect(placeholders(catalogue[key] ?? ''), key).toEqual(placeholders(text));
      expect(catalogue[key]?.trim() === '', key).toBe(text.trim() === '');
    }
  });
});

it('no key stands in two areas: one would hide the other', async () => {
  const keys: string[] = [];
  for (const area of areas) keys.push(...Object.keys((await readTexts(area)).en));
  expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
});

it('every error has its wording, and every wording of an error its error', () => {
  const worded = (kind: string) =>
    Object.keys(errorTexts.en)
      .filter((key) => key.startsWith(`${kind}.`))
      .map((key) => key.slice(kind.length + 1))
      .filter((code) => code !== 'did-you-mean');
  expect(worded('error').sort()).toEqual([...ERROR_CODES].sort());
  expect(worded('hint').sort()).toEqual([...ERROR_CODES].sort());
});

it('arguments are shown without control characters and are not filled in twice', () => {
  const { sayData } = createWording('en', errorTexts);
  expect(sayData('error.unknown-command', { given: '\u001b{given}' })).toBe(
    'There is no command "\\u001b{given}".',
  );
});

it('lists are joined as the language does it', () => {
  const args = { languages: ['en', 'zh-CN'] };
  expect(createWording('en', initTexts).say('init.lang', args)).toContain('en, zh-CN');
  expect(createWording('zh-CN', initTexts).say('init.lang', args)).toContain('en、zh-CN');
});
