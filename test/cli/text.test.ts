import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isInsidePath } from '../../cli/io/files.ts';
import { measureWidth, stripControls, wantsColors, wrapText } from '../../cli/io/terminal.ts';
import { matchTag, normaliseTag, readLocale } from '../../cli/locale.ts';
import { findNearest } from '../../cli/nearest.ts';

describe('stripControls', () => {
  it('leaves nothing that moves the cursor, reorders or hides text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        // Of all control and format characters only these may be left.
        expect(stripControls(text).replace(/[\t\n]|\p{Cf}/gu, '')).not.toMatch(/\p{Cc}/u);
        expect(stripControls(text)).not.toMatch(/\p{Bidi_Control}/u);
      }),
    );
  });

  it('changes no ordinary text', () => {
    const text = 'Grüße, 你好、\tこんにちは\n👍🏽';
    expect(stripControls(text)).toBe(text);
  });
});

describe('wrapText', () => {
  const words = fc.array(
    fc.constantFrom('a', 'skill', '技能', '写入。', '文件夹', 'x-y', '(中文)'),
  );

  it('loses nothing but spaces, and fits every line that can be broken', () => {
    fc.assert(
      fc.property(words, fc.integer({ min: 12, max: 60 }), (parts, width) => {
        const text = parts.join(' ');
        const wrapped = wrapText(text, width);
        expect(wrapped.replace(/\s/g, '')).toBe(text.replace(/\s/g, ''));
        for (const line of wrapped.split('\n'))
          expect(measureWidth(line)).toBeLessThanOrEqual(width);
      }),
    );
  });

  it('counts wide characters as two columns', () => {
    expect(measureWidth('技能 ok')).toBe(7);
  });

  it('begins no line with closing punctuation', () => {
    expect(wrapText('写入文件夹，完成。', 10)).toBe('写入文件\n夹，完成。');
  });
});

describe('findNearest', () => {
  it('finds what is one slip away and nothing that is not close', () => {
    expect(findNearest('--forse', ['--force', '--dry-run'])).toBe('--force');
    expect(findNearest('inti', ['init', 'help'])).toBe('init');
    expect(findNearest('cn', ['en', 'zh-CN'])).toBe('zh-CN');
    expect(findNearest('', ['--dry-run'])).toBeUndefined();
    expect(findNearest('frobnicate', ['init', 'help'])).toBeUndefined();
  });

  it('finds the word itself', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1 }), (words) => {
        const found = findNearest(words[0] ?? '', words);
        expect(found?.toLowerCase()).toBe(words[0]?.toLowerCase());
      }),
    );
  });
});

describe('languages', () => {
  const available = ['en', 'zh-CN'] as const;

  it.each([
    ['en-US', 'en'],
    ['en-GB', 'en'],
    ['zh', 'zh-CN'],
    ['zh-Hans', 'zh-CN'],
    ['zh-SG', 'zh-CN'],
    ['zh-TW', undefined],
    ['zh-Hant', undefined],
    ['en-Shaw', undefined],
    ['de', undefined],
  ])('%s is served by %s', (tag, wanted) => {
    expect(matchTag(tag, available)).toBe(wanted);
  });

  it('an exact match comes before a plain one', () => {
    expect(matchTag('pt-BR', ['pt', 'pt-BR'])).toBe('pt-BR');
  });

  it.each([
    ['zh_CN.UTF-8', 'zh-CN'],
    ['sr_RS@latin', 'sr-RS'],
    ['ZH-cn', 'zh-CN'],
    ['C.UTF-8', undefined],
    ['POSIX', undefined],
    ['not a tag', undefined],
    ['', undefined],
  ])('%j means %s', (value, wanted) => {
    expect(normaliseTag(value)).toBe(wanted);
  });

  it('any text is either a tag that can be matched or none', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const tag = normaliseTag(text);
        if (tag !== undefined) matchTag(tag, available);
      }),
    );
  });

  it('the first locale variable that is set decides', () => {
    expect(readLocale({ LC_ALL: 'C', LANG: 'zh_CN.UTF-8' })).toBeUndefined();
    expect(readLocale({ LC_ALL: '', LC_MESSAGES: 'zh_CN', LANG: 'en_US' })).toBe('zh-CN');
    expect(readLocale({ LANG: 'ja_JP.UTF-8' })).toBe('ja-JP');
  });
});

it.each([
  [true, {}, true],
  [false, {}, false],
  [true, { NO_COLOR: '1' }, false],
  [false, { FORCE_COLOR: '1' }, true],
  [true, { FORCE_COLOR: '0' }, false],
  [true, { FORCE_COLOR: '1', NO_COLOR: '1' }, false],
  [true, { TERM: 'dumb' }, false],
])('colours for terminal=%s and %j: %s', (isTTY, env, wanted) => {
  expect(wantsColors(isTTY, env)).toBe(wanted);
});

it('only paths that stay inside are inside', () => {
  for (const good of ['SKILL.md', 'examples/a.json', '..a/b', 'a..'])
    expect(isInsidePath(good)).toBe(true);
  for (const bad of ['', '..', '../a', 'a/../b', '/a', 'a//b', './a', 'a\\b', 'C:a', 'a\0', 'a/']) {
    expect(isInsidePath(bad)).toBe(false);
  }
});
