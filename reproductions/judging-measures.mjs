// What measures tell apart and what they tell of a ranking: informativeness and discriminative power on graded runs.
//
//   npm run build && node reproductions/judging-measures.mjs DATA
//
// DATA holds trec-covid-round1/qrels.txt and runs.tar.xz. An interrupted run goes on where it was; --fresh begins anew.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seededRandom } from '../dist/core/numbers/random.js';
import { joinSystems } from '../dist/core/score-table.js';
import { parseTrecQrels } from '../dist/formats/trec/qrels.js';
import { parseTrecRun } from '../dist/formats/trec/run.js';
import { evaluator } from '../dist/measures/evaluate.js';
import { parseMeasure } from '../dist/measures/index.js';
import { discriminativePower, forEachList, inferList, informativeness } from '../dist/meta/index.js';
import { experimentArguments, fixed, paired, picture, pText, Steps, table, writePage } from './src/study.mjs';

const args = experimentArguments('judging-measures', 'DATA');
const { small, out } = args;
const { qrels, runs, hash } = small ? madeUpRuns() : realRuns(join(args.data, 'trec-covid-round1'));
const informed = ['nDCG', "nDCG(gain='exp')", 'AP', 'AP(rel=2)', 'GAP(g=[0.5,0.5])', 'RBP(p=0.8)', 'P@10'];
const sharesAtOne = Array.from({ length: 11 }, (_, i) => i / 10);
const telling = ['AP', 'AP(rel=2)', 'GAP(g=[0.5,0.5])', 'nDCG', 'nDCG@10', "nDCG(gain='exp')@10", 'RBP(p=0.8)', 'P@10', 'RR', 'Bpref'];
const resamples = small ? 200 : 1000;
const depth = small ? 30 : 1000;
const measures = informed.map((text) => parseMeasure(text));
// at the ends of the sweep all users agree, and GAP is AP
const sweep = sharesAtOne.map((share) =>
  parseMeasure(share === 0 ? 'AP(rel=2)' : share === 1 ? 'AP' : `GAP(g=[${share},${(1 - share).toFixed(1)}])`),
);
const asked = [...new Map([...measures, ...sweep].map((measure) => [measure.text, measure])).values()];

const steps = new Steps(args, `${hash} ${resamples} ${depth} ${asked.map(({ text }) => text).join(' ')}`);
const told = await steps.all(
  runs.map((run) => ({
    key: `informativeness ${run.name}`,
    compute: () => {
      const { perList: lists, leftOut: without } = informativeness(qrels, [run], asked, { depth });
      return {
        lists: lists.map(({ topic, measure, error, solution: { residuals, isMet } }) => ({
          topic,
          measure,
          error,
          residual: Math.max(residuals.value, residuals.counts),
          isMet,
        })),
        leftOut: without,
      };
    },
  })),
);
const perList = told.flatMap(({ lists }) => lists);
const leftOut = told.reduce((sum, { leftOut: without }) => sum + without, 0);
const meanError = (measure, relevance) => {
  const own = perList.filter((list) => list.measure === measure.text && list.isMet);
  return own.reduce((sum, { error }) => sum + error[relevance], 0) / own.length;
};
const errors = measures.map((measure) => ({
  measure: measure.text,
  any: meanError(measure, 'any'),
  highest: meanError(measure, 'highest'),
}));
const swept = sweep.map((measure, i) => ({
  share: sharesAtOne[i],
  any: meanError(measure, 'any'),
  highest: meanError(measure, 'highest'),
}));
const unmet = perList.filter(({ isMet }) => !isMet).length;
const residual = perList.filter(({ isMet }) => isMet).reduce((most, list) => Math.max(most, list.residual), 0);

const evaluating = evaluator(
  qrels,
  telling.map((text) => parseMeasure(text)),
);
const scores = joinSystems(runs.map((run) => evaluating.evaluate(run)));
const best = small ? 4 : 15;
const power = discriminativePower(scores, { seed: 1, resamples });
const amongBest = discriminativePower(scores, { seed: 1, resamples, top: best });
const ranked = power.measures.toSorted((a, b) => b.share - a.share);
const shareAmongBest = (name) => amongBest.measures.find(({ measure }) => measure === name).share;

