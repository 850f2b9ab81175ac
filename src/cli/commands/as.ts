import type { Command } from '../parse/command.js';
import { defineCommand } from '../parse/define.js';
import { findTool, toolSpellings, tools } from '../tools/tools.js';

const defaults = tools
  .filter(({ versions }) => versions.length > 0)
  .map(({ name, defaultVersion }) => `${name} is ${name}@${defaultVersion}`);

/** Finds the stand-in of a tool and hands it the rest of the command line untouched. */
export const asCommand: Command = defineCommand({
  name: 'as',
  summary: 'behave as another tool, byte for byte, with its own arguments',
  description: [
    "Everything after TOOL is the tool's own command line: flags, files and measure names are read, and results, messages and the exit status are given, as that program does.",
    `Tools: ${toolSpellings().join(', ')}. Without a version, ${defaults.join(' and ')}.`,
    'Of trec_eval two things are not reproduced: the wording of its help (-h), which is ours, and the traces that a debug level (-D 1 and up) makes measures write; a topic given with -D is obeyed. Where the real program reads memory that it does not own, no output is the right one. Then prefs_avgjg_Rnonrel and prefs_avgjg_Rnonrel_ret count the lowest of negative levels with the documents that it has; rbp is computed as if it were asked for alone, and each of dcg, ideal_dcg and ndcg with its own parameters; a comment at the end of a relevance file (version 10) is passed over; a negative -M is taken for 0; and a topic or measure that no row of a -Z table comes up to gets -1000000.',
    'The scripts of LETOR and MSLR were written for Windows, where Perl takes CR LF for a line end. So they do here; --strict after the name of the tool brings back what they do elsewhere: gradus as letor4 --strict score …',
  ].join('\n\n'),
  examples: [
    { command: 'gradus as trec_eval qrels.txt run.txt', explains: 'what trec_eval 9.0.8 prints' },
    { command: 'gradus as trec_eval@9.0.7 -q -m map -m P.5,10 qrels.txt run.txt', explains: 'an older version, with its flags' },
    { command: 'gradus as letor4 score test.txt predictions.txt out.txt 1', explains: 'what Eval-Score-4.0.pl writes to out.txt' },
    { command: 'gradus as ranklib -test test.txt -metric2T NDCG@10 -score predictions.txt', explains: "RankLib's result line" },
    {
      command: 'gradus as ranklib -train train.txt -validate vali.txt -ranker 6 -metric2t NDCG@10 -save model.txt',
      explains: "RankLib's training flags, with the learners of Gradus; the model is in RankLib's format",
    },
  ],
  arguments: [
    { name: 'TOOL', help: 'the tool, with @VERSION if it matters', complete: 'tool' },
    { name: 'ARGUMENT', help: "the tool's own arguments", optional: true, repeatable: true, complete: 'file' },
  ],
  options: [],
  passThrough: true,
  async run(args) {
    const [text, ...rest] = args.positionals;
    const { tool, version } = findTool(text);
    return await tool.run(version, rest);
  },
});
