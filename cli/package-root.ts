import path from 'node:path';

/** This file and what it is bundled into both lie one folder below the package's root. */
export const packageRoot = path.dirname(import.meta.dirname);
