import path from 'node:path';
import fs from 'fs-extra';
import { type RolldownOutput, rolldown } from 'rolldown';
import { collectNotices } from './third-party-notices.ts';

const root = path.dirname(import.meta.dirname);
const dist = path.join(root, 'dist');

// CommonJS: on Node 20 it starts about 5 ms faster than ES modules.
const bundle = await rolldown({
  input: { bin: path.join(root, 'cli/bin.ts') },
  platform: 'node',
});
await fs.emptyDir(dist);
const output: RolldownOutput = await bundle.write({
  dir: dist,
  format: 'cjs',
  entryFileNames: '[name].cjs',
  chunkFileNames: '[name]-[hash].cjs',
  minify: true,
});
await bundle.close();

const modules = output.output.flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds : []));
await fs.writeFile(path.join(root, 'THIRD-PARTY-NOTICES'), await collectNotices(modules));
await fs.chmod(path.join(dist, 'bin.cjs'), 0o755);
