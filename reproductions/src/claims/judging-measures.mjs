// Registered claims about measures on given rankings (G1 to G10b): what their values tell of a ranking, and which systems they tell apart.
import { seededRandom } from '../../../dist/core/numbers/random.js';
import { evaluator } from '../../../dist/measures/evaluate.js';
import { parseMeasure } from '../../../dist/measures/index.js';
import { forEachList, informativeness } from '../../../dist/meta/index.js';
import { spearmanCorrelation } from '../../../dist/stats/index.js';
import { drawIntervals } from '../intervals.mjs';
import { drawPanels } from '../panels.mjs';
import { powerOfMeasures, sharesByOuterSamples } from '../power.mjs';
import { readRuns, runCollections } from '../runs.mjs';
import { fixed, table } from '../study.mjs';
import { compared, holmFamily, partRules } from '../verdicts.mjs';
import { areaOf, entropyDeviations, gradedExperiments, propertyViolations } from './graded-precision.mjs';
import { choicesText, matricesText, otherChoices, powerOfMatrices } from './other-powers.mjs';

const shares = Array.from({ length: 11 }, (_, i) => i / 10);
/** GAP with so many users at grade 1. At the ends of the sweep all users agree, and GAP is AP. */
const gapWith = (share) => (share === 0 ? 'AP(rel=2)' : share === 1 ? 'AP' : `GAP(g=[${share},${(1 - share).toFixed(1)}])`);
const discounted = {
  exp: { log: "nDCG(gain='exp')", rank: "nDCG(gain='exp',discount='rank')" },
  linear: { log: 'nDCG', rank: "nDCG(discount='rank')" },
};
const asked = [...shares.map(gapWith), ...Object.values(discounted).flatMap((one) => Object.values(one))];
const targets = ['any', 'highest'];
const half = gapWith(0.5);
const ndcg = discounted.exp.log;

/** Mean error over systems, topic by topic. */
async function errorsOf(collection, args, steps) {
  const { qrels, runs, hash } = readRuns(collection, args);
  const depth = args.small ? 30 : 1000;
  const used = args.quick ? runs.slice(0, 4) : runs;
  const measures = (args.quick ? asked.filter((_, i) => i % 5 === 0 || i > 10) : asked).map((text) => parseMeasure(text));
  const told = await steps(`${hash} ${depth} ${measures.map(({ text }) => text).join(' ')}`).all(
    used.map((run) => ({
      key: `informativeness ${collection} ${run.name}`,
      compute: () => {
        const { perList, leftOut } = informativeness(qrels, [run], measures, { depth });
        return {
          leftOut,
          lists: perList.map(({ topic, error, solution: { residuals, isMet } }, i) => ({
            topic,
            measure: i % measures.length,
            error,
            residual: Math.max(residuals.value, residuals.counts),
            isMet,
          })),
        };
      },
    })),
  );
  const lists = told.flatMap(({ lists: own }) => own);
  const topics = [...new Set(lists.map(({ topic }) => topic))].sort();
  const meanOf = (topic, measure, target) => {
    const own = lists.filter((list) => list.topic === topic && list.measure === measure && list.isMet);
    return own.reduce((sum, { error }) => sum + error[target], 0) / own.length;
  };
  const texts = args.quick ? asked.filter((_, i) => i % 5 === 0 || i > 10) : asked;
  return {
    hash,
    systems: used.length,
    lists: lists.length / texts.length,
    leftOut: told.reduce((sum, { leftOut }) => sum + leftOut, 0),
    unmet: lists.filter(({ isMet }) => !isMet).length,
    residual: lists.filter(({ isMet }) => isMet).reduce((most, { residual }) => Math.max(most, residual), 0),
    topics,
    errors: Object.fromEntries(
      texts.map((text, m) => [
        text,
        Object.fromEntries(targets.map((target) => [target, topics.map((topic) => rounded(meanOf(topic, m, target)))])),
      ]),
    ),
  };
}

