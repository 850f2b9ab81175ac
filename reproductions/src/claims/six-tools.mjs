// Registered claims about six tools and what they make of one ranking (A1 to A7, A16t, A17, A18-2a): exact arithmetic on given rankings.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { applyConvention, findConvention, judgingRulesOf } from '../../../dist/conventions/index.js';
import { featureValue } from '../../../dist/core/feature-matrix.js';
import { seededRandom } from '../../../dist/core/numbers/random.js';
import { parseLetor } from '../../../dist/formats/letor/reader.js';
import { evaluateScores } from '../../../dist/ltr/index.js';
import { parseMeasure } from '../../../dist/measures/index.js';
import { byTool, censusOf, cutoffs, factsOf, tools } from '../measured.mjs';
import { drawPanels } from '../panels.mjs';
import { readParts } from '../study.mjs';
import { groupedMatrix, meanOf } from './comparing.mjs';

const six = ['AdaRank', 'LambdaMART', 'Coordinate Ascent', 'RankNet', 'RankBoost', 'RankSVM'];
const sixArms = six.map((learner) => `${learner} by RankLib`);
const features = [25, 40, 45];
const systems = ['ListNet', 'RankBoost', 'RankNet', 'svm_rank'];

/** Rankings of the five test parts: three single features, and the scores that came with the collection for four systems. */
function givenRankings(args) {
  const { parts, hash } = readParts(args, [22, 12], (k) => `mq2008/S${k}.txt.xz`);
  const matrices = parts.map((part) => parseLetor(part, { features: 'dense' }).matrix);
  const rankings = matrices.flatMap((matrix, p) => {
    const ofFeature = (feature) => ({
      name: `feature ${feature}`,
      part: p,
      matrix,
      scores: Float64Array.from({ length: matrix.numRows }, (_, row) =>
        featureValue(matrix.features, row, Math.min(feature, matrix.features.numFeatures) - 1),
      ),
    });
    const ofSystem = (name) => ({
      name,
      part: p,
      matrix,
      scores: args.small ? madeUpScores(matrix, name, p) : scoresOf(args.data, name, p),
    });
    return [...features.map(ofFeature), ...systems.map(ofSystem)];
  });
  return { hash, matrices, rankings };
}

/** Those of the published systems only. */
export function publishedRankings(args) {
  const { matrices, rankings } = givenRankings(args);
  return { matrices, rankings: rankings.filter(({ name }) => systems.includes(name)) };
}

