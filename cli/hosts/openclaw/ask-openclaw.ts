import path from 'node:path';
import type { QueryResult } from '../../io/query-program.ts';
import { type HostWorld, type Place, SKILL_NAME } from '../place.ts';
import type { OpenclawAgent } from './agents.ts';
import { isObject } from './read-config.ts';
import { readOpenclaw } from './read-openclaw.ts';

/** It starts in a second or two; on a slow machine in ten. */
const TIMEOUT_MS = 30_000;

/** How OpenClaw's agent stands to the skill that we installed. */
export type Visibility =
  | { status: 'visible'; agent: string }
  /** An allow-list leaves it out; `command` would put it in, and is the user's to run. */
  | { status: 'hidden'; agent: string; list: string; command: string }
  | { status: 'disabled'; agent: string; command: string }
  /** OpenClaw reads another skill of the same name. */
  | { status: 'shadowed'; agent: string; by: string }
  | { status: 'unseen'; agent: string; detail: string }
  /** It could not be asked. */
  | { status: 'unknown'; agent: string; detail: string };

/** Runs `openclaw` with these arguments; undefined where there is none. */
export type RunOpenclaw = (
  args: readonly string[],
  timeoutMs: number,
) => Promise<QueryResult> | undefined;

/**
 * Asks OpenClaw itself whether its agents see the skill: what is installed need not be used.
 * Where it cannot be asked, its config still tells of what hides it.
 */
export async function askOpenclaw(
  world: HostWorld,
  place: Place,
  run: RunOpenclaw,
): Promise<Visibility[]> {
  const { agents } = readOpenclaw({ ...world, profile: place.profile });
  const asked = agents.filter((agent) => place.agent === undefined || agent.id === place.agent);
  const answers: Visibility[] = [];
  // One after the other: each takes a processor for a second.
  for (const agent of asked) {
    const result = await run(formatArguments(place, agent, agents.length), TIMEOUT_MS);
    if (result === undefined) answers.push(readSettings(agent, place));
    else answers.push(readAnswer(world, place, agent, result));
    // Who does not answer once is not waited for again.
    if (result?.ended === false) break;
  }
  return answers;
}

function formatArguments(place: Place, agent: OpenclawAgent, count: number): string[] {
  return [
    ...(place.profile === undefined ? [] : ['--profile', place.profile]),
    ...['skills', 'info', SKILL_NAME, '--json'],
    ...(count > 1 ? ['--agent', agent.id] : []),
  ];
}

function readAnswer(
  { fs }: HostWorld,
  place: Place,
  agent: OpenclawAgent,
  result: QueryResult,
): Visibility {
  if (!result.ended) return { status: 'unknown', agent: agent.id, detail: result.reason };
  const info = parseAnswer(result.stdout);
  if (info === undefined || typeof info.filePath !== 'string') {
    return describeRefusal(agent, info, result);
  }
  const real = (file: string) => {
    try {
      return fs.realpathSync(file);
    } catch {
      return file;
    }
  };
  const isOurs = real(path.dirname(info.filePath)) === real(place.folder);
  if (!isOurs) return { status: 'shadowed', agent: agent.id, by: info.filePath };
  if (info.disabled === true) return disabledBy(agent, place);
  if (info.blockedByAgentFilter === true) return hiddenBy(agent, place);
  if (info.modelVisible === true) return { status: 'visible', agent: agent.id };
  return { status: 'unseen', agent: agent.id, detail: 'modelVisible: false' };
}

/** What we know without asking. */
function readSettings(agent: OpenclawAgent, place: Place): Visibility {
  if (agent.disabled.includes(SKILL_NAME)) return disabledBy(agent, place);
  const list = agent.allowList;
  if (list !== undefined && !list.skills.includes(SKILL_NAME)) return hiddenBy(agent, place);
  return { status: 'unknown', agent: agent.id, detail: 'not-on-path' };
}

function disabledBy(agent: OpenclawAgent, place: Place): Visibility {
  const command = formatCommand(place, [`skills.entries.${SKILL_NAME}.enabled`, 'true']);
  return { status: 'disabled', agent: agent.id, command };
}

function hiddenBy(agent: OpenclawAgent, place: Place): Visibility {
  const { skills, path: list } = agent.allowList ?? { skills: [], path: 'agents.defaults.skills' };
  const wanted = JSON.stringify([...skills, SKILL_NAME]);
  const command = `${formatCommand(place, [list, quote(wanted)])} --strict-json`;
  return { status: 'hidden', agent: agent.id, list, command };
}

function formatCommand({ profile }: Place, words: readonly string[]): string {
  const profileOption = profile === undefined ? [] : ['--profile', profile];
  return ['openclaw', ...profileOption, 'config', 'set', ...words].join(' ');
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** `{ok: false, error: {message}}`, or nothing that we understand. */
function describeRefusal(
  agent: OpenclawAgent,
  info: Record<string, unknown> | undefined,
  { stderr, exitCode }: Extract<QueryResult, { ended: true }>,
): Visibility {
  const message = isObject(info?.error) ? info.error.message : undefined;
  const lines = stderr.trim().split('\n');
  // Its own words; advice and warnings of Node may stand around them.
  const own = lines.find((line) => line.startsWith('openclaw:')) ?? lines.at(-1);
  const detail = String(message ?? own).slice(0, 300);
  const status = /not found/i.test(String(message)) ? 'unseen' : 'unknown';
  return { status, agent: agent.id, detail: detail || `exit ${exitCode}` };
}

/** A line of its own may come before the document. */
function parseAnswer(stdout: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(stdout.slice(Math.max(0, stdout.search(/^\{/m))));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