const rounded = (value) => Math.round(value * 1e8) / 1e8;
const compareMeasures = [half, ndcg, 'nDCG', "nDCG(gain='exp')@10", 'AP'];

/** The value of each system on each topic, by measure. */
function scoresOf(collection, args) {
  const { qrels, runs, hash } = readRuns(collection, args);
  const evaluating = evaluator(
    qrels,
    compareMeasures.map((text) => parseMeasure(text)),
    { missingTopics: 'empty' },
  );
  const tables = runs.map((run) => evaluating.evaluate(run));
  return {
    hash,
    topics: tables[0].topics,
    systems: runs.map(({ name }) => name),
    values: Object.fromEntries(
      compareMeasures.map((text, m) => [text, tables.map((table) => Array.from(table.column(m), (value) => Math.round(value * 1e6)))]),
    ),
  };
}

const sources = {
  'ready matrices': powerOfMatrices,
  ...Object.fromEntries(
    runCollections.flatMap((collection) => [
      [`errors ${collection}`, (args, steps) => errorsOf(collection, args, steps)],
      [`scores ${collection}`, (args) => scoresOf(collection, args)],
    ]),
  ),
  'power of all': (args, _, source) =>
    Object.fromEntries(
      runCollections.map((collection) => [
        collection,
        powerOfMeasures(source(`scores ${collection}`), compareMeasures, little(args, { samples: 10_000, outer: 1000 })),
      ]),
    ),
  'power among the best': (args, _, source) =>
    sharesByOuterSamples(source('scores TREC-COVID'), [half, ndcg], {
      top: args.small ? 4 : 15,
      ...little(args, { samples: 10_000, outer: 2000 }),
    }),
  'power by other choices': (args, _, source) => otherChoices(args, source, { gap: half, ndcg, linear: discounted.linear.log }),
  'properties of GAP': (args) => propertyViolations(args.small || args.quick ? 1000 : 100_000),
  'the experiment behind GAP': (args) => gradedExperiments(args.small || args.quick ? 20_000 : 1_000_000),
  'area under the curve': (args) => areaUnderCurves(args),
  'maximum entropy': (args) => entropyDeviations(args.small || args.quick ? 10 : 200),
};

const little = ({ small, quick }, { samples, outer }) => ({
  samples: small || quick ? 200 : samples,
  outer: small || quick ? 40 : outer,
  seed: 7303,
});

/** How far GAP lies from the area under the graded precision-recall curve, for every list of the first collection. */
function areaUnderCurves(args) {
  const { qrels, runs, hash } = readRuns('TREC-COVID', args);
  const differences = [];
  let stepDeviation = 0;
  forEachList(qrels, args.quick ? runs.slice(0, 4) : runs, { depth: 1000, minPerGrade: 0 }, (list) => {
    if (list === undefined || list.judgedCounts.slice(1).every((count) => count === 0)) return;
    const { gap, steps, trapezoid } = areaOf(list);
    stepDeviation = Math.max(stepDeviation, Math.abs(gap - steps));
    differences.push(Math.abs(gap - trapezoid));
  });
  differences.sort((a, b) => a - b);
  const at = (share) => differences[Math.min(differences.length - 1, Math.floor(share * differences.length))];
  return { hash, lists: differences.length, stepDeviation, median: at(0.5), at95: at(0.95), largest: differences.at(-1) };
}

const panels = runCollections.flatMap((collection) => targets.map((target) => ({ collection, target, part: `${collection}, ${target}` })));
const errorSources = runCollections.map((collection) => `errors ${collection}`);

/** Differences of two measures' errors, topic by topic. */
function errorDifferences(source, { collection, target }, first, second) {
  const { errors } = source(`errors ${collection}`);
  return errors[first][target].map((error, t) => error - errors[second][target][t]);
}

function panelParts(source, list, first, second, options) {
  return list.map((panel) => ({ part: panel.part, ...compared(errorDifferences(source, panel, first, second), options) }));
}

