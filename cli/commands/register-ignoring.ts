import type { FoundCredentials } from '../identity/find-credentials.ts';
import { addIgnoreLines, readGitState } from '../identity/keep-out-of-git.ts';
import type { FileSystem } from '../io/files.ts';
import { createRunProgram } from '../io/run-program.ts';
import { shortPath } from '../io/shell-text.ts';
import type { RegisterFlags, RegisterTools } from './register-flags.ts';
import { confirmIgnoring, readDialogue } from './register-questions.ts';
import { warn } from './register-report.ts';

type IgnoreState = 'outside' | 'ignored' | 'tracked' | 'exposed' | 'added';

/** What is to be done so that the key is not committed. */
export interface Ignoring {
  state: IgnoreState;
  /** What a dry run says. */
  planned?: string;
  /** Adds the line; what the user is told. */
  add?: (fs: FileSystem) => string;
  warning?: string;
  failure?: string;
}

/** Asks, where somebody can be asked; `--yes` agrees. */
export async function planIgnoring(
  { file: path }: FoundCredentials,
  flags: RegisterFlags,
  tools: RegisterTools,
): Promise<Ignoring> {
  const { context, wording } = tools;
  const { say } = wording;
  const run = createRunProgram(context.env);
  const git = await readGitState({ fs: context.fs, run }, path);
  if (git.state === 'outside' || git.state === 'ignored') return { state: git.state };
  if (git.state === 'tracked') {
    return { state: 'tracked', warning: say('register.warn-tracked', { path }) };
  }
  const named = { line: git.lines.join('", "'), file: shortPath(context.cwd, git.file) };
  const dialogue = readDialogue(flags, tools);
  const agrees = flags.yes || (dialogue && (await confirmIgnoring(dialogue, named, tools)));
  if (!agrees) return { state: 'exposed', warning: say('register.warn-exposed', named) };
  return {
    state: 'exposed',
    planned: say('register.git-would-add', named),
    add: (fs) => {
      addIgnoreLines(fs, git);
      return say('register.git-added', named);
    },
    failure: say('register.warn-gitignore-failed', { file: named.file, path }),
  };
}

/** After the key is safe: nothing here may fail the registration. */
export function applyIgnoring(
  ignoring: Ignoring,
  tools: RegisterTools,
): { state: IgnoreState; note?: string } {
  const { state, add, warning, failure } = ignoring;
  if (warning !== undefined) warn(warning, tools);
  if (add === undefined) return { state };
  try {
    return { state: 'added', note: add(tools.context.fs) };
  } catch {
    warn(failure ?? '', tools);
    return { state };
  }
}
