/** What other judgements do to conclusions, and scores corrected by a sample of human judgements. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { gradesOf } from './data.mjs';

/** FNV-1a, 32 bits, of the bytes of a text. */
export function fnv1a(text) {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash;
}

/** TREC-COVID round 1: judgements, and its runs in order of file name. */
export async function trecCovid({ data, product }) {
  if (data.covid === undefined) {
    const qrels = await data.judgements(data.find(join('trec-covid-round1', 'qrels.txt')));
    const unpacked = data.archive(join('trec-covid-round1', 'runs.tar.xz'));
    const folder = existsSync(join(unpacked, 'runs')) ? join(unpacked, 'runs') : unpacked;
    const files = readdirSync(folder).sort();
    const runs = [];
    for (const file of files) runs.push({ name: file, run: await data.run(join(folder, file)) });
    data.covid = {
      qrels,
      runs,
      lists: runs.map(({ run }) => product.judging.documentLists(run, { scorePrecision: 'float32', depth: 1000 })),
    };
  }
  return data.covid;
}

function changedGrade(topic, doc, grade, { z, a, b, c, d }) {
  const u = fnv1a(`${topic} ${doc}`) % 1000;
  if (grade === 0) return u < z ? 1 : 0;
  if (grade === 1) return u < a ? 0 : u < a + b ? 2 : 1;
  if (grade === 2) return u < c ? 1 : u < c + d ? 0 : 2;
  return grade;
}

export async function twoSets(golden, tools) {
  const { tally, judging, product } = tools;
  for (const [text, value] of Object.entries(golden.fnv_check ?? {})) {
    tally.place = 'two-judgement-sets, FNV-1a';
    tally.same(text, fnv1a(JSON.parse(text)), value);
  }
  const { qrels, runs } = await trecCovid(tools);
  const first = gradesOf(qrels);
  const systems = runs.map(({ name }) => name);
  const second = new Map();
  for (const [rule, thresholds] of Object.entries(golden.rules)) {
    const changed = new Map(
      [...first].map(([t, docs]) => [t, new Map([...docs].map(([doc, g]) => [doc, changedGrade(t, doc, g, thresholds)]))]),
    );
    second.set(rule, changed);
  }
  for (const [name, entry] of Object.entries(golden.cases)) {
    tally.place = `two-judgement-sets, ${name}`;
    const [rule, measure] = [name.slice(0, name.indexOf(' ')), name.slice(name.indexOf(' ') + 1)];
    const scoresUnder = (grades) =>
      runs.map(({ run }) => product.evaluateUnder(product.findConvention('pytrec_eval'), grades, run, [measure]));
    const topics = [...first.keys()];
    const columns = (tables) =>
      tables.map((table) => Float64Array.from(topics, (topic) => (table.topics.includes(topic) ? table.value(topic, 0) : 0)));
    const found = judging.conclusionsUnder({ systems, first: columns(scoresUnder(first)), second: columns(scoresUnder(second.get(rule))) });
    checkConclusions(found, entry, tally);
    const ratings = judging.ratingsOf([
      { name: 'first', judgements: first },
      { name: 'second', judgements: second.get(rule) },
    ]);
    tally.near('kappa', judging.pairAgreement(ratings, { interval: 'formula' }).kappa.value, entry.kappa);
    for (const [grade, count] of Object.entries(entry.grades ?? {})) {
      let seen = 0;
      for (const docs of second.get(rule).values()) for (const g of docs.values()) if (g === Number(grade)) seen++;
      tally.same(`grade ${grade}`, seen, count);
    }
  }
}

function checkConclusions(found, entry, tally) {
  tally.near('tau-b', found.tau, entry.tau_b);
  tally.near('Pearson', found.pearson, entry.pearson);
  tally.near('RMSE', found.rmse, entry.rmse);
  tally.near('shift', found.shift, entry.mean_shift);
  tally.same('ties under the first', found.tiedFirst, entry.ties_first);
  tally.same('ties under the second', found.tiedSecond, entry.ties_second);
  tally.same('best under the first', found.bestFirst, entry.best_first);
  tally.same('best under the second', found.bestSecond, entry.best_second);
  tally.same('distinct systems', found.distinct.systems, entry.distinct_systems);
  tally.same('left out as tied', found.distinct.leftOut, entry.left_out_as_tied);
  tally.near('tau AP of distinct systems', found.distinct.tauAp, entry.tau_ap_distinct_first_is_truth);
  tally.near('tau of distinct systems', found.distinct.tau, entry.tau_distinct);
  const counts = {
    pairs: found.pairs,
    neither: found.neither,
    'both significant, same direction': found.sameDirection,
    'both significant, reversed': found.reversed.length,
    swapped: found.swapped,
    'lost: significant by first only': found.lost,
    'gained: significant by second only': found.gained,
  };
  // a p-value beside 0.05 may fall on either side
  for (const [key, count] of Object.entries(entry.counts))
    tally.near(key, counts[key], count, key === 'pairs' || key === 'swapped' ? 0 : 2);
  for (const [system, means] of Object.entries(entry.some_means ?? {})) {
    const own = found.systems.find((one) => one.system === system);
    tally.nearAll(`means of ${system}`, [own?.firstMean, own?.secondMean], means);
  }
}

export function corrected(golden, { tally, judging }) {
  for (const [name, entry] of Object.entries(golden.cases)) {
    tally.place = `ppi, ${name}`;
    const sample = { human: entry.human, judged: entry.judge_on_human_sample, judgedElsewhere: entry.judge_elsewhere, quantile: 'normal' };
    for (const [method, lambda] of [
      ['classical', 0],
      ['ppi', 1],
      ['ppi++', 'tuned'],
    ]) {
      const expected = entry[method];
      if (expected === undefined) continue;
      const found = judging.predictionPoweredMean({ ...sample, lambda });
      // where the package has no number, ours is the interval of people alone
      const wanted = expected.estimate === null ? { ...entry.classical, lambda: 0 } : expected;
      tally.near(`${method}, lambda`, found.lambda, wanted.lambda);
      tally.near(`${method}, estimate`, found.estimate, wanted.estimate);
      tally.near(`${method}, standard error`, found.standardError, wanted.se);
      tally.nearAll(`${method}, interval`, [found.interval.low, found.interval.high], wanted.ci95);
    }
  }
}

export function labels(golden, { tally, judging }) {
  for (const [i, entry] of golden.cases.entries()) {
    tally.place = `labels-needed, case ${i + 1}`;
    const plan = { standardDeviation: entry.sd, correlation: entry.correlation, judgeItems: entry.judge_only };
    const found = judging.labelsNeeded(plan, entry.half_width);
    tally.same('human labels', found.humanItems, entry.human_labels);
    tally.same('without the judge', found.withoutJudge, entry.classical);
    tally.near('effective sample', found.effectiveItems, entry.effective_sample_at_that);
  }
}
