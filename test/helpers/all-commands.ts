import { loadAllEntries } from '../../src/cli/commands.js';
import type { Command } from '../../src/cli/parse/command.js';
import { isGroup, loadSubcommands } from '../../src/cli/parse/group.js';

/** Every single command, those of groups by their full names. */
export async function loadAllCommands(): Promise<Command[]> {
  const entries = await loadAllEntries();
  return (await Promise.all(entries.map(async (entry) => (isGroup(entry) ? await loadSubcommands(entry) : [entry])))).flat();
}
