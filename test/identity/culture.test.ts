import nodeFs from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nameHubHost, parseAgentId } from '../../cli/identity/agent-id.ts';
import { normaliseCulture, parseCultures } from '../../cli/identity/culture.ts';
import { detectCulture } from '../../cli/identity/detect-culture.ts';
import type { FileSystem } from '../../cli/io/files.ts';
import { CULTURE_PATTERN } from '../../cli/protocol/constants.ts';

describe('a culture', () => {
  it.each([
    ['zh_CN', 'zh-CN'],
    ['zh-Hans-CN', 'zh-CN'],
    ['zh_Hans_CN.UTF-8', 'zh-CN'],
    ['zh-Hant-HK', 'zh-HK'],
    ['zh-Hans-HK', 'zh-Hans-HK'],
    ['zh-Hans', 'zh-Hans'],
    ['sr_RS@latin', 'sr-Latn-RS'],
    ['sr_RS.UTF-8@cyrillic', 'sr-RS'],
    ['de_AT@euro', 'de-AT'],
    ['sr-Latn-RS', 'sr-Latn-RS'],
    ['EN-gb', 'en-GB'],
    ['en_US.UTF-8', 'en-US'],
    ['de-DE-u-co-phonebk', 'de-DE'],
    ['ca-ES-valencia', 'ca-ES'],
    ['es-419', 'es-419'],
    ['ja', 'ja'],
    ['yue-HK', 'yue-HK'],
  ])('%s is %s', (given, culture) => {
    expect(normaliseCulture(given)).toBe(culture);
  });

  it.each([
    '',
    'C',
    'C.UTF-8',
    'POSIX',
    'xx',
    'und-US',
    'mul',
    'jp',
    'english',
    'en-ZZZ',
    'en-QX',
    '日本語',
    '../..',
  ])('%j is none', (given) => {
    expect(normaliseCulture(given)).toBeUndefined();
  });

  it('is always of the form that the protocol wants, or none', () => {
    const pattern = new RegExp(CULTURE_PATTERN);
    const texts = fc.oneof(
      fc.string(),
      fc.stringMatching(/^[a-zA-Z]{2,3}([-_][a-zA-Z0-9]{2,8}){0,3}$/),
    );
    fc.assert(
      fc.property(texts, (text) => {
        const culture = normaliseCulture(text);
        expect(culture === undefined || pattern.test(culture)).toBe(true);
        if (culture !== undefined) expect(normaliseCulture(culture)).toBe(culture);
      }),
    );
  });

  it('lists are separated as people do it, each once', () => {
    expect(parseCultures('--languages', 'ja, en-us,ja')).toEqual(['ja', 'en-US']);
    expect(parseCultures('--languages', 'zh_CN、en')).toEqual(['zh-CN', 'en']);
    expect(() => parseCultures('--languages', 'en,foo bar')).toThrow('bad-culture');
  });
});

describe('the system is asked for its culture', () => {
  const files = (content: Record<string, string>): FileSystem =>
    ({
      ...nodeFs,
      readFileSync: (file: string) => {
        if (content[file] !== undefined) return content[file];
        throw Object.assign(new Error('none'), { code: 'ENOENT' });
      },
    }) as unknown as FileSystem;
  const detect = (
    platform: string,
    { env = {}, etc = {}, output }: { env?: object; etc?: Record<string, string>; output?: string },
  ) =>
    detectCulture({
      platform,
      env: env as Record<string, string>,
      fs: files(etc),
      run: async () => (output === undefined ? undefined : { status: 0, stdout: output }),
    });
  const LANG = { LANG: 'en_US.UTF-8' };

  it.each([
    ['(\n    "zh-Hans-CN",\n    "en-CN"\n)\n', 'zh-CN'],
    ['(\n    ja,\n    "en-JP"\n)\n', 'ja'],
  ])('on macOS AppleLanguages comes first: %j', async (output, culture) => {
    const detected = await detect('darwin', { env: LANG, output });
    expect(detected).toEqual({ culture, source: 'AppleLanguages' });
  });

  it('on Windows its own setting does', async () => {
    const output = '\r\nHKEY_CURRENT_USER\\…\r\n    LocaleName    REG_SZ    pt-BR\r\n\r\n';
    expect(await detect('win32', { output })).toEqual({ culture: 'pt-BR', source: 'Windows' });
  });

  it('on Linux the file of the system does, then the environment', async () => {
    const etc = { '/etc/locale.conf': '# x\nLANG="de_AT.UTF-8"\nLC_MESSAGES=fr_CA.UTF-8\n' };
    const file = { culture: 'fr-CA', source: '/etc/locale.conf' };
    expect(await detect('linux', { env: LANG, etc })).toEqual(file);
    const debian = { '/etc/default/locale': "LANG='ko_KR.UTF-8'" };
    expect((await detect('linux', { env: LANG, etc: debian }))?.culture).toBe('ko-KR');
    const neutral = { '/etc/locale.conf': 'LANG=C.UTF-8' };
    const fallback = { culture: 'en-US', source: 'LANG' };
    expect(await detect('linux', { env: LANG, etc: neutral })).toEqual(fallback);
  });

  it('C and POSIX are passed over, one by one', async () => {
    const env = { LC_ALL: 'C', LC_MESSAGES: 'POSIX', LANG: 'ja_JP.eucJP' };
    expect(await detect('linux', { env })).toEqual({ culture: 'ja-JP', source: 'LANG' });
    expect(await detect('linux', { env: { LANG: 'C.UTF-8' } })).toBeUndefined();
    expect(await detect('darwin', { env: {} })).toBeUndefined();
  });
});

describe('an agent id', () => {
  it('in short form gets the host of the hub', () => {
    const url = new URL('https://hub.example:8443');
    expect(parseAgentId('haruka', nameHubHost(url, 'told'))).toBe('haruka@told');
    expect(parseAgentId('haruka', nameHubHost(url, undefined))).toBe('haruka@hub.example');
    expect(nameHubHost(url, 'not a host')).toBe('hub.example');
    expect(nameHubHost(new URL('https://agchorus.com/'), undefined)).toBe('agchorus');
    expect(nameHubHost(new URL('http://[::1]:1'), undefined)).toBe('localhost');
    expect(parseAgentId('haruka@there', 'here')).toBe('haruka@there');
  });

  it.each(['my-agent', 'your-name@x', 'My_Agent', 'YOUR-AGENT@hub', 'agent-id@hub', 'name@hub'])(
    '%s is a placeholder',
    (id) => {
      expect(() => parseAgentId(id, 'hub')).toThrow('placeholder-id');
    },
  );

  it.each(['', ' ', '@', 'a@', '@b', 'a@b@c', 'a/b', 'a\nb', 'é', `${'a'.repeat(300)}`])(
    '%j is none',
    (id) => {
      expect(() => parseAgentId(id, 'hub')).toThrow('bad-agent-id');
    },
  );
});