/** Fold k of the published scores tests on part k + 4, counted around. */
function scoresOf(data, name, part) {
  const fold = ((part + 1) % 5) + 1;
  const text = execFileSync('xz', ['-dc', join(data, 'mq2008-scores', name, `Fold${fold}.score.xz`)], {
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  return Float64Array.from(text.trim().split(/\s+/), Number);
}

function madeUpScores({ numRows }, name, part) {
  const random = seededRandom(name.length, part);
  return Float64Array.from({ length: numRows }, () => Math.round(20 * random.float()) / 20);
}

/** The definition: gains 2^label - 1, discount log2(rank + 1), the ideal of all judged documents; `empty` for queries with nothing to
 *  find. Ties as in the file. */
function byDefinition(scores, matrix, empty) {
  const { labels, queryOffsets } = matrix;
  return factsOf(matrix).map(({ id }, q) => {
    const rows = Array.from({ length: queryOffsets[q + 1] - queryOffsets[q] }, (_, i) => queryOffsets[q] + i);
    const gained = (order) => {
      let sum = 0;
      return cutoffs.map((k) => {
        if (k <= order.length) sum += (2 ** labels[order[k - 1]] - 1) / Math.log2(k + 1);
        return sum;
      });
    };
    const got = gained(rows.toSorted((a, b) => scores[b] - scores[a] || a - b));
    const best = gained(rows.toSorted((a, b) => labels[b] - labels[a]));
    return { id, values: got.map((value, c) => (best.at(-1) === 0 && best[c] === 0 ? empty : value / best[c])) };
  });
}

/** The largest difference of a tool to the definition, over queries and cutoffs, where both break ties as in the file. */
function fromDefinition({ scores, matrix }, tool, empty) {
  const changed = { ties: 'file', ...(tool === 'trec_eval' ? { gain: 'exp' } : {}) };
  const table = byTool(scores, matrix, tool, { changed, judging: { ties: 'file' } });
  const place = new Map(table.topics.map((topic, t) => [topic, t]));
  let largest = 0;
  for (const { id, values } of byDefinition(scores, matrix, empty)) {
    for (const [c, value] of values.entries()) largest = Math.max(largest, Math.abs(table.column(c)[place.get(id)] - value));
  }
  return largest;
}

const largestOver = (rankings, statistic) => Math.max(...rankings.map(statistic));

/** The largest difference of two tools in any query, for measures given by their texts. */
function between({ scores, matrix }, first, second, texts) {
  const [a, b] = [first, second].map((tool) => {
    const { rules } = findConvention(tool);
    return evaluateScores(
      scores,
      matrix,
      texts.map((text) => applyConvention(parseMeasure(text), rules)),
      judgingRulesOf(rules),
    );
  });
  return Math.max(...texts.flatMap((_, c) => Array.from(a.column(c), (value, t) => Math.abs(value - b.column(c)[t]))));
}

/** The largest value that a tool gives a list which the cutoff goes beyond. */
function beyondTheList({ scores, matrix }, tool) {
  const lengths = new Map(factsOf(matrix).map(({ id, length }) => [id, length]));
  const table = byTool(scores, matrix, tool);
  return Math.max(
    0,
    ...cutoffs.flatMap((k, c) => table.topics.flatMap((topic, t) => (lengths.get(topic) < k ? [Math.abs(table.column(c)[t])] : []))),
  );
}

const texts = cutoffs.map((k) => `nDCG@${k}`);

function census(args) {
  const { hash, matrices, rankings } = givenRankings(args);
  const shares = matrices.map((matrix) => {
    const facts = factsOf(matrix);
    return { queries: facts.length, empty: facts.filter(({ relevant }) => relevant === 0).length };
  });
  const censuses = rankings.map(({ scores, matrix }) => censusOf(scores, matrix));
  const higher = args.small ? rankings.slice(0, 1) : lightgbmRankings(args.data);
  return {
    hash,
    rankings: rankings.length,
    definition: Object.fromEntries(
      ['letor3', 'ranklib', 'trec_eval'].map((tool) => [tool, largestOver(rankings, (one) => fromDefinition(one, tool, 0))]),
    ),
    yahoo: largestOver(rankings, (one) => fromDefinition(one, 'yahoo', 1)),
    letor: {
      ndcg: largestOver(rankings, (one) => between(one, 'letor4', 'mslr', texts)),
      precision: largestOver(rankings, (one) => between(one, 'letor4', 'mslr', ['P@10', 'AP'])),
      beyond: largestOver(rankings, (one) => Math.max(beyondTheList(one, 'letor4'), beyondTheList(one, 'mslr'))),
      higherLabels: largestOver(higher, (one) => between(one, 'letor4', 'mslr', texts)),
    },
    shares,
    featureDifferences: rankings.flatMap(({ name }, i) => (name.startsWith('feature') ? [censuses[i].meanDifference] : [])),
    largestOfPlain: cutoffs.map((_, c) => Math.max(...censuses.map(({ largestOfPlain }) => largestOfPlain[c]))),
    trecAsRanklib: largestOver(rankings, untiedDifference),
    orders: ordersOf(rankings),
  };
}

/** Per-query difference of trec_eval with gains 0, 1 and 3 to RankLib, on queries without ties. */
function untiedDifference({ scores, matrix }) {
  const { queryOffsets } = matrix;
  const untied = new Set(
    factsOf(matrix).flatMap(({ id }, q) => {
      const own = scores.slice(queryOffsets[q], queryOffsets[q + 1]);
      return new Set(Float32Array.from(own)).size === own.length ? [id] : [];
    }),
  );
  const [trec, ranklib] = [byTool(scores, matrix, 'trec_eval', { gain: 'exp' }), byTool(scores, matrix, 'ranklib')];
  return Math.max(
    0,
    ...cutoffs.flatMap((_, c) =>
      trec.topics.flatMap((topic, t) => (untied.has(topic) ? [Math.abs(trec.column(c)[t] - ranklib.column(c)[t])] : [])),
    ),
  );
}

/** Whether the order of the seven systems is the same when empty queries count 0, 1 or not at all, and how far t values move. */
function ordersOf(rankings) {
  const byName = new Map();
  for (const { name, scores, matrix } of rankings) {
    const table = byTool(scores, matrix, 'ranklib', { at: [10] });
    const place = new Map(table.topics.map((topic, t) => [topic, t]));
    const rows = factsOf(matrix).map(({ id, relevant }) => ({ value: table.column(0)[place.get(id)], isEmpty: relevant === 0 }));
    byName.set(name, [...(byName.get(name) ?? []), ...rows]);
  }
  const names = [...byName.keys()];
  const worth = { 'empty as 0': (row) => row.value, 'empty as 1': (row) => (row.isEmpty ? 1 : row.value), 'left out': (row) => row.value };
  let changed = 0;
  let largestChangeOfT = 0;
  for (const [i, a] of names.entries()) {
    for (const b of names.slice(i + 1)) {
      const found = Object.entries(worth).map(([rule, of]) => {
        const differences = byName.get(a).flatMap((row, q) => (rule === 'left out' && row.isEmpty ? [] : [of(row) - of(byName.get(b)[q])]));
        const mean = meanOf(differences);
        const error = Math.sqrt(differences.reduce((sum, d) => sum + (d - mean) ** 2, 0) / (differences.length - 1) / differences.length);
        return { mean, t: error === 0 ? 0 : mean / error };
      });
      if (new Set(found.map(({ mean }) => Math.sign(Math.abs(mean) < 1e-12 ? 0 : mean))).size > 1) changed++;
      largestChangeOfT = Math.max(largestChangeOfT, Math.abs(found[0].t - found[2].t));
    }
  }
  return { pairs: (names.length * (names.length - 1)) / 2, changed, largestChangeOfT };
}

/** The example set of LightGBM, ranked by its first three features: it has labels up to 4. */
function lightgbmRankings(data) {
  const matrix = groupedMatrix(join(data, 'lightgbm-lambdarank'));
  return [0, 1, 2].map((feature) => ({
    name: `feature ${feature + 1}`,
    matrix,
    scores: Float64Array.from({ length: matrix.numRows }, (_, row) => featureValue(matrix.features, row, feature)),
  }));
}

const lineNames = { letor3: 'LETOR 3.0', letor4: 'LETOR 4.0', mslr: 'MSLR', yahoo: 'Yahoo', ranklib: 'RankLib', trec_eval: 'TREC' };

/** The nDCG of each published system by each tool at each cutoff: means over all queries, and their standard errors. */
function curvesOfTools(args) {
  const { rankings } = publishedRankings(args);
  return Object.fromEntries(
    systems.map((system) => [
      system,
      Object.fromEntries(
        Object.keys(tools).map((tool) => {
          const tables = rankings.flatMap(({ name, scores, matrix }) => (name === system ? [byTool(scores, matrix, tools[tool])] : []));
          return [
            tool,
            cutoffs.map((_, c) => {
              const values = tables.flatMap((own) => [...own.column(c)]);
              const mean = meanOf(values);
              const error = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1) / values.length);
              return [mean, error].map((value) => Math.round(value * 1e6) / 1e6);
            }),
          ];
        }),
      ),
    ]),
  );
}