/** How g1 and the error go together in one topic; 0 if the error does not change. */
function trend(errors, target, t) {
  const known = shares.filter((share) => errors[gapWith(share)] !== undefined);
  const own = known.map((share) => errors[gapWith(share)][target][t]);
  return own.every((error) => error === own[0]) ? 0 : spearmanCorrelation({ first: known, second: own });
}

const isExact = (source) => source('maximum entropy').deviation <= 1e-8;

export const study = {
  name: 'judging-measures',
  title: 'Judging the measures: what they tell of a ranking, and what they tell apart',
  question:
    'Robertson, Kanoulas and Yilmaz (SIGIR 2010) introduced graded average precision (GAP) and said that it tells more of a ranking than nDCG and AP do, and tells more of the best systems apart. Does that hold on collections that they did not have?',
  data: 'The 143 runs of the first round of TREC-COVID (30 topics, grades 0, 1, 2), seen before the claims were registered; the 14 document runs of DL-HARD (50 topics, grades 0 to 3, of which 2 and 3 count as the higher of two), not seen. TREC 9, 10 and 12, which the paper had, are not at hand.',
  method:
    'Informativeness: from the value of a measure and the number of documents of each grade the ranking of greatest entropy is inferred, and the error is the root mean square difference of inferred and actual precision where actual recall changes; lists with fewer than five documents of a grade are left out, lists are cut at 1,000. A topic is one observation: the mean over systems. Discriminative power: the share of pairs of systems that a bootstrap test tells apart at 0.05.',
  papers: ['robertson2010gap', 'aslam2005entropy', 'sakai2006bootstrap'],
  drawn,
  sources,
  parents: {
    'power of all': runCollections.map((collection) => `scores ${collection}`),
    'power among the best': ['scores TREC-COVID'],
    'power by other choices': runCollections.map((collection) => `scores ${collection}`),
  },
  claims: {
    G1: { sources: ['properties of GAP'], judge: ({ source }) => constructed(source('properties of GAP')) },
    G2: {
      sources: ['the experiment behind GAP'],
      judge: ({ source }) => constructed(source('the experiment behind GAP')),
    },
    G3: {
      sources: ['area under the curve'],
      judge: ({ source }) => {
        const { stepDeviation, ...rest } = source('area under the curve');
        return constructed({ deviations: stepDeviation > 1e-12 ? 1 : 0, stepDeviation, ...rest });
      },
    },
    G4: {
      sources: ['maximum entropy'],
      judge: ({ source }) => ({ numbers: { parts: [{ part: 'all', ...source('maximum entropy') }] }, facts: source('maximum entropy') }),
    },
    G5: {
      sources: ['maximum entropy', ...errorSources],
      judge: ({ source, tests }) => ({
        numbers: {
          parts: holmFamily(
            panels.map(({ collection, target, part }) => {
              const { errors, topics } = source(`errors ${collection}`);
              const sign = target === 'any' ? -1 : 1;
              return {
                part,
                check: isExact(source),
                ...compared(
                  topics.map((_, t) => sign * trend(errors, target, t)),
                  tests,
                ),
              };
            }),
          ),
        },
      }),
    },
    G6: {
      sources: ['maximum entropy', ...errorSources],
      judge: ({ source }) => ({
        numbers: { check: isExact(source), ...bestShare(source, runCollections) },
        facts: Object.fromEntries(runCollections.map((collection) => [collection, bestShare(source, [collection])])),
      }),
    },
    G7: {
      sources: ['maximum entropy', ...errorSources],
      judge: ({ source, tests }) => ({
        numbers: { parts: checkedFamily(source, panelParts(source, panels, ndcg, half, tests)) },
      }),
    },
    G8: {
      sources: ['maximum entropy', ...errorSources],
      judge: ({ source, tests }) => ({
        numbers: {
          parts: checkedFamily(
            source,
            panelParts(
              source,
              panels.filter(({ target }) => target === 'any'),
              'AP',
              half,
              tests,
            ),
          ),
        },
      }),
    },
    G9: { sources: ['maximum entropy', ...errorSources], judge: ({ source, tests }) => judgeDiscounts(source, tests) },
    G10a: {
      sources: ['power of all'],
      judge: ({ source }) => {
        const power = source('power of all');
        return {
          numbers: { intervals: runCollections.map((collection) => power[collection].interval) },
          data: Object.fromEntries(runCollections.map((collection) => [collection, power[collection]])),
          details: runCollections.map((collection) => powerText(collection, power[collection])),
        };
      },
    },
    G10b: {
      sources: ['power among the best'],
      judge: ({ source }) => {
        const { interval, systems, ...rest } = source('power among the best');
        return {
          numbers: { low: interval[0], high: interval[1] },
          facts: { systems },
          data: { interval, ...rest },
          details: [powerText('The top 15 of TREC-COVID', { interval, ...rest })],
        };
      },
    },
  },
  /** What is worked out beside the claims. */
  extra: ['ready matrices', 'power by other choices'],
  exploratory: ({ source }) => [...choicesText(source('power by other choices')), ...matricesText(source('ready matrices'))],
  notRun: [
    'sensitivity analyses of G5 and G7 (depth 100, ten documents of each grade, three grades on DL-HARD) and of G10b (one run per team: which team a run is of is not in the data)',
  ],
};