const lowest = (relevance) => swept.reduce((least, point) => (point[relevance] < least[relevance] ? point : least));
const [nameOfGap, ...rivals] = ['GAP(g=[0.5,0.5])', 'nDCG', 'AP'];
/** Errors of a measure, the mean over systems of each topic: topics, not lists, are what was drawn by chance. */
const byTopic = (name, relevance) =>
  topics.map((topic) => {
    const own = perList.filter((list) => list.topic === topic && list.measure === name && list.isMet);
    return own.reduce((sum, { error }) => sum + error[relevance], 0) / own.length;
  });
const topics = [...new Set(perList.map(({ topic }) => topic))].sort();
const comparisons = rivals.flatMap((rival) =>
  ['any', 'highest'].map((relevance) => ({ rival, relevance, ...paired(byTopic(nameOfGap, relevance), byTopic(rival, relevance)) })),
);
const verdictOf = (holds, fails) => (holds ? 'confirmed' : fails ? 'refuted' : 'undecided');
const claimOne = verdictOf(
  comparisons.every(({ difference, p }) => difference < 0 && p < 0.05),
  comparisons.some(({ difference, p }) => difference > 0 && p < 0.05) &&
    !comparisons.some(({ difference, p }) => difference < 0 && p < 0.05),
);
const leads = [power, amongBest].flatMap(({ measures: of }) => {
  const share = (name) => of.find(({ measure }) => measure === name).share;
  return rivals.map((rival) => share(nameOfGap) - share(rival));
});
const claimTwo = verdictOf(
  leads.every((lead) => lead > 0),
  leads.every((lead) => lead < 0),
);

const curve = ({ levels }) => Array.from(levels, (y, i) => ({ x: i + 1, y }));
const pictures = [
  picture(out, 'judging-measures-sweep', {
    title: 'Error of inferred precision by graded average precision',
    xLabel: 'share of users at grade 1',
    yLabel: 'root mean square error',
    series: [
      { name: 'any grade', points: swept.map(({ share, any }) => ({ x: share, y: any })) },
      { name: 'highest grade', points: swept.map(({ share, highest }) => ({ x: share, y: highest })) },
    ],
    xDomain: [0, 1],
    dots: true,
  }),
  ...[
    ['levels', 'Achieved significance levels of all pairs', [0, 1]],
    ['levels-zoomed', 'The same, up to 0.15', [0, 0.15]],
  ].map(([name, title, yDomain]) =>
    picture(out, `judging-measures-${name}`, {
      title,
      xLabel: 'pair of systems',
      yLabel: 'achieved significance level',
      series: ranked.map((measure) => ({ name: measure.measure, points: curve(measure) })),
      xDomain: [0, power.pairs],
      yDomain,
    }),
  ),
  picture(out, 'judging-measures-curves', exampleCurves()),
];

/** One list, as each measure's value lets infer it. */
function exampleCurves() {
  let example;
  forEachList(qrels, runs, { depth }, (list) => {
    if (list !== undefined && example === undefined) example = list;
  });
  const points = (of) => of.map(({ recall, precision }) => ({ x: recall, y: precision }));
  const inferred = measures.map((measure) => ({ name: measure.text, curve: inferList(example, measure).curves.any }));
  return {
    title: `Actual and inferred precision, ${example.system}, topic ${example.topic}`,
    xLabel: 'recall',
    yLabel: 'precision',
    series: [
      { name: 'actual', points: points(inferred[0].curve.actual) },
      ...inferred.map(({ name, curve: of }) => ({ name, points: points(of.inferred) })),
    ],
    xDomain: [0, 1],
    yDomain: [0, 1],
  };
}

