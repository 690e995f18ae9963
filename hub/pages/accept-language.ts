import { matchTag, normaliseTag } from '../../cli/locale.ts';

/** The language among those there are that serves the reader best; the first where none does. */
export function chooseLanguage<Tag extends string>(
  header: string,
  available: readonly [Tag, ...Tag[]],
): Tag {
  const wanted = header
    .slice(0, 1000)
    .split(',')
    .map((part) => {
      const [tag = '', ...params] = part.split(';').map((it) => it.trim());
      const quality = params.find((it) => it.startsWith('q='))?.slice(2);
      return { tag, quality: quality === undefined ? 1 : Number(quality) };
    })
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality);
  for (const { tag } of wanted) {
    const normal = normaliseTag(tag);
    const match = normal === undefined ? undefined : matchTag(normal, available);
    if (match !== undefined) return match;
  }
  return available[0];
}
