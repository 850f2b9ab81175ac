import type { CommandGroup } from '../../parse/command.js';

/** Two rankings in one list, judged by clicks. */
export const interleaveCommands: CommandGroup = {
  name: 'interleave',
  summary: 'mix two rankings into one list, and test which one users prefer',
  description:
    'Mixes the rankings of two systems so that clicks tell which one users prefer (lists), and tests the clicks (test). A list is a line of JSON with all that is needed to give credit; the site that shows it adds "clicked", the documents that were clicked, and perhaps "user".',
  examples: [
    { command: 'gradus interleave lists old.run new.run -o lists.jsonl', explains: 'one list per topic, by team draft' },
    { command: 'gradus interleave test shown.jsonl', explains: 'who was preferred, and is it more than chance?' },
  ],
  argument: 'STEP',
  subcommands: [
    { name: 'lists', load: async () => (await import('./lists.js')).interleaveListsCommand },
    { name: 'test', load: async () => (await import('./test.js')).interleaveTestCommand },
  ],
};
