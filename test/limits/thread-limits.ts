import { compareCommand } from '../../src/cli/commands/compare.js';
import { evalCommand } from '../../src/cli/commands/eval.js';
import { trainCommands } from '../../src/cli/commands/train.js';
import { parseArguments } from '../../src/cli/parse/arguments.js';
import { loadSubcommand } from '../../src/cli/parse/group.js';
import { defaultRankLibVersion } from '../../src/conventions/ranklib-versions.js';
import { numThreads } from '../../src/node/threads/threads.js';
import { parseRankLibTraining } from '../../src/tools/ranklib/training-options.js';
import type { LimitCases } from './limit-case.js';

export const threadLimits: LimitCases = {
  threads: [
    { name: 'the library', use: (amount) => numThreads(amount) },
    { name: 'gradus eval', use: (amount) => parseArguments(evalCommand, ['qrels', 'run', '--threads', String(amount)]) },
    { name: 'gradus compare', use: (amount) => parseArguments(compareCommand, ['qrels', 'a.run', 'b.run', '--threads', String(amount)]) },
    {
      name: 'gradus train',
      use: async (amount) =>
        parseArguments(await loadSubcommand(trainCommands, 'lambdamart'), [
          ...['--train', 'a', '--threads', String(amount), '--model', 'model.json'],
        ]),
    },
    {
      name: 'as ranklib',
      use: (amount) => parseRankLibTraining(['-train', 'a', '-thread', String(amount)], defaultRankLibVersion),
    },
  ],
};
