import { printable } from '../../core/index.js';
import type { GivenArguments } from '../parse/arguments.js';
import type { Context } from '../parse/command.js';

/** Words on standard error, unless nobody wants any. */
export function say(args: GivenArguments, context: Context, text: string): void {
  if (!args.has('quiet')) context.stderr.write(`gradus: ${printable(text)}\n`);
}
