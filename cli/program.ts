import { type Command, CommanderError } from 'commander';
import { ChorusCommand } from './chorus-command.ts';
import type { CommandTools, DefineCommand } from './commands/command.ts';
import type { Context } from './context.ts';
import { measureWidth, wrapText } from './io/terminal.ts';
import { type CoreKey, UI_LANGUAGES } from './wording/wording.ts';

interface CommandEntry {
  summary: CoreKey;
  /** What one would type, without the program's name: in no language, so in none of the catalogues. */
  examples?: readonly string[];
  load: () => Promise<DefineCommand>;
}

/** Every command, loaded only when it runs. */
const COMMANDS: Readonly<Record<string, CommandEntry>> = {
  init: {
    summary: 'init.summary',
    examples: ['init --lang zh-CN', 'init --target claude-code,codex --scope user'],
    load: async () => (await import('./commands/init.ts')).defineInit,
  },
  register: {
    summary: 'register.summary',
    examples: [
      'register haruka --culture ja',
      'register haruka --hub http://127.0.0.1:8787 --culture ja',
    ],
    load: async () => (await import('./commands/register.ts')).defineRegister,
  },
  whoami: {
    summary: 'whoami.summary',
    load: async () => (await import('./commands/whoami.ts')).defineWhoami,
  },
  doctor: {
    summary: 'doctor.summary',
    examples: ['doctor --round-trip'],
    load: async () => (await import('./commands/doctor.ts')).defineDoctor,
  },
  send: {
    summary: 'send.summary',
    examples: [
      'send haruka "Does Friday at ten suit you?"',
      'send haruka@hub.example --file answer.txt --reply-to <trace_id>',
    ],
    load: async () => (await import('./commands/send.ts')).defineSend,
  },
  inbox: {
    summary: 'inbox.summary',
    examples: ['inbox', 'inbox --follow --exec "my-agent"'],
    load: async () => (await import('./commands/inbox.ts')).defineInbox,
  },
  history: {
    summary: 'history.summary',
    examples: ['history haruka@hub.example --since 7d'],
    load: async () => (await import('./commands/history.ts')).defineHistory,
  },
  discover: {
    summary: 'discover.summary',
    examples: ['discover --culture zh --online'],
    load: async () => (await import('./commands/discover.ts')).defineDiscover,
  },
  invite: {
    summary: 'invite.summary',
    load: async () => (await import('./commands/invite.ts')).defineInvite,
  },
  validate: {
    summary: 'validate.summary',
    examples: ['validate chorus/examples', 'validate --fix --dry-run message.json'],
    load: async () => (await import('./commands/validate.ts')).defineValidate,
  },
  hub: {
    summary: 'hub.summary',
    examples: ['hub --memory', 'hub --port 8787 --data ./hub-data'],
    load: async () => (await import('./commands/hub.ts')).defineHub,
  },
  list: {
    summary: 'list.summary',
    load: async () => (await import('./commands/list.ts')).defineList,
  },
  update: {
    summary: 'update.summary',
    examples: ['update --all'],
    load: async () => (await import('./commands/update.ts')).defineUpdate,
  },
  uninstall: {
    summary: 'uninstall.summary',
    examples: ['uninstall --target codex --dry-run'],
    load: async () => (await import('./commands/uninstall.ts')).defineUninstall,
  },
  help: {
    summary: 'help.summary',
    load: async () => (await import('./commands/help.ts')).defineHelp,
  },
};

export function createProgram(tools: CommandTools): Command {
  const { context, wording } = tools;
  const { say } = wording;
  const program = new ChorusCommand(tools.program)
    .description(say('program.description'))
    .usage(say('program.usage'))
    .version(tools.package.version, '-v, --version', say('program.version'))
    .helpOption('-h, --help', say('program.help'))
    .helpCommand(false)
    .option('--ui-lang <tag>', say('program.ui-lang', { languages: UI_LANGUAGES }))
    .exitOverride()
    .configureOutput(outputTo(context))
    .configureHelp({
      showGlobalOptions: true,
      minWidthToWrap: 20,
      displayWidth: measureWidth,
      boxWrap: wrapText,
      subcommandTerm: (command) => command.name(),
      styleTitle: (title) => translateTitle(title, tools),
    })
    .addHelpText('after', `\n${say('program.more', { program: tools.program })}`);

  for (const [name, { summary, examples }] of Object.entries(COMMANDS)) {
    program
      .command(name)
      .usage(say('program.command-usage'))
      .summary(wording.sayData(summary, {}))
      .allowExcessArguments(false)
      .addHelpText('after', () => formatExamples(examples, tools));
  }
  const defined = new Set<Command>();
  program.hook('preSubcommand', async (_, command) => {
    const define = await COMMANDS[command.name()]?.load();
    if (!defined.has(command)) define?.(command, tools);
    defined.add(command);
  });
  return program;
}

const ORDERLY_ENDS = ['commander.help', 'commander.helpDisplayed', 'commander.version'];

/** Commander ends a run by an exception; those that only end it are no failure. */
export function isOrderlyEnd(error: unknown): boolean {
  return error instanceof CommanderError && ORDERLY_ENDS.includes(error.code);
}

function outputTo({ stdout, stderr }: Context) {
  return {
    writeOut: (text: string) => stdout.write(text),
    writeErr: (text: string) => stderr.write(text),
    getOutHelpWidth: () => stdout.columns ?? 80,
    // Our styles are plain where colours are unwanted; nothing else needs stripping.
    getOutHasColors: () => true,
  };
}

function formatExamples(examples: readonly string[] = [], tools: CommandTools): string {
  if (examples.length === 0) return '';
  const { context, wording, program } = tools;
  const title = context.stdout.colors.bold(wording.say('program.examples-title'));
  return ['', title, ...examples.map((it) => `  ${program} ${it}`)].join('\n');
}

const TITLES: Readonly<Record<string, CoreKey>> = {
  'Usage:': 'program.usage-title',
  'Arguments:': 'program.arguments-title',
  'Options:': 'program.options-title',
  'Global Options:': 'program.global-options-title',
  'Commands:': 'program.commands-title',
};

function translateTitle(title: string, { context, wording }: CommandTools): string {
  const key = TITLES[title];
  const text = key === undefined ? title : wording.sayData(key, {});
  return context.stdout.colors.bold(text);
}
