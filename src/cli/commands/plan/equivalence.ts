import { bayesianComparison, reproduceSettings } from '../../../experiment/index.js';
import { measureOption } from '../../options/judging.js';
import { answerOptions, decimals, printAnswer, questionProblems } from '../../options/question.js';
import { readyScoresOption, scoredArguments, scoredProblems, scoresFrom } from '../../options/ready-scores.js';
import { standardInputProblems } from '../../options/scoring.js';
import { optionsFor, settingsFrom } from '../../options/settings.js';
import type { Command } from '../../parse/command.js';
import { defineCommand, defineOptions } from '../../parse/define.js';
import { bayesianGrid, bayesianWords } from '../../print/bayesian.js';
import { say } from '../../print/say.js';

const options = defineOptions([readyScoresOption, measureOption('nDCG@10'), ...optionsFor(reproduceSettings, 'rope'), ...answerOptions]);

/** Whether two systems are practically equal. */
export const planEquivalenceCommand: Command = defineCommand({
  name: 'plan equivalence',
  summary: 'whether two systems are practically equal',
  description:
    'How probable it is that the first system is better by more than --rope, that the two are practically equal, and that the second is better: by the t posterior of the mean difference, and by signed ranks, as the share of draws in which each of the three was the most likely. A verdict is given only where one of them reaches 0.95.',
  examples: [{ command: 'gradus plan equivalence qrels.txt old.run new.run --rope 0.01', explains: 'are two systems practically equal?' }],
  arguments: scoredArguments,
  options,

  check: (args) => [
    ...standardInputProblems(args),
    ...questionProblems(args, 'plan equivalence', 1),
    ...scoredProblems(args, 'plan equivalence'),
  ],

  async run(args, context) {
    const scores = await scoresFrom(args, context, ['nDCG@10']);
    for (const note of scores.notes) say(args, context, note);
    if (scores.table.systems.length > 2) say(args, context, 'the first two systems are compared, the others are left out');
    const { rope } = settingsFrom(args, reproduceSettings, 'rope');
    const found = bayesianComparison(scores, { rope, onlyFirstTwo: true });
    const answer = {
      json: { rope: found.rope, results: found.pairs },
      grids: [bayesianGrid(found, decimals(args))],
      words: [bayesianWords(found)],
    };
    await printAnswer(args, context, answer);
    return 0;
  },
});
