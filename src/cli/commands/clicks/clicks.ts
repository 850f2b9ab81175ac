import type { CommandGroup } from '../../parse/command.js';

/** Logs of clicks as training data and as judgements. */
export const clicksCommands: CommandGroup = {
  name: 'clicks',
  summary: 'learn and evaluate from logs of clicks',
  description: [
    'Estimates how often each rank is looked at (bias), writes training data for gradus train lambdamart --clicks (data), and says what other rankings would be worth by the clicks that the old one got (evaluate).',
    'A log is CSV, TSV or Parquet with a row for each document that was shown (columns query, doc, rank, clicked, and session where a query was shown several times), or JSON lines with such rows or with whole lists: {"query":"q1","list":["a","b"],"clicked":["b"]}.',
  ].join('\n\n'),
  examples: [
    { command: 'gradus clicks bias log.jsonl', explains: 'how often ranks are looked at, compared with the first' },
    { command: 'gradus clicks data log.jsonl features.txt -o clicks.txt', explains: 'lists with features, clicks as labels' },
    { command: 'gradus clicks evaluate log.jsonl old.run new.run', explains: 'is the new ranking better, by the clicks on the old one?' },
  ],
  argument: 'STEP',
  subcommands: [
    { name: 'bias', load: async () => (await import('./bias.js')).clicksBiasCommand },
    { name: 'data', load: async () => (await import('./data.js')).clicksDataCommand },
    { name: 'evaluate', load: async () => (await import('./evaluate.js')).clicksEvaluateCommand },
  ],
};
