import type { CommandGroup } from '../../parse/command.js';

/** How large a collection must be. */
export const planCommands: CommandGroup = {
  name: 'plan',
  summary: 'say how many topics a collection needs',
  description:
    'Plans a collection from the scores of a pilot: how many topics find a difference of interest (topics), how reliable scores are and how many topics make them so (reliability), how many topics people have to judge beside a machine (labels), and whether two systems are practically equal (equivalence).',
  examples: [
    { command: 'gradus plan topics --scores pilot.csv --difference 0.02', explains: 'how many topics find a difference of 0.02?' },
    { command: 'gradus plan reliability --scores pilot.csv --stability 0.95', explains: 'how reliable is the order of systems?' },
    { command: 'gradus plan labels human.qrels machine.qrels *.run', explains: 'how many topics must people judge beside a machine?' },
    { command: 'gradus plan equivalence qrels.txt old.run new.run --rope 0.01', explains: 'are two systems practically equal?' },
  ],
  argument: 'QUESTION',
  subcommands: [
    { name: 'topics', load: async () => (await import('./topics.js')).planTopicsCommand },
    { name: 'reliability', load: async () => (await import('./reliability.js')).planReliabilityCommand },
    { name: 'labels', load: async () => (await import('./labels.js')).planLabelsCommand },
    { name: 'equivalence', load: async () => (await import('./equivalence.js')).planEquivalenceCommand },
  ],
};
