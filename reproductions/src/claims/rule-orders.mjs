// How far the order of published systems depends on whose rules compute their nDCG@10: every tool that has the measure, on the runs and
// scores at hand. Descriptive: no claim of the registry.
import { conventions, evaluateUnder } from '../../../dist/conventions/index.js';
import { numQueries, queryText } from '../../../dist/core/feature-matrix.js';
import { InputError } from '../../../dist/core/problem.js';
import { kendallTau } from '../../../dist/stats/index.js';
import { readRuns, runCollections } from '../runs.mjs';
import { fixed, table } from '../study.mjs';
import { publishedRankings } from './six-tools.mjs';

/** nDCG@10 of every system by every tool that computes it from these judgements, in millionths; of tools that give all systems the same
 *  numbers the first stands for the others. */
function underAllRules(qrels, runs) {
  const found = [];
  for (const convention of conventions) {
    let values;
    try {
      values = runs.map((run) => Math.round(1e6 * evaluateUnder(convention, qrels, run, ['nDCG@10']).aggregate(0)));
    } catch (error) {
      // a tool without this measure, or one that refuses these judgements
      if (error instanceof InputError) continue;
      throw error;
    }
    const same = found.find((one) => one.values.every((value, s) => value === values[s]));
    if (same === undefined) found.push({ tools: [convention.name], values });
    else same.tools.push(convention.name);
  }
  return found;
}

/** Judgements and runs as plain objects, from the rankings of a matrix of features. */
function asRuns(matrices, rankings) {
  const rowsOf = (matrix, visit) => {
    for (let q = 0; q < numQueries(matrix); q++)
      for (let row = matrix.queryOffsets[q]; row < matrix.queryOffsets[q + 1]; row++) visit(queryText(matrix, q), row);
  };
  const qrels = {};
  for (const matrix of matrices)
    rowsOf(matrix, (query, row) => {
      qrels[query] ??= {};
      qrels[query][`d${row}`] = matrix.labels[row];
    });
  const runs = [...new Set(rankings.map(({ name }) => name))].map((name) => {
    const run = {};
    for (const { matrix, scores } of rankings.filter((one) => one.name === name))
      rowsOf(matrix, (query, row) => {
        run[query] ??= {};
        run[query][`d${row}`] = scores[row];
      });
    return { name, run };
  });
  return { qrels, systems: runs.map(({ name }) => name), runs: runs.map(({ run }) => run) };
}

/** The source: for each collection the systems, and what each group of tools makes of them. */
export function ordersUnderRules(args) {
  const { matrices, rankings } = publishedRankings(args);
  const mq2008 = asRuns(matrices, rankings);
  const found = { MQ2008: { systems: mq2008.systems, rules: underAllRules(mq2008.qrels, mq2008.runs) } };
  for (const collection of runCollections) {
    const { qrels, runs } = readRuns(collection, args);
    const used = args.quick ? runs.slice(0, 6) : runs;
    found[collection] = { systems: used.map(({ name }) => name), rules: underAllRules(qrels, used) };
  }
  return found;
}

/** Two orders of the same systems: Kendall's tau, and the share of pairs of systems that stand the other way round. */
function pairOfRules(first, second) {
  const { tau } = kendallTau({ first: Float64Array.from(first), second: Float64Array.from(second) });
  return tau;
}

/** The share of pairs of two systems whose order is wrong when one number is by the first rules and the other by the second. */
function misordered(first, second) {
  let wrong = 0;
  let pairs = 0;
  for (let a = 0; a < first.length; a++) {
    for (let b = 0; b < first.length; b++) {
      if (first[a] <= first[b]) continue;
      pairs++;
      if (first[a] <= second[b]) wrong++;
    }
  }
  return pairs === 0 ? 0 : wrong / pairs;
}

const nameOf = ({ tools }) => (tools.length === 1 ? tools[0] : `${tools[0]} and ${tools.length - 1} more`);

/** The part of the page: what each tool gives to the best system, and what becomes of the order. */
export function ordersText(found) {
  const summary = Object.entries(found).map(([collection, { systems, rules }]) => {
    const pairs = rules.flatMap((first, r) =>
      rules.slice(r + 1).map((second) => ({ first, second, tau: pairOfRules(first.values, second.values) })),
    );
    const least = pairs.reduce((a, b) => (b.tau < a.tau ? b : a));
    const best = rules.map(({ values }) => values.indexOf(Math.max(...values)));
    const mixed = rules.flatMap((first) => rules.filter((one) => one !== first).map((second) => misordered(first.values, second.values)));
    const tops = rules.map(({ values }) => Math.max(...values) / 1e6);
    return [
      collection,
      String(systems.length),
      String(rules.length),
      `${fixed(Math.min(...tops))} to ${fixed(Math.max(...tops))}`,
      String(new Set(best).size),
      `${fixed(least.tau, 3)} (${nameOf(least.first)}, ${nameOf(least.second)})`,
      fixed(mixed.reduce((sum, share) => sum + share, 0) / mixed.length, 3),
    ];
  });
  const rows = found.MQ2008.rules.map((rule) => [
    rule.tools.join(', '),
    ...rule.values.map((value) => fixed(value / 1e6)),
    found.MQ2008.systems
      .map((_, s) => s)
      .sort((a, b) => rule.values[b] - rule.values[a])
      .map((s) => found.MQ2008.systems[s])
      .join(' > '),
  ]);
  return [
    '## The order of published systems under every rule',
    '*Descriptive: no claim of the registry, no verdict.* nDCG@10 of published systems by each tool that has the measure and takes the judgements; tools that give all systems the same numbers count once. *Misordered* is how often the better of two systems seems the worse when its number is by the rules of one tool and that of the other by those of another, averaged over pairs of tools.',
    table(
      [
        'collection',
        'systems',
        'different rules',
        'best system, from to',
        'systems that come first',
        'least tau between two orders',
        'misordered',
      ],
      summary,
    ),
    'On MQ2008 (the scores of four systems that came with the collection, all 784 queries):',
    table(['tools', ...found.MQ2008.systems, 'order'], rows),
  ];
}
