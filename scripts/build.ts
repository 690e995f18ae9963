import path from 'node:path';
import fs from 'fs-extra';
import { type Plugin, type RolldownOutput, rolldown } from 'rolldown';
import { collectNotices } from './third-party-notices.ts';

const root = path.dirname(import.meta.dirname);
const dist = path.join(root, 'dist');

// What libraries bring and we never use. commander can start subcommands as programs of their
// own; ours are none, and only to have node:child_process ready costs a tenth of our start-up.
// Its suggestions are English; cli/program.ts makes ours.
// ajv is given another resolver of addresses than the one it comes with, and keywords beyond
// JSON Schema stay switched off.
const UNUSED = [
  { source: 'node:child_process', importer: 'commander' },
  { source: './suggestSimilar', importer: 'commander' },
  { source: 'fast-uri', importer: 'ajv' },
  { source: './vocabularies/discriminator', importer: 'ajv' },
  { source: './refs/data.json', importer: 'ajv' },
];
const NOTHING = '\0nothing';
const leaveOutUnused: Plugin = {
  name: 'leave-out-unused',
  resolveId: (source, importer) =>
    UNUSED.some((it) => it.source === source && importer?.includes(`/${it.importer}/`))
      ? NOTHING
      : null,
  load: (id) => (id === NOTHING ? 'module.exports = {};' : null),
};

/**
 * What commands share would be cut into many small files, of which each costs time and space.
 * `init` loads only `folders`, `validate` besides that only `basics` and `envelope`: no module
 * of these may be in a group with what they do not need.
 */
const GROUPS = {
  folders:
    /\/cli\/(scaffold\/(install|installed|languages|manifest|package-files|plan|skill-files|target|verify)|hosts\/(host-table|place|remembered-places)|wording\/(hosts|init)|io\/([\w-]*folder|folder-journal|pending-change|replace-file|staging|real-files|shell-text)|commands\/(describe-place|target-options|ask-host|command))\b/,
  hosts:
    /\/cli\/(scaffold\/(diff-lines|inspect|remove|update|versions)|hosts\/(same-name|find-\w+|list-places|openclaw\/ask-openclaw)|io\/query-program|commands\/(find-named|list|uninstall|update)(-report)?)\b/,
  basics:
    /\/cli\/(protocol\/constants|envelope\/kinds|json\/is-record|io\/(align-columns|find-inputs|read-text))\b/,
  envelope:
    /\/cli\/(envelope\/(rules\/|rules|rule|shapes|subjects|format-rule|check-document|check-text|protocol-response)|messages\/(check-envelope|inbox-message)|json\/|diagnostics\/(mask-secrets|wording\/))/,
  errors: /\/cli\/(wording\/(errors\/|word-error)|commands\/word-problem)/,
  directory: /\/cli\/(wording\/directory\/|commands\/(discover|invite)\b)/,
  identity:
    /\/(eventsource-parser\/|cli\/(identity\/(choose-hub|credentials|find-credentials|refused-key|culture|agent-id|keep-out-of-git)|hub-client\/|hosts\/openclaw\/(find-workspace|places)|commands\/(network|open-identity)|io\/(run-program|platform|owner)|messages\/(history-folder|history-line|backoff)|io\/(append-lines|process-lock))\b)/,
};

// CommonJS: on Node 20 it starts about 5 ms faster than ES modules.
const bundle = await rolldown({
  input: { bin: path.join(root, 'cli/bin.ts') },
  platform: 'node',
  preserveEntrySignatures: false,
  // Native, so it cannot be bundled; resolved at run time where it is installed.
  external: ['libsql'],
  plugins: [leaveOutUnused],
});
await fs.emptyDir(dist);
const output: RolldownOutput = await bundle.write({
  dir: dist,
  format: 'cjs',
  entryFileNames: '[name].cjs',
  chunkFileNames: '[name]-[hash].cjs',
  minify: true,
  codeSplitting: {
    groups: Object.entries(GROUPS).map(([name, test]) => ({
      name,
      test,
      includeDependenciesRecursively: false,
    })),
  },
});
await bundle.close();

const modules = output.output.flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds : []));
await fs.writeFile(path.join(root, 'THIRD-PARTY-NOTICES'), await collectNotices(modules));
await fs.chmod(path.join(dist, 'bin.cjs'), 0o755);
