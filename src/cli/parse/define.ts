import { optionsOf } from './arguments.js';
import type { Command, CommandDeclaration, OptionSpec } from './command.js';

/** Options of a command that functions beside it read too, with their names kept as types. */
export function defineOptions<const Options extends readonly OptionSpec[]>(options: Options): Options {
  return options;
}

/** A command, declared so that asking for an option that it does not have does not compile.
 *  @throws An `Error` if two of its options have the same name or letter: nobody could know which of them was meant. */
export function defineCommand<const Options extends readonly OptionSpec[]>(declaration: CommandDeclaration<Options>): Command {
  return withDistinctOptions(declaration);
}

/** The command with options that are known only when it runs, put before the option called `before`. */
export function withFurtherOptions(command: Command, further: readonly OptionSpec[], before: string): Command {
  const at = command.options.findIndex(({ long }) => long === before);
  return withDistinctOptions({ ...command, options: command.options.toSpliced(at, 0, ...further) });
}

function withDistinctOptions(command: Command): Command {
  const taken = new Map<string, OptionSpec>();
  for (const option of optionsOf(command)) {
    for (const spelling of [`--${option.long}`, ...(option.short === undefined ? [] : [`-${option.short}`])]) {
      const other = taken.get(spelling);
      if (other !== undefined) throw new Error(`gradus ${command.name} declares ${spelling} twice: ${other.help}; and ${option.help}`);
      taken.set(spelling, option);
    }
  }
  return command;
}
