import { InputError } from '../../core/index.js';
import { loadEntry } from '../commands.js';
import type { Command } from '../parse/command.js';
import { defineCommand } from '../parse/define.js';
import { unknownCommand } from '../parse/dispatch.js';
import { isGroup, loadSubcommand } from '../parse/group.js';
import { commandText, entryText, overviewText } from '../parse/help.js';

/** Shows the same text as `--help` of the command. */
export const helpCommand: Command = defineCommand({
  name: 'help',
  summary: 'explain a command',
  description: 'Prints what gradus COMMAND --help prints. Without a command it lists all of them.',
  examples: [
    { command: 'gradus help eval', explains: 'all options of gradus eval, with examples' },
    { command: 'gradus help meta power', explains: 'the same for one of the commands of gradus meta' },
  ],
  arguments: [
    { name: 'COMMAND', help: 'the command to explain', optional: true, complete: 'command' },
    { name: 'SUBCOMMAND', help: 'one of the commands that it consists of', optional: true },
  ],
  options: [],
  async run(args, { stdout, environment }) {
    const [name, word] = args.positionals;
    if (name === undefined) {
      stdout.write(await overviewText(stdout, environment));
      return 0;
    }
    const entry = await loadEntry(name);
    if (entry === undefined) throw unknownCommand(name);
    if (word === undefined) stdout.write(await entryText(entry, stdout, environment));
    else if (isGroup(entry)) stdout.write(commandText(await loadSubcommand(entry, word), stdout, environment));
    else throw new InputError({ message: `gradus ${name} has no subcommands, found ${word}`, wayOut: `write gradus help ${name}` });
    return 0;
  },
});
