import { findCredentials, requireCredentials } from '../identity/find-credentials.ts';
import { identityTexts } from '../wording/identity/texts.ts';
import { type DefineCommand, readCwd, valueOption, withTexts } from './command.ts';
import type { RegisterTools } from './register-flags.ts';
import { printIdentity, warn } from './register-report.ts';

interface WhoamiFlags {
  credentials?: string;
  json?: boolean;
}

export const defineWhoami: DefineCommand = (command, programTools) => {
  const tools = withTexts(programTools, identityTexts);
  const { say } = tools.wording;
  command
    .description(say('whoami.description'))
    .addOption(valueOption('--credentials <path>', say('whoami.credentials')))
    .option('--json', say('option.json'))
    .action((flags: WhoamiFlags) => runWhoami(flags, tools));
};

function runWhoami(flags: WhoamiFlags, tools: RegisterTools): void {
  const { context, wording, program } = tools;
  const world = { fs: context.fs, env: context.env, cwd: readCwd(context) };
  const found = findCredentials(world, flags.credentials);
  const identity = requireCredentials(found);
  printIdentity(
    { identity, place: found },
    {
      title: context.stdout.colors.bold(identity.agent_id),
      json: { interrupted: found.isInterrupted },
      isJson: flags.json ?? false,
    },
    tools,
  );
  if (found.isInterrupted) warn(wording.say('register.warn-interrupted', { program }), tools);
}
