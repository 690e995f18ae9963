import { CliError } from '../errors.ts';
import { parseAgentId } from '../identity/agent-id.ts';
import { normaliseCulture } from '../identity/culture.ts';
import { type DetectedCulture, detectCulture } from '../identity/detect-culture.ts';
import { PLATFORM } from '../io/platform.ts';
import { createRunProgram } from '../io/run-program.ts';
import { formatCommand, type RegisterFlags, type RegisterTools } from './register-flags.ts';

/** What only the user knows. */
export interface Wishes {
  agentId: string | undefined;
  culture: string | undefined;
  languages: readonly string[] | undefined;
}

export interface Settled {
  agentId: string;
  culture: string;
  languages: readonly string[];
  asked: boolean;
}

const OFFERED_LANGUAGE = 'en';

/** Where nobody can be asked, everything must be there before anything is done. */
export async function assertComplete(
  wishes: Wishes,
  flags: RegisterFlags,
  tools: RegisterTools,
): Promise<void> {
  const isComplete = wishes.agentId !== undefined && wishes.culture !== undefined;
  if (isComplete || readDialogue(flags, tools)) return;
  throw missingError(wishes, await detect(tools), flags, tools);
}

/** Asks for what no flag gave. */
export async function settleWishes(
  wishes: Wishes,
  hubHost: string,
  dialogue: Dialogue | undefined,
  tools: RegisterTools,
): Promise<Settled> {
  const { agentId, culture, languages } = wishes;
  if (agentId !== undefined && culture !== undefined) {
    return { agentId, culture, languages: languages ?? [culture], asked: false };
  }
  if (dialogue === undefined) throw new Error('nobody to ask');
  const chosenId = agentId ?? (await askAgentId(dialogue, hubHost, tools));
  const chosenCulture = culture ?? (await askCulture(dialogue, await detect(tools), tools));
  const chosenLanguages = languages ?? (await askLanguages(dialogue, chosenCulture, tools));
  return { agentId: chosenId, culture: chosenCulture, languages: chosenLanguages, asked: true };
}

function detect({ context: { fs, env } }: RegisterTools): Promise<DetectedCulture | undefined> {
  return detectCulture({ platform: PLATFORM, fs, env, run: createRunProgram(env) });
}

/** Nothing where nobody is there, or nobody wants to be asked. */
export function readDialogue(flags: RegisterFlags, { context }: RegisterTools) {
  return flags.yes || flags.json ? undefined : context.dialogue;
}

type Dialogue = NonNullable<ReturnType<typeof readDialogue>>;

export async function confirmNewIdentity(
  dialogue: Dialogue,
  { agent, hub }: { agent: string; hub: string },
  { wording: { say } }: RegisterTools,
): Promise<void> {
  const message = say('register.ask-new-identity', { agent, hub });
  if (!(await confirm(dialogue, message, say, false))) throw new CliError('cancelled');
}

export function confirmIgnoring(
  dialogue: Dialogue,
  { line, file }: { line: string; file: string },
  { wording: { say } }: RegisterTools,
): Promise<boolean> {
  return confirm(dialogue, say('register.ask-gitignore', { line, file }), say, true);
}

async function confirm(
  dialogue: Dialogue,
  message: string,
  say: RegisterTools['wording']['say'],
  suggested: boolean,
): Promise<boolean> {
  const { askConfirmation } = await import('../io/prompts.ts');
  const labels = { yes: say('register.yes-label'), no: say('register.no-label') };
  return askConfirmation(dialogue, { message, ...labels, suggested });
}

async function askAgentId(
  dialogue: Dialogue,
  host: string,
  { wording: { say } }: RegisterTools,
): Promise<string> {
  const { askText } = await import('../io/prompts.ts');
  const answer = await askText(dialogue, {
    message: say('register.ask-id', { host }),
    check: (text) => {
      try {
        parseAgentId(text, host);
        return undefined;
      } catch {
        return say('register.wrong-id');
      }
    },
  });
  return parseAgentId(answer, host);
}

async function askCulture(
  dialogue: Dialogue,
  detected: DetectedCulture | undefined,
  { wording: { say } }: RegisterTools,
): Promise<string> {
  const { askText } = await import('../io/prompts.ts');
  const answer = await askText(dialogue, {
    message: detected
      ? say('register.ask-culture-detected', { ...detected })
      : say('register.ask-culture'),
    suggested: detected?.culture,
    check: (text) => (normaliseCulture(text) ? undefined : say('register.wrong-culture')),
  });
  return normaliseCulture(answer) ?? answer;
}

/** English is offered, since much is written in it, and not imposed. */
async function askLanguages(
  dialogue: Dialogue,
  culture: string,
  { wording: { say } }: RegisterTools,
): Promise<readonly string[]> {
  if (culture.split('-')[0] === OFFERED_LANGUAGE) return [culture];
  const { askChoice } = await import('../io/prompts.ts');
  const both = [culture, OFFERED_LANGUAGE];
  const answer = await askChoice(dialogue, {
    message: say('register.ask-languages'),
    choices: [
      { value: culture, label: say('register.languages-one', { language: culture }) },
      { value: both.join(','), label: both.join(say('list.separator')) },
    ],
    suggested: culture,
  });
  return answer.split(',');
}

function missingError(
  { agentId, culture }: Wishes,
  detected: DetectedCulture | undefined,
  flags: RegisterFlags,
  tools: RegisterTools,
): CliError {
  const missing = [
    ...(agentId === undefined ? ['agent_id'] : []),
    ...(culture === undefined ? ['--culture'] : []),
  ];
  const command = formatCommand(tools, flags, {
    agentId: agentId ?? '<agent_id>',
    culture: culture ?? detected?.culture ?? '<culture>',
  });
  return culture === undefined && detected
    ? new CliError('register-needs-culture', { missing, command, ...detected })
    : new CliError('register-needs', { missing, command });
}
