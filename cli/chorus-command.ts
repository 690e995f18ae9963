import { Command, type Option } from 'commander';
import { CliError } from './errors.ts';
import { findNearest } from './nearest.ts';

/** What other programs call these commands. `install` looks like a typo of its opposite. */
const OTHER_NAMES: ReadonlyMap<string, string> = new Map([
  ['install', 'init'],
  ['add', 'init'],
  ['ls', 'list'],
  ['remove', 'uninstall'],
  ['upgrade', 'update'],
  ['lint', 'validate'],
  ['serve', 'hub'],
]);

/** Commander's errors, as data in place of English text. */
export class ChorusCommand extends Command {
  override createCommand(name?: string): ChorusCommand {
    return new ChorusCommand(name);
  }

  // Called without anything, a program shows its help: that is no error.
  override help(): never {
    return super.help();
  }

  // Help that was asked for an unknown command is not an answer.
  override outputHelp(): void {
    if (this.parent === null && /^[^-]/.test(this.args[0] ?? '')) this.unknownCommand();
    super.outputHelp();
  }

  unknownCommand(): never {
    const given = this.args[0] ?? '';
    const names = this.commands.map((command) => command.name());
    const { nearest = '' } = near(given, [...names, ...OTHER_NAMES.keys()]);
    const meant = OTHER_NAMES.get(nearest) ?? nearest;
    throw new CliError('unknown-command', { given, ...(meant && { nearest: meant }) });
  }

  unknownOption(given: string): never {
    const flags = [this, this.parent]
      .flatMap((command) => command?.createHelp().visibleOptions(command) ?? [])
      .flatMap((option) => option.long ?? []);
    const [name = given] = given.split('=');
    // It is there, but not with a value.
    if (name !== given && flags.includes(name))
      throw new CliError('needless-value', { given, name });
    throw new CliError('unknown-option', {
      given,
      help: this.parent === null ? 'help' : `help ${this.name()}`,
      ...near(name, flags),
    });
  }

  optionMissingArgument(option: Option): never {
    throw new CliError('missing-value', {
      option: option.long ?? option.flags,
      usage: option.flags.split(', ').at(-1) ?? option.flags,
    });
  }

  missingArgument(argument: string): never {
    throw new CliError('missing-argument', { argument, command: this.name() });
  }

  _excessArguments(received: string[]): never {
    const given = received[this.registeredArguments.length] ?? '';
    throw new CliError('excess-argument', { command: this.name(), given });
  }
}

function near(given: string, candidates: readonly string[]): { nearest?: string } {
  const nearest = findNearest(given, candidates);
  return nearest === undefined ? {} : { nearest };
}