/** One panel for each published system, one line for each tool. */
function drawn({ source }, folder) {
  const curves = source('curves of tools');
  if (curves === undefined) return {};
  const picture = drawPanels(folder, 'six-tools-curves', {
    title: 'Six tools, four published rankings of MQ2008',
    subtitle: 'nDCG by cutoff, means over 784 queries; bars: one standard error; lines that coincide: LETOR 3.0, LETOR 4.0 and MSLR',
    rows: [''],
    columns: systems,
    lines: Object.values(lineNames),
    xLabel: 'cutoff',
    yLabel: 'nDCG',
    panels: [
      systems.map((system) =>
        Object.fromEntries(
          Object.entries(lineNames).map(([tool, line]) => [
            line,
            curves[system][tool].map(([y, error], c) => ({ x: cutoffs[c], y, error })),
          ]),
        ),
      ),
    ],
  });
  return { pictures: [picture] };
}

const fromCensus = (judge) => ({ sources: ['given rankings'], judge: ({ source, arm }) => judge(source('given rankings'), arm) });
const titles = { letor3: 'LETOR 3.0', ranklib: 'RankLib', trec_eval: 'TREC' };

export const study = {
  name: 'six-tools',
  title: 'Six tools, one ranking: registered claims',
  question:
    'Busa-Fekete, Szarvas, Éltető and Kégl (2012) compared six programs that compute nDCG. Which of their statements about the programs hold, to the last digit?',
  data: 'MQ2008, all five test parts (784 queries): the rankings by features 25, 40 and 45, and the scores of ListNet, RankBoost, RankNet and a linear SVM that came with the collection. For labels above 2 the example set of LightGBM (251 queries). The six learners of protocol R where a claim names them.',
  method:
    'Exact arithmetic, no sampling: each tool by the rules that Gradus has for it, which the tests of this repository compare with recorded output of the tool itself; the definition is written down anew in the script. Tolerance 1e-12. [Six tools, one ranking](tool-claims.md) attributes the differences to rules.',
  papers: ['busafekete2012apple'],
  drawn,
  sources: { 'given rankings': census, 'curves of tools': curvesOfTools },
  extra: ['curves of tools'],
  claims: {
    A1: {
      sources: ['given rankings'],
      arms: sixArms,
      judge: ({ source, arm }) => {
        const all = [
          ...source('given rankings').featureDifferences,
          ...sixArms.flatMap((id) => arm(id).fits.map(({ census: own }) => own.meanDifference)),
        ];
        return {
          numbers: { onEvery: all.every((one) => one > 0.005), allZero: all.every((one) => one === 0) },
          facts: { rankings: all.length, least: Math.min(...all), most: Math.max(...all) },
        };
      },
    },
    A2: fromCensus(({ definition }) => ({
      numbers: { parts: Object.entries(definition).map(([tool, deviation]) => ({ part: titles[tool], deviation })) },
    })),
    A3: fromCensus(({ yahoo }) => ({ numbers: { parts: [{ part: 'Yahoo', deviation: yahoo }] } })),
    A4: fromCensus(({ letor: { ndcg, precision, beyond, higherLabels } }) => ({
      numbers: {
        parts: [
          { part: 'nDCG is the same', deviation: ndcg },
          { part: 'nDCG is 0 beyond the list', deviation: beyond },
          { part: 'P and MAP are the same', deviation: precision },
          { part: 'nDCG is the same with labels above 2', deviation: higherLabels },
        ],
      },
    })),
    A5: fromCensus(({ largestOfPlain }) => ({
      numbers: { parts: cutoffs.map((k, c) => ({ part: `cutoff ${k}`, deviation: largestOfPlain[c] })) },
    })),
    A6: {
      arms: sixArms,
      judge: ({ arm }) => {
        const all = sixArms.flatMap((id) => arm(id).fits.map(({ census: own }) => own.yahooDeviation));
        return {
          numbers: { deviations: all.filter((one) => one > 1e-12).length },
          facts: { models: all.length, largest: Math.max(...all) },
        };
      },
    },
    A7: fromCensus(({ shares }) => {
      const empty = shares.reduce((sum, one) => sum + one.empty, 0);
      const share = empty / shares.reduce((sum, one) => sum + one.queries, 0);
      return {
        numbers: { parts: [{ part: 'all', share, distance: Math.abs(share - 0.25) }] },
        facts: { byPart: shares.map(({ empty: own, queries }) => own / queries) },
      };
    }),
    A16t: {
      judge: () => ({
        numbers: {
          parts: [
            ...Object.keys(tools).map((tool) => {
              const { ties } = findConvention(tool).rules;
              const isTrec = tool === 'trec_eval';
              return {
                part: isTrec ? 'TREC orders by document id' : `${tool} leaves ties to a quick sort`,
                order: ties,
                holds: isTrec ? ties.startsWith('docno') : ties === 'quicksort',
              };
            }),
            {
              part: 'TREC: ascending',
              order: findConvention('trec_eval').rules.ties,
              holds: findConvention('trec_eval').rules.ties === 'docno-ascending',
            },
          ],
        },
        facts: { order: 'file: as in the file, by a stable sort; docno: by document id, the highest first' },
      }),
    },
    A17: fromCensus(({ trecAsRanklib }) => ({
      numbers: {
        parts: [
          { part: '(a) release 8.1 prints nDCG', deviation: 1 },
          { part: '(b) the gain is the label', deviation: findConvention('trec_eval').rules.gain === 'linear' ? 0 : 1 },
          { part: "(c) with gains 0, 1, 3 it is RankLib's, without ties", deviation: trecAsRanklib },
        ],
      },
      facts: {
        a: 'the release prints no nDCG, as its recorded output shows; a patch of 2008 and version 9 do. A deviation of 1 stands for a statement that does not hold',
      },
    })),
    'A18-2a': fromCensus(({ orders: { changed, ...facts } }) => ({ numbers: { deviations: changed }, facts: { changed, ...facts } })),
  },
};
