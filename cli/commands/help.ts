import type { DefineCommand } from './command.ts';

/** `help <command>` is that command's own `--help`. */
export const defineHelp: DefineCommand = (command, { wording }) => {
  command
    .description(wording.say('help.summary'))
    .usage(wording.say('help.usage'))
    .argument('[command]', wording.say('help.command'))
    .action(async (name: string | undefined) => {
      const program = command.parent;
      if (program === null) return;
      await program.parseAsync(name === undefined ? ['--help'] : [name, '--help'], {
        from: 'user',
      });
    });
};
