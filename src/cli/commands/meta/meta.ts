import type { CommandGroup } from '../../parse/command.js';

/** Questions about the measures themselves, a command for each. */
export const metaCommands: CommandGroup = {
  name: 'meta',
  summary: 'assess the measures themselves: power, information, stability',
  description:
    'Assesses measures: how many pairs of systems they separate (power), how much their value says about the ranking (informativeness), and how stable their order of systems is (stability).',
  examples: [
    { command: 'gradus meta power qrels.txt *.run --chart asl.svg', explains: 'which measure separates the most systems?' },
    { command: 'gradus meta informativeness qrels.txt *.run --depth 100 --sweep', explains: 'what does each measure say of the ranking?' },
    { command: 'gradus meta stability qrels.txt *.run -m AP --pool 10', explains: 'would a shallower pool have ranked them alike?' },
  ],
  argument: 'QUESTION',
  subcommands: [
    { name: 'power', load: async () => (await import('./power.js')).powerCommand },
    { name: 'informativeness', load: async () => (await import('./informativeness.js')).informativenessCommand },
    { name: 'stability', load: async () => (await import('./stability.js')).stabilityCommand },
  ],
};
