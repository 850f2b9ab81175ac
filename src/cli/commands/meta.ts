import type { CommandGroup } from '../parse/command.js';

/** Questions about the measures themselves, a command for each. */
export const metaCommands: CommandGroup = {
  name: 'meta',
  summary: 'judge the measures: what they tell apart, how stable they are',
  description:
    'Asks a question about measures: how many systems they tell apart (power), how much their value says about the ranking (informativeness), and how stable the order is into which they bring systems (stability).',
  examples: [
    { command: 'gradus meta power qrels.txt *.run --chart asl.svg', explains: 'which measure tells most systems apart?' },
    { command: 'gradus meta informativeness qrels.txt *.run --depth 100 --sweep', explains: 'what does each measure say of the ranking?' },
    { command: 'gradus meta stability qrels.txt *.run -m AP --pool 10', explains: 'would a shallower pool have ranked them alike?' },
  ],
  argument: 'QUESTION',
  subcommands: [
    { name: 'power', load: async () => (await import('./meta-power.js')).powerCommand },
    { name: 'informativeness', load: async () => (await import('./meta-informativeness.js')).informativenessCommand },
    { name: 'stability', load: async () => (await import('./meta-stability.js')).stabilityCommand },
  ],
};
