import { gradusVersion } from '../../node/index.js';
import type { Command } from '../parse/command.js';
import { defineCommand } from '../parse/define.js';

/** Prints the version, as `gradus --version` does. */
export const versionCommand: Command = defineCommand({
  name: 'version',
  summary: 'print the version',
  description: 'Prints the same line as gradus --version.',
  examples: [{ command: 'gradus version', explains: 'the name and the version' }],
  arguments: [],
  options: [],
  async run(_, { stdout }) {
    stdout.write(`gradus ${gradusVersion()}\n`);
    return 0;
  },
});