/** Shares of pairs below 0.05 and areas below 0.15, measure by measure. */
function powerText(title, { topics, pairs, difference, interval, measures }) {
  return [
    `${title}: ${topics} topics, ${pairs} pairs; GAP − nDCG ${fixed(difference, 3)}, 95 % interval ${fixed(interval[0], 3)} to ${fixed(interval[1], 3)}.`,
    table(
      ['measure', 'share of pairs below 0.05', 'area below 0.15'],
      measures.map(({ measure, share, area }) => [`\`${measure}\``, fixed(share, 3), fixed(area)]),
    ),
  ].join('\n\n');
}

/** Figure 2 (errors by share of users) and figure 3 (significance levels of pairs) of the paper, from what there is. */
function drawn({ source }, folder) {
  const tables = runCollections.map((collection) => source(`errors ${collection}`));
  const power = source('power of all');
  const pictures = [];
  if (tables.every((one) => one !== undefined)) {
    const line = (errors, target, text) =>
      shares.map((share) => ({ x: share, y: average(errors[text(share)][target]), error: standardError(errors[text(share)][target]) }));
    pictures.push(
      drawPanels(folder, 'judging-measures-sweep', {
        title: 'Figure 2: error of the precision inferred from a value of GAP or nDCG',
        subtitle: 'By the share of users at grade 1; bars: one standard error over topics; the lower, the more a value says',
        rows: ['any grade', 'highest grade'],
        columns: runCollections,
        lines: ['GAP', 'nDCG, exponential', 'nDCG, linear'],
        xLabel: 'share of users at grade 1',
        yLabel: 'root mean square error',
        panels: targets.map((target) =>
          tables.map(({ errors }) => ({
            GAP: line(errors, target, gapWith),
            'nDCG, exponential': line(errors, target, () => ndcg),
            'nDCG, linear': line(errors, target, () => 'nDCG'),
          })),
        ),
      }),
    );
  }
  const matrices = source('ready matrices');
  if (matrices !== undefined) {
    pictures.push(
      drawIntervals(folder, 'judging-measures-matrices', {
        title: 'Share of pairs of systems told apart at 0.05, ready score matrices',
        subtitle: 'All systems of a track; lines: 95 % intervals over topics',
        xLabel: 'share of pairs',
        rows: matrices.flatMap(({ track, systems, measures }) =>
          measures.map(({ measure, share, interval }) => ({
            label: `${track}, ${measure}`,
            value: share,
            wide: interval,
            words: `${systems} systems`,
          })),
        ),
      }),
    );
  }
  if (power !== undefined) {
    const names = { [half]: 'GAP', [ndcg]: 'nDCG' };
    const curves = ({ measures: list, pairs, difference, interval }) => ({
      ...Object.fromEntries(
        list.slice(0, 2).map(({ measure, levels }) => [names[measure], levels.map(([x, y]) => ({ x: (100 * x) / pairs, y }))]),
      ),
      note: ['below 0.05, GAP − nDCG:', `${fixed(difference, 3)} (${interval.map((bound) => fixed(bound, 3)).join(' to ')})`],
    });
    const best = source('power among the best');
    const known = [
      ...runCollections.map((collection) => [collection, power[collection]]),
      ...(best === undefined ? [] : [['top 15 of TREC-COVID', best]]),
    ];
    pictures.push(
      drawPanels(folder, 'judging-measures-levels', {
        title: 'Figure 3: significance levels of pairs of systems, in falling order',
        subtitle:
          'The further left a line comes down, the more pairs its measure tells apart; dotted: 0.05; in brackets: 95 % intervals over topics',
        rows: [''],
        columns: known.map(([name]) => name),
        lines: Object.values(names),
        xLabel: 'percent of pairs',
        yLabel: 'significance level',
        yTop: 0.15,
        level: 0.05,
        panels: [known.map(([, one]) => curves(one))],
      }),
    );
  }
  return { pictures };
}

