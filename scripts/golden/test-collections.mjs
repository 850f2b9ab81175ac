/** Judging test collections: every number of the recorded cases is computed by the product and compared. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { llmjudge, small } from './collections/agreement.mjs';
import { corrected, labels, twoSets } from './collections/conclusions.mjs';
import { correctedCoverage, rankSetCoverage } from './collections/coverage.mjs';
import { Data } from './collections/data.mjs';
import { leaderboard } from './collections/leaderboard.mjs';
import { bayesian, generalisability, topicSetSize } from './collections/planning.mjs';
import { pooling } from './collections/pooling.mjs';
import { reproduction } from './collections/reproduction.mjs';
import { Tally } from './collections/tally.mjs';

/** What checks each file of recorded cases. */
const checks = {
  'agreement-small.json': small,
  'agreement-llmjudge.json': llmjudge,
  'two-judgement-sets.json': twoSets,
  'ppi.json': corrected,
  'ppi-coverage.json': correctedCoverage,
  'labels-needed.json': labels,
  'leaderboard.json': leaderboard,
  'rank-set-coverage.json': rankSetCoverage,
  'topic-set-size.json': topicSetSize,
  'gtheory.json': generalisability,
  'bayes.json': bayesian,
  'pooling.json': pooling,
  'reproducibility.json': reproduction,
};

/** Compares all files of a folder. */
export async function check(folder, { data: place, product: given, only }) {
  const [judging, core, stats, conventions] = await Promise.all(
    ['judging', 'core', 'stats', 'conventions'].map((entry) => import(`../../dist/${entry}/index.js`)),
  );
  const product = { ...core, ...stats, ...conventions, ...given, judging };
  const tally = new Tally();
  const data = new Data(folder, place, product);
  const tools = { tally, judging, product, data };
  try {
    for (const file of readdirSync(folder)
      .filter((name) => name.endsWith('.json'))
      .sort()) {
      if (only !== undefined && !file.startsWith(only)) continue;
      const [agreed, total] = [tally.agreed, tally.total];
      tally.place = file;
      if (checks[file] === undefined || !existsSync(join(folder, file))) tally.holds('a file that is known', false, file);
      else {
        try {
          await checks[file](JSON.parse(readFileSync(join(folder, file), 'utf8')), tools);
        } catch (error) {
          tally.holds(`computed (${error?.stack ?? error})`, false, 'nothing');
        }
      }
      tally.remarks.push(`${file}: ${tally.agreed - agreed} of ${tally.total - total} agree`);
    }
  } finally {
    data.close();
  }
  return tally;
}
