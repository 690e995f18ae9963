import type { Format } from './format.ts';
import { formatGithub } from './github.ts';
import { formatJson } from './json.ts';
import { formatJunit } from './junit.ts';
import { formatPretty } from './pretty.ts';
import { formatSarif } from './sarif.ts';

export const FORMATS = {
  pretty: formatPretty,
  json: formatJson,
  github: formatGithub,
  sarif: formatSarif,
  junit: formatJunit,
} as const satisfies Record<string, Format>;
