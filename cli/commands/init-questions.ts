import { LOCAL, nameHost, OPENCLAW } from '../hosts/host-table.ts';
import type { HostTarget, HostWorld } from '../hosts/place.ts';
import { quoteForShell } from '../io/shell-text.ts';
import { readLocale } from '../locale.ts';
import { readInstalledLanguage } from '../scaffold/install.ts';
import { DEFAULT_LANGUAGE, parseLanguage, suggestLanguage } from '../scaffold/languages.ts';
import type { InitFlags, InitTools } from './init.ts';
import { parseTargets, refuseScope } from './target-options.ts';

export interface ChosenTargets {
  targets: HostTarget[];
  /** The flags, with what was asked for. */
  flags: InitFlags;
  asked: boolean;
}

const LOCAL_TARGET: HostTarget = { name: LOCAL, scope: 'project' };

/** `--target`; else, on a terminal, which of the hosts that are there; else a plain folder. */
export async function chooseTargets(
  flags: InitFlags,
  world: HostWorld,
  { context, wording }: InitTools,
): Promise<ChosenTargets> {
  const given = parseTargets(flags);
  if (given !== undefined) return { targets: given, flags, asked: false };
  const { dialogue } = context;
  const isSilent = flags.json || flags.yes || flags.dir !== undefined || !dialogue;
  const choosePlain = () => {
    refuseScope(flags);
    return { targets: [LOCAL_TARGET], flags, asked: false };
  };
  if (isSilent) return choosePlain();
  const { findHosts } = await import('../hosts/find-hosts.ts');
  const hosts = findHosts(world);
  if (hosts.length === 0) return choosePlain();

  const { askChoice, askSeveral } = await import('../io/prompts.ts');
  const target = await askSeveral(dialogue, {
    message: wording.say('init.ask-targets'),
    needed: wording.say('hosts.choose-one'),
    choices: [
      ...hosts.map((name) => ({ value: name, label: nameHost(name) })),
      { value: LOCAL, label: wording.say('init.choice-local') },
    ],
    suggested: hosts,
  });
  const answered: InitFlags = { ...flags, target: target.join(',') };
  if (target.some((name) => name !== LOCAL) && flags.scope === undefined) {
    answered.scope = await askChoice(dialogue, {
      message: wording.say('init.ask-scope'),
      choices: [
        { value: 'project', label: wording.say('init.choice-project') },
        { value: 'user', label: wording.say('init.choice-user') },
      ],
      suggested: 'project',
    });
  }
  if (target.includes(OPENCLAW) && answered.scope === 'project') {
    const { readOpenclaw } = await import('../hosts/openclaw/read-openclaw.ts');
    const { agents } = readOpenclaw(world);
    if (agents.length > 1) {
      answered.agent = await askChoice(dialogue, {
        message: wording.say('init.ask-agent'),
        choices: agents.map(({ id }) => ({ value: id, label: id })),
        suggested: agents[0]?.id ?? '',
      });
    }
  }
  return { targets: parseTargets(answered) ?? [LOCAL_TARGET], flags: answered, asked: true };
}

export async function chooseLanguage(
  flags: InitFlags,
  languages: readonly string[],
  folders: readonly string[],
  { context, wording }: InitTools,
  beforeAsking: () => void,
): Promise<{ language: string; asked: boolean }> {
  if (flags.lang !== undefined) {
    return { language: parseLanguage(flags.lang, languages), asked: false };
  }
  const installed = (flags.force ? folders : [])
    .map((folder) => readInstalledLanguage(context.fs, context.cwd, folder))
    .find((language) => language !== undefined && languages.includes(language));
  if (installed !== undefined) return { language: installed, asked: false };
  const { dialogue } = context;
  if (flags.json || !dialogue) return { language: DEFAULT_LANGUAGE, asked: false };
  const suggested = suggestLanguage(readLocale(context.env), languages);
  if (flags.yes) return { language: suggested, asked: false };
  beforeAsking();
  // Loaded only here: the prompts are the largest part of the program.
  const { askChoice } = await import('../io/prompts.ts');
  const language = await askChoice(dialogue, {
    message: wording.say('init.ask-language'),
    choices: languages.map((tag) => ({ value: tag, label: `${nameLanguage(tag)} (${tag})` })),
    suggested,
  });
  return { language, asked: true };
}

/** The command that does the same without asking. */
export function formatSkipCommand(
  program: string,
  { flags: answered }: ChosenTargets,
  language: string,
  flags: InitFlags,
): string {
  const values = Object.entries({
    target: answered.target,
    scope: answered.scope,
    agent: answered.agent,
    profile: answered.profile,
    lang: language,
    dir: flags.dir,
  });
  return [
    program,
    'init',
    ...values.flatMap(([name, value]) =>
      value === undefined ? [] : [`--${name}`, quoteForShell(value)],
    ),
    ...(flags.force ? ['--force'] : []),
    ...(flags.dryRun ? ['--dry-run'] : []),
  ].join(' ');
}

function nameLanguage(tag: string): string {
  // Written Chinese goes by its script, not by its country.
  const named = tag === 'zh-CN' ? 'zh-Hans' : tag;
  return new Intl.DisplayNames([tag], { type: 'language' }).of(named) ?? tag;
}
