export type Scope = 'project' | 'user';
export const SCOPES: readonly Scope[] = ['project', 'user'];

/** A program that agents run in and that reads skills from a folder. */
export interface Host {
  name: string;
  /** Its proper name, the same in every language. */
  title: string;
  /** Its skills below a project. */
  project: string;
  /** Its skills below the user's folder, or below the folder that a variable names. */
  user: { inHome: string; variable?: string; inVariable?: string };
  /** What tells, below a project or the user's folder, that it is used there. */
  signs: readonly string[];
}

const AGENTS_FOLDER = '.agents/skills';

/** Hosts whose folders are fixed. OpenClaw's depend on its config: see `openclaw/`. */
export const HOSTS: readonly Host[] = [
  {
    name: 'claude-code',
    title: 'Claude Code',
    project: '.claude/skills',
    user: { inHome: '.claude/skills', variable: 'CLAUDE_CONFIG_DIR', inVariable: 'skills' },
    signs: ['.claude'],
  },
  {
    name: 'codex',
    title: 'Codex',
    project: AGENTS_FOLDER,
    user: { inHome: AGENTS_FOLDER },
    signs: ['.codex'],
  },
  {
    name: 'cursor',
    title: 'Cursor',
    project: AGENTS_FOLDER,
    user: { inHome: '.cursor/skills' },
    signs: ['.cursor'],
  },
  {
    name: 'gemini-cli',
    title: 'Gemini CLI',
    project: AGENTS_FOLDER,
    user: { inHome: '.gemini/skills', variable: 'GEMINI_CLI_HOME', inVariable: '.gemini/skills' },
    signs: ['.gemini'],
  },
  {
    name: 'github-copilot',
    title: 'GitHub Copilot',
    project: AGENTS_FOLDER,
    user: { inHome: '.copilot/skills', variable: 'COPILOT_HOME', inVariable: 'skills' },
    signs: ['.copilot'],
  },
  {
    name: 'opencode',
    title: 'OpenCode',
    project: AGENTS_FOLDER,
    user: {
      inHome: '.config/opencode/skills',
      variable: 'XDG_CONFIG_HOME',
      inVariable: 'opencode/skills',
    },
    signs: ['.opencode', '.config/opencode'],
  },
  {
    name: 'qwen-code',
    title: 'Qwen Code',
    project: '.qwen/skills',
    user: { inHome: '.qwen/skills' },
    signs: ['.qwen'],
  },
  {
    name: 'windsurf',
    title: 'Windsurf',
    project: '.windsurf/skills',
    user: { inHome: '.codeium/windsurf/skills' },
    signs: ['.windsurf', '.codeium/windsurf'],
  },
  {
    name: 'agents',
    // Those that have no entry of their own.
    title: 'Cline/Zed/Warp',
    project: AGENTS_FOLDER,
    user: { inHome: AGENTS_FOLDER },
    signs: ['.agents'],
  },
];

/** A plain folder that no host looks into by itself. */
export const LOCAL = 'local';
export const OPENCLAW = 'openclaw';

/** Everything that `--target` takes. */
export const TARGETS: readonly string[] = [LOCAL, OPENCLAW, ...HOSTS.map((host) => host.name)];

/** Names that stand for a host in a scope. */
export const ALIASES: Readonly<Record<string, { name: string; scope: Scope }>> = {
  'claude-user': { name: 'claude-code', scope: 'user' },
  'claude-project': { name: 'claude-code', scope: 'project' },
};

/** The proper name of a host. */
export function nameHost(name: string): string {
  if (name === OPENCLAW) return 'OpenClaw';
  return HOSTS.find((host) => host.name === name)?.title ?? name;
}