const standardError = (list) => {
  const mean = average(list);
  return Math.sqrt(list.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (list.length - 1) / list.length);
};
const average = (list) => list.reduce((sum, value) => sum + value, 0) / list.length;

/** A claim that follows from definitions: only deviations count. */
function constructed({ deviations, ...facts }) {
  return { numbers: { deviations }, facts };
}

function checkedFamily(source, parts) {
  return holmFamily(parts).map((part) => ({ ...part, check: isExact(source) }));
}

function judgeDiscounts(source, tests) {
  const family = holmFamily(
    Object.entries(discounted).flatMap(([gain, { log, rank }]) =>
      panelParts(source, panels, rank, log, tests).map((part) => ({ ...part, part: `(a) ${part.part}, ${gain} gain` })),
    ),
  );
  const gains = panelParts(source, panels, discounted.exp.log, discounted.linear.log, tests).map((part) => ({
    ...part,
    part: `(b) ${part.part}, exp - linear`,
  }));
  const verdictsOf = (list) => list.map((part) => partRules.std(part, 0.005));
  return {
    numbers: { check: isExact(source), discounts: [verdictsOf(family.slice(0, 4)), verdictsOf(family.slice(4))], gains },
    shown: [...family, ...gains],
  };
}

/** The share of users at grade 1 with the least error relative to the least of each target, averaged over targets and collections, with
 *  its interval over samples of topics; and what 0.5 costs against it. */
function bestShare(source, collections) {
  const tables = collections.map((collection) => source(`errors ${collection}`));
  const known = shares.filter((share) => tables.every(({ errors }) => errors[gapWith(share)] !== undefined));
  const criterion = (samples) =>
    known.map((share) => {
      let sum = 0;
      for (const [c, { errors }] of tables.entries()) {
        for (const target of targets) {
          const meanAt = (one) => samples[c].reduce((total, t) => total + errors[gapWith(one)][target][t], 0);
          sum += meanAt(share) / Math.min(...known.map(meanAt));
        }
      }
      return sum / (tables.length * targets.length);
    });
  const bestOf = (values) => known[values.indexOf(Math.min(...values))];
  const regretOf = (values) => values[known.indexOf(0.5)] / Math.min(...values) - 1;
  const real = criterion(tables.map(({ topics }) => topics.map((_, t) => t)));
  const random = seededRandom(7301);
  const drawn = Array.from({ length: 2000 }, () => criterion(tables.map(({ topics }) => topics.map(() => random.below(topics.length)))));
  const sorted = (list) => list.sort((a, b) => a - b);
  const best = sorted(drawn.map(bestOf));
  const regrets = sorted(drawn.map(regretOf));
  return {
    best: bestOf(real),
    low: best[49],
    high: best[1949],
    regret: regretOf(real),
    regretHigh: regrets[1949],
  };
}
