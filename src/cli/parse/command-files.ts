import { checkOutput, refuseOverwriting } from '../../node/index.js';
import type { GivenArguments } from './arguments.js';
import type { Command, CommandFile, Context } from './command.js';

/** Every file that a command line reads and writes, as the table of the command declares them. */
export function filesOf(command: Command, args: GivenArguments, environment: Context['environment']): CommandFile[] {
  const last = command.arguments.at(-1);
  const named = args.positionals.flatMap((path, i): CommandFile[] => {
    const spec = command.arguments[i] ?? last;
    return spec?.file === undefined ? [] : [{ use: spec.file, path, label: spec.name }];
  });
  for (const { long, file, replaces } of command.options) {
    if (file !== undefined) for (const path of args.given.get(long) ?? []) named.push({ use: file, path, label: `--${long}`, replaces });
  }
  return [...named, ...(command.files?.(args, environment) ?? [])];
}

/** Refuses a command line whose outputs would overwrite what it reads or one another, or that cannot be written. Nothing has been
 *  read then.
 *  @throws An `InputError` */
export function checkFiles(command: Command, args: GivenArguments, environment: Context['environment']): void {
  const files = filesOf(command, args, environment);
  refuseOverwriting(files);
  for (const { use, path } of files) if (use === 'output' && path !== '-') checkOutput(path);
}
