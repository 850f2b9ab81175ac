import { limits } from '../../core/index.js';
import type { IntegerOption } from '../parse/command.js';

/** The option of all commands that work on several threads. */
export const threadsOption: IntegerOption<'threads'> = {
  long: 'threads',
  value: 'N',
  integer: { min: 1, max: limits.threads },
  help: `how many threads may work, at most ${limits.threads}; the result is the same with any number. Default: one for each core, fewer where too few files may be open`,
};
