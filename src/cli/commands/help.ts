import type { Command } from '../command.js';
import { loadCommand } from '../commands.js';
import { unknownCommand } from '../dispatch.js';
import { commandText, overviewText } from '../help.js';

/** Shows the same text as `--help` of the command. */
export const helpCommand: Command = {
  name: 'help',
  summary: 'explain a command',
  description: 'Prints what gradus COMMAND --help prints. Without a command it lists all of them.',
  examples: [{ command: 'gradus help eval', explains: 'all options of gradus eval, with examples' }],
  arguments: [{ name: 'COMMAND', help: 'the command to explain', optional: true, complete: 'command' }],
  options: [],
  async run(args, { stdout, environment }) {
    const [name] = args.positionals;
    if (name === undefined) {
      stdout.write(await overviewText(stdout, environment));
      return 0;
    }
    const command = await loadCommand(name);
    if (command === undefined) throw unknownCommand(name);
    stdout.write(commandText(command, stdout, environment));
    return 0;
  },
};
