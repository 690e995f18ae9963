import { describe, expect, it } from 'vitest';
import { ERROR_CODES } from '../../cli/errors.ts';
import { en } from '../../cli/wording/en.ts';
import { CATALOGUES, createWording } from '../../cli/wording/wording.ts';

const placeholders = (text: string) => [...new Set(text.match(/\{[a-zA-Z]+\}/g))].sort();
const ownWords = Object.entries(CATALOGUES).filter(([language]) => language !== 'en');

describe.each(ownWords)('the catalogue %s', (_, catalogue) => {
  it('has the keys of the English one, no more and no fewer', () => {
    expect(Object.keys(catalogue).sort()).toEqual(Object.keys(en).sort());
  });

  it.each(Object.keys(en) as (keyof typeof en)[])('fills %s with the same arguments', (key) => {
    expect(placeholders(catalogue[key])).toEqual(placeholders(en[key]));
    expect(catalogue[key].trim() === '').toBe(en[key].trim() === '');
  });
});

it('every error has its wording, and every wording of an error its error', () => {
  const worded = (kind: string) =>
    Object.keys(en)
      .filter((key) => key.startsWith(`${kind}.`))
      .map((key) => key.slice(kind.length + 1))
      .filter((code) => !['label', 'did-you-mean'].includes(code));
  expect(worded('error').sort()).toEqual([...ERROR_CODES].sort());
  expect(worded('hint').sort()).toEqual([...ERROR_CODES].sort());
});

it('arguments are shown without control characters and are not filled in twice', () => {
  const { sayData } = createWording('en');
  expect(sayData('error.unknown-command', { given: '\u001b{given}' })).toBe(
    'There is no command "\\u001b{given}".',
  );
});

it('lists are joined as the language does it', () => {
  const args = { languages: ['en', 'zh-CN'] };
  expect(createWording('en').say('init.lang', args)).toContain('en, zh-CN');
  expect(createWording('zh-CN').say('init.lang', args)).toContain('en、zh-CN');
});
