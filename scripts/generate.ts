import path from 'node:path';
import fs from 'fs-extra';
import { envelopeSchema } from '../cli/protocol/envelope-schema.ts';

/** Every file that is made from code, so that a test can tell when one is stale. */
export const GENERATED: Readonly<Record<string, () => string>> = {
  'templates/shared/envelope.schema.json': () => `${JSON.stringify(envelopeSchema, null, 2)}\n`,
};

if (process.argv[1]?.endsWith('generate.ts')) {
  const root = path.dirname(import.meta.dirname);
  for (const [file, make] of Object.entries(GENERATED)) {
    await fs.outputFile(path.join(root, file), make());
    console.error(`wrote ${file}`);
  }
}
