import { closest, InputError } from '../../core/index.js';
import { commandLoaders, loadEntry } from '../commands.js';
import { contradictionNote } from '../options/output-form.js';
import { withoutColour } from '../print/colour.js';
import { showingReading } from '../print/reading-progress.js';
import { say } from '../print/say.js';
import { parseArguments } from './arguments.js';
import type { Context } from './command.js';
import { checkFiles, filesOf } from './command-files.js';
import { chooseSubcommand, isGroup } from './group.js';

/** Runs `gradus NAME …`, or shows what can be run. */
export async function runCommand(name: string | undefined, argv: readonly string[], context: Context): Promise<number> {
  if (name === '--version' || name === '-V') {
    const { gradusVersion } = await import('../on-demand/version.js');
    context.stdout.write(`gradus ${gradusVersion()}\n`);
    return 0;
  }
  if (name === undefined || name === '--help' || name === '-h') {
    const { overviewText } = await import('./help.js');
    // without a command there is nothing to do, so the words go where words go
    const writer = name === undefined ? context.stderr : context.stdout;
    writer.write(await overviewText(writer, context.environment));
    return name === undefined ? 2 : 0;
  }
  const entry = await loadEntry(name);
  if (entry === undefined) throw unknownCommand(name);
  const chosen = isGroup(entry) ? await chooseSubcommand(entry, argv) : { command: entry, argv };
  if (chosen === undefined) {
    const { entryText } = await import('./help.js');
    context.stdout.write(await entryText(entry, context.stdout, context.environment));
    return 0;
  }
  const { command } = chosen;
  const args = parseArguments(command, chosen.argv);
  if (args.has('help')) {
    const { commandText } = await import('./help.js');
    context.stdout.write(commandText(command, context.stdout, context.environment));
    return 0;
  }
  checkFiles(command, args, context.environment);
  const note = contradictionNote(args);
  if (note !== undefined) say(args, context, note);
  const inputs = args.has('quiet') ? [] : filesOf(command, args, context.environment).filter(({ use }) => use === 'input');
  const run = (own: Context): Promise<number> =>
    command.run(args, args.has('no-color') ? { ...own, environment: withoutColour(own.environment) } : own);
  return await showingReading(
    inputs.map(({ path }) => path),
    context,
    run,
  );
}

/** What is said when the first word is no command, with the closest one. */
export function unknownCommand(name: string): InputError {
  if (name.startsWith('-')) {
    return new InputError({ message: `expected a command before ${name}`, wayOut: 'gradus --help lists them all' });
  }
  const close = closest(name, Object.keys(commandLoaders));
  return new InputError({
    message: `there is no command ${name === '' ? 'with an empty name' : name}`,
    wayOut: `${close === undefined ? '' : `did you mean ${close}? `}gradus --help lists them all`,
  });
}