const withoutLevels = (result) => ({ ...result, measures: result.measures.map(({ levels, pairLevels, ...rest }) => rest) });
const lists = perList.length / asked.length;
writePage(out, 'judging-measures', {
  title: 'Judging the measures: what they tell of a ranking, and what they tell apart',
  command: args.command,
  hash,
  results: {
    hash,
    lists,
    leftOut,
    unmet,
    residual,
    errors,
    sweep: swept,
    comparisons,
    power: withoutLevels(power),
    amongBest: withoutLevels(amongBest),
    verdicts: { informativeness: claimOne, power: claimTwo },
  },
  paragraphs: [
    `${small ? 'Made-up runs' : 'The 143 runs of the first round of TREC-COVID, judged with grades 0, 1 and 2'}. Robertson, Kanoulas and Yilmaz (SIGIR 2010, [10.1145/1835449.1835550](https://doi.org/10.1145/1835449.1835550)) found that graded average precision tells more of a ranking than nDCG and AP, and tells more systems apart.`,
    '## What a value tells of the ranking',
    `From the value of a measure and the number of documents of each grade, the most random ranking is inferred; the table has the root mean square error of its precision where actual recall changes, the mean over ${lists} lists of ${runs.length} systems (the first ${depth} documents; ${leftOut} lists with fewer than 5 documents of some grade left out; ${unmet === 0 ? 'every problem was solved to 1e-8, and the largest residual is' : `${unmet} problems were not solved to 1e-8; the largest residual of the others is`} ${residual.toExponential(1)}). That GAP with equal shares tells more than nDCG and AP is **${claimOne}**: ${comparisons.map(({ rival, relevance, difference, p }) => `${difference < 0 ? '' : '+'}${difference.toFixed(4)} against ${rival} for ${relevance === 'any' ? 'any grade' : 'the highest'} (p ${p < 0.0001 ? pText(p) : `= ${pText(p)}`})`).join(', ')}, paired t-tests over topics, lower is better. In the sweep it is best at a share of ${lowest('any').share} for any grade and ${lowest('highest').share} for the highest.`,
    table(
      ['measure', 'any grade', 'highest grade'],
      errors.toSorted((a, b) => a.any - b.any).map(({ measure, any, highest }) => [`\`${measure}\``, fixed(any), fixed(highest)]),
    ),
    pictures[0],
    pictures[3],
    '## What a measure tells apart',
    `${power.pairs} pairs of ${runs.length} systems, ${power.topics} topics; ${power.method}, ${power.resamples} samples, seed ${power.seed}. That GAP tells more pairs apart than AP and nDCG, among all systems and among the best ${best} by each measure, is **${claimTwo}**.`,
    table(
      ['measure', 'share significant at 0.05', 'difference needed', `share among the best ${best}`],
      ranked.map(({ measure, share, differenceNeeded }) => [
        `\`${measure}\``,
        fixed(share),
        fixed(differenceNeeded),
        fixed(shareAmongBest(measure)),
      ]),
    ),
    pictures[1],
    pictures[2],
  ],
});

function realRuns(folder) {
  const judgements = readFileSync(join(folder, 'qrels.txt'));
  const packed = readFileSync(join(folder, 'runs.tar.xz'));
  const scratch = mkdtempSync(join(tmpdir(), 'gradus-experiment-'));
  try {
    execFileSync('tar', ['-xJf', join(folder, 'runs.tar.xz'), '-C', scratch]);
    const place = join(scratch, 'round1', 'runs');
    const names = readdirSync(place).sort();
    return {
      qrels: parseTrecQrels(judgements).qrels,
      runs: names.map((name) => ({ ...parseTrecRun(readFileSync(join(place, name)), { lenient: true }).run, name })),
      hash: createHash('sha256').update(judgements).update(packed).digest('hex'),
    };
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

/** Six systems of different quality, twelve topics, three grades. */
function madeUpRuns() {
  const random = seededRandom(13);
  let judgements = '';
  const texts = Array.from({ length: 6 }, () => '');
  for (let topic = 1; topic <= 12; topic++) {
    for (let d = 0; d < 60; d++) {
      const quality = random.float();
      const grade = quality > 0.85 ? 2 : quality > 0.65 ? 1 : 0;
      judgements += `${topic} 0 d${d} ${grade}\n`;
      for (const s of texts.keys()) texts[s] += `${topic} Q0 d${d} 0 ${(quality + (0.3 + 0.15 * s) * random.normal()).toFixed(6)} s${s}\n`;
    }
  }
  const hash = createHash('sha256').update(judgements);
  for (const text of texts) hash.update(text);
  return {
    qrels: parseTrecQrels(judgements).qrels,
    runs: texts.map((text, s) => ({ ...parseTrecRun(text).run, name: `s${s}` })),
    hash: hash.digest('hex'),
  };
}
