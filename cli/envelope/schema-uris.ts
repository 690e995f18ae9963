import type { Options } from 'ajv';

const NOWHERE = 'schema://';

/**
 * Where the parts of a user's schema are, for ajv. Its own way to find them is a library as large
 * as a third of ajv itself; the URL class knows nearly all of it.
 */
export const schemaUris: NonNullable<Options['uriResolver']> = {
  parse(uri) {
    const mark = uri.indexOf('#');
    return mark === -1
      ? { path: uri }
      : { path: uri.slice(0, mark), fragment: uri.slice(mark + 1) };
  },
  serialize: ({ path = '', fragment }) => (fragment === undefined ? path : `${path}#${fragment}`),
  resolve(base, reference) {
    // A schema without an address, or with half of one, is somewhere all the same.
    const from = URL.canParse(base, `${NOWHERE}/`) ? new URL(base, `${NOWHERE}/`).href : NOWHERE;
    if (!URL.canParse(reference, from)) return reference;
    const { href } = new URL(reference, from);
    if (!href.startsWith(NOWHERE)) return href;
    const isRooted = base.startsWith('/') || reference.startsWith('/');
    return href.slice(NOWHERE.length + (isRooted ? 0 : 1));
  },
};
