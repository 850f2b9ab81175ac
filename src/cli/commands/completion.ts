import { loadAllEntries } from '../commands.js';
import type { Command, CommandGroup } from '../parse/command.js';
import { type CompletedEntry, completionScript, type Shell, shells } from '../parse/completion.js';
import { defineCommand } from '../parse/define.js';
import { isGroup, loadSubcommands } from '../parse/group.js';

/** Prints a completion script, made from the table of commands. */
export const completionCommand: Command = defineCommand({
  name: 'completion',
  summary: 'print a script that completes gradus commands in the shell',
  description:
    'Commands, options, their values, and the names of measures, conventions and tools are completed. The script is made from the same table as the help; print it anew after an update.',
  examples: [
    { command: 'source <(gradus completion bash)', explains: 'for this session; put the line into ~/.bashrc to keep it' },
    { command: 'source <(gradus completion zsh)', explains: 'the same for zsh, in ~/.zshrc after compinit' },
    { command: 'gradus completion fish > ~/.config/fish/completions/gradus.fish', explains: 'fish' },
    {
      command: 'gradus completion powershell | Out-String | Invoke-Expression',
      explains: 'PowerShell, for this session; put the line into $PROFILE to keep it',
    },
  ],
  arguments: [{ name: 'SHELL', help: `the shell: ${shells.join(', ')}`, choices: shells }],
  options: [],
  async run(args, { stdout }) {
    stdout.write(completionScript(args.positionals[0] as Shell, await Promise.all((await loadAllEntries()).map(completed))));
    return 0;
  },
});

async function completed(entry: Command | CommandGroup): Promise<CompletedEntry> {
  const { name, summary } = entry;
  if (!isGroup(entry)) return { name, summary, commands: [entry] };
  return { name, summary, argument: entry.argument, commands: await loadSubcommands(entry) };
}
