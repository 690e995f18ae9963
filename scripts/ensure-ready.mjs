// Runs before start and test, with nothing but Node: installs and builds what is missing or stale.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

const root = path.dirname(import.meta.dirname);
const inRoot = (...parts) => path.join(root, ...parts);

// Not `npm ci`: it refuses a lock file that lacks the binaries for other systems.
const install = ['install', '--no-save', '--no-audit', '--no-fund'];
if (!isInstalled()) run('installing the development packages', install);
if (!isBuilt()) run('building', ['run', '--silent', 'build']);

/** npm keeps a copy of the lock file of what it installed: compare the two. */
function isInstalled() {
  const installed = readLock(inRoot('node_modules', '.package-lock.json'));
  const wanted = readLock(inRoot('package-lock.json'));
  return Object.entries(wanted).every(
    ([name, { version, optional }]) =>
      name === '' || (optional && !installed[name]) || installed[name]?.version === version,
  );
}

function readLock(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).packages : {};
}

/** Everything the bundle is made of is older than the bundle. */
function isBuilt() {
  const built = inRoot('dist', 'bin.cjs');
  if (!existsSync(built) || !existsSync(inRoot('THIRD-PARTY-NOTICES'))) return false;
  const inputs = ['cli', 'hub', 'scripts', 'package.json', 'package-lock.json'].map((name) =>
    inRoot(name),
  );
  return Math.max(...inputs.map(newestTime)) <= statSync(built).mtimeMs;
}

function newestTime(entry) {
  const { mtimeMs } = statSync(entry);
  if (!statSync(entry).isDirectory()) return mtimeMs;
  return Math.max(mtimeMs, ...readdirSync(entry).map((name) => newestTime(path.join(entry, name))));
}

function run(what, args) {
  console.error(`${what} …`);
  // Standard output belongs to the command that follows.
  const { status } = spawnSync('npm', args, {
    cwd: root,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  if (status !== 0) {
    console.error(`${what} failed: npm ${args.join(' ')}`);
    process.exit(status ?? 1);
  }
}
