import type { CommandGroup } from '../../parse/command.js';

/** What to judge next. */
export const poolCommands: CommandGroup = {
  name: 'pool',
  summary: 'say which documents to judge next, and how many are enough',
  description:
    'Works with the pool of documents that runs bring: which of them to judge next (next), what missing judgements can change and when to stop (bounds), how well the order of systems comes out of fewer judgements (replay), and whether the collection can judge runs that were not pooled (reuse).',
  examples: [
    { command: 'gradus pool next qrels.txt *.run --budget 20 -o to-judge.csv', explains: 'twenty documents for each topic' },
    { command: 'gradus pool bounds qrels.txt bm25.run neural.run', explains: 'can the missing judgements turn the comparison?' },
    {
      command: 'gradus pool replay qrels.txt *.run --order rbp-a --budget 50',
      explains: 'would 50 judgements per topic have been enough?',
    },
    { command: 'gradus pool reuse qrels.txt *.run --groups teams.csv --depth 10', explains: 'leave one team out' },
  ],
  argument: 'QUESTION',
  subcommands: [
    { name: 'next', load: async () => (await import('./next.js')).poolNextCommand },
    { name: 'bounds', load: async () => (await import('./bounds.js')).poolBoundsCommand },
    { name: 'replay', load: async () => (await import('./replay.js')).poolReplayCommand },
    { name: 'reuse', load: async () => (await import('./reuse.js')).poolReuseCommand },
  ],
};
