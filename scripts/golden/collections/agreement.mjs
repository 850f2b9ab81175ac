/** Agreement of judges. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isMissing, orNull } from './tally.mjs';

const schemes = ['identity', 'linear', 'quadratic', 'ordinal'];
const levels = ['nominal', 'ordinal', 'interval', 'ratio'];

export async function small(golden, { tally, judging, data }) {
  for (const [name, entry] of Object.entries(golden.cases)) {
    tally.place = `agreement-small, ${name}`;
    checkTable(entry, tally, judging);
  }
  for (const [name, entry] of Object.entries(golden.llmjudge_several_judges ?? {})) {
    tally.place = `agreement-small, ${name}`;
    const folder = data.archive('llmjudge-labels.tar.xz');
    const judges = [];
    for (const judge of entry.judges) judges.push({ name: judge, judgements: await data.judgements(join(folder, `${judge}.qrels`)) });
    const coded = judging.codedRatings(judging.ratingsOf(judges));
    for (const level of levels)
      if (level in entry.alpha) tally.near(`alpha ${level}`, judging.krippendorffAlpha(coded, level), entry.alpha[level]);
    if ('fleiss' in entry) tally.near('fleiss', judging.chanceCorrected(coded, 'fleiss').value, entry.fleiss);
    for (const [key, value] of Object.entries(entry)) {
      const weights = gwetWeights(key);
      if (weights !== undefined) tally.near(key, judging.chanceCorrected(coded, 'gwet', { weights }).value, value);
    }
  }
  for (const [source, entries] of Object.entries(golden)) {
    if (!source.startsWith('irr ')) continue;
    for (const [name, entry] of Object.entries(entries)) checkIrr(source, name, entry, golden.cases, tally, judging);
  }
}

function gwetWeights(key) {
  if (key === 'ac1') return 'identity';
  return /^ac2_(linear|quadratic|ordinal)$/.exec(key)?.[1];
}

function checkTable(entry, tally, judging) {
  const coded = judging.codedRatings(judging.ratingsTable(entry.ratings));
  for (const [level, value] of Object.entries(entry.alpha ?? {})) {
    tally.near(
      `alpha ${level}`,
      orNull(() => judging.krippendorffAlpha(coded, level)),
      value,
    );
  }
  for (const [of, model] of [
    ['gwet', 'gwet'],
    ['fleiss_irrcac', 'fleiss'],
  ]) {
    for (const [weights, expected] of Object.entries(entry[of] ?? {})) {
      checkCoefficient(`${of} ${weights}`, judging.chanceCorrected(coded, model, { weights }), expected, tally);
    }
  }
  for (const [weights, expected] of Object.entries(entry.alpha_irrcac ?? {})) {
    const found = judging.weightedAlpha(coded, judging.agreementWeights(coded.categories, weights));
    checkCoefficient(`alpha with weights ${weights}`, found ?? { value: null }, expected, tally);
  }
  if (entry.fleiss !== undefined) {
    tally.near('fleiss', judging.chanceCorrected(coded, 'fleiss').value, entry.fleiss.fleiss);
    tally.near('randolph', judging.chanceCorrected(coded, 'uniform').value, entry.fleiss.randolph);
    checkCounts(coded, entry.fleiss.table, tally);
  }
}

function checkCounts(coded, table, tally) {
  const units = coded.topicOf.length;
  const counts = Array.from({ length: units }, (_, u) => {
    const row = new Array(coded.categories.length).fill(0);
    for (let j = 0; j < coded.numJudges; j++) if (coded.codes[j * units + u] >= 0) row[coded.codes[j * units + u]]++;
    return row;
  });
  tally.same('table of counts', counts, table);
}

function checkCoefficient(what, found, expected, tally) {
  if (isMissing(expected) || isMissing(expected.value)) return tally.near(what, found.value, null);
  tally.near(what, found.value, expected.value);
  if (!isMissing(expected.se)) tally.near(`${what}, standard error`, found.standardError, expected.se);
  if (!isMissing(expected.pa)) tally.near(`${what}, observed`, found.observed, expected.pa);
  if (!isMissing(expected.pe)) tally.near(`${what}, expected`, found.expected, expected.pe);
  if (!isMissing(expected.ci?.[0])) {
    tally.near(`${what}, lower limit`, found.interval?.low, expected.ci[0]);
    tally.near(`${what}, upper limit`, found.interval?.high, expected.ci[1]);
  }
}

function checkIrr(source, name, entry, cases, tally, judging) {
  const [, of, kind] = /^(.*) (kappa2|kappam\.fleiss|kripp\.alpha)$/.exec(name) ?? [];
  tally.place = `agreement-small, ${source}, ${name}`;
  if (cases[of] === undefined) return tally.holds('the table it names', false, of);
  const coded = judging.codedRatings(judging.ratingsTable(cases[of].ratings));
  if (kind === 'kripp.alpha') {
    for (const [level, value] of Object.entries(entry)) tally.near(level, judging.krippendorffAlpha(coded, level), value);
  } else if (kind === 'kappam.fleiss') {
    const test = judging.fleissTest(coded);
    tally.near('value', test.value, entry.value);
    tally.near('z', test.z, entry.z);
    for (const [grade, value] of Object.entries(entry.by_grade ?? {})) {
      const is = judging.codedRatings(
        judging.ratingsTable(cases[of].ratings.map((row) => row.map((g) => (g === null ? g : g === Number(grade) ? 1 : 0)))),
      );
      tally.near(`grade ${grade}`, judging.chanceCorrected(is, 'fleiss').value, value, 5.1e-4);
    }
  } else {
    for (const [weights, { value, z }] of Object.entries(entry)) {
      const scheme = { unweighted: 'identity', equal: 'linear', squared: 'quadratic' }[weights];
      const found = judging.weightedKappa(judging.confusionMatrix(coded), judging.agreementWeights(coded.categories, scheme, 'position'));
      tally.near(weights, found.value, value);
      tally.near(`${weights}, z`, found.value / found.standardErrorAtZero, z);
    }
  }
}

export async function llmjudge(golden, { tally, judging, data }) {
  const folder = data.archive('llmjudge-labels.tar.xz');
  const labels = new Map();
  for (const file of readdirSync(folder)) labels.set(file.replace(/\.qrels$/, ''), await data.judgements(join(folder, file)));
  const human = labels.get('human');
  const pairOf = (name) =>
    judging.ratingsOf([
      { name: 'human', judgements: human },
      { name, judgements: labels.get(name) },
    ]);
  const [lowest, highest] = [Math.min(...human.grades), Math.max(...human.grades)];
  for (const [name, entry] of Object.entries(golden.files)) {
    tally.place = `agreement-llmjudge, ${name}`;
    if (!labels.has(name)) tally.holds('its labels are there', false, name);
    else checkFile(pairOf(name), entry, { lowest, highest }, tally, judging);
  }
  for (const [name, expected] of Object.entries(golden.bootstrap_by_topic?.files ?? {})) {
    tally.place = `agreement-llmjudge, intervals of ${name}`;
    const found = judging.pairAgreement(pairOf(name), { resamples: 20_000 });
    const of = { kappa: found.kappa, kappa_quadratic: found.weightedKappa, alpha_ordinal: found.alpha };
    for (const [key, { se, percentile95 }] of Object.entries(expected)) {
      tally.near(`${key}, standard error`, of[key].standardError, se, 0.03 * se);
      tally.nearAll(`${key}, limits`, [of[key].interval.low, of[key].interval.high], percentile95, 0.005);
    }
  }
  for (const [name, expected] of Object.entries(golden.out_of_scale ?? {})) {
    tally.place = `agreement-llmjudge, grades of ${name} outside the scale`;
    checkOutside(pairOf(name), expected, { lowest, highest }, tally, judging);
  }
}

function checkOutside(ratings, expected, { lowest, highest }, tally, judging) {
  const units = ratings.docs.length;
  const outside = [];
  for (let u = 0; u < units; u++) {
    const grade = ratings.grades[units + u];
    if (grade < lowest || grade > highest) outside.push([ratings.topics[ratings.topicOf[u]], ratings.docs[u], grade]);
  }
  tally.same('pairs', outside.sort(), [...expected.pairs].sort());
  for (const [what, values] of Object.entries(expected)) {
    if (what === 'pairs') continue;
    const top = Number(/^clipped_to_(.*)$/.exec(what)?.[1] ?? highest);
    const held =
      what === 'as_is'
        ? ratings
        : judging.onScale(ratings, { lowest, highest: top, outside: what === 'pairs_dropped' ? 'drop' : 'clip' }).ratings;
    const found = valuesOf(held, judging);
    for (const [key, value] of Object.entries(values)) tally.near(`${what}, ${key}`, found[key], value, 5.1e-5);
  }
}

function valuesOf(ratings, judging) {
  // a label that was dropped leaves the pair with one grade, which does not count
  const coded = judging.codedRatings(ratings);
  const confusion = judging.confusionMatrix(coded);
  const { value } = judging.weightedKappa(confusion, judging.agreementWeights(coded.categories, 'identity'));
  return { kappa: value, alpha_ordinal: judging.krippendorffAlpha(coded, 'ordinal') };
}

function checkFile(ratings, entry, scale, tally, judging) {
  const coded = judging.codedRatings(ratings);
  const q = coded.categories.length;
  const confusion = judging.confusionMatrix(coded);
  const bias = judging.judgeBias(ratings);
  tally.same('n', bias.pairs, entry.n);
  if ('categories' in entry) tally.same('categories', [...coded.categories], entry.categories);
  if ('grades' in entry) {
    const units = ratings.docs.length;
    tally.same(
      'grades',
      [...new Set(ratings.grades.subarray(units))].filter((g) => !Number.isNaN(g)).sort((a, b) => a - b),
      entry.grades,
    );
  }
  tally.same(
    'confusion',
    Array.from({ length: q }, (_, k) => [...confusion.subarray(k * q, k * q + q)]),
    entry.confusion,
  );
  const identity = judging.agreementWeights(coded.categories, 'identity');
  const kappas = (weights, distance) => judging.weightedKappa(confusion, judging.agreementWeights(coded.categories, weights, distance));
  const kappa = judging.weightedKappa(confusion, identity);
  const byTopic = judging.agreementByTopic(ratings);
  const known = {
    agreement: () => kappa.observed,
    kappa: () => kappa.value,
    kappa_se: () => kappa.standardError,
    kappa_se0: () => kappa.standardErrorAtZero,
    mean_shift: () => bias.shift,
    mean_topic_kappa: () => byTopic.meanKappa,
  };
  for (const weights of schemes.slice(1)) {
    known[`kappa_${weights}`] = () => kappas(weights).value;
    known[`kappa_${weights}_se`] = () => kappas(weights).standardError;
    known[`kappa_${weights}_se0`] = () => kappas(weights).standardErrorAtZero;
    known[`kappa_${weights}_by_position`] = () => kappas(weights, 'position').value;
  }
  for (const level of levels) known[`alpha_${level}`] = () => judging.krippendorffAlpha(coded, level);
  for (const [key, expected] of Object.entries(entry)) {
    if (key in known) tally.near(key, known[key](), expected);
    else if (key.startsWith('ac')) checkGwet(key, expected, coded, tally, judging);
    else if (key.startsWith('binary')) {
      const found = judging.binaryAgreement(ratings, Number(key.slice('binary'.length)));
      for (const [of, value] of Object.entries(expected)) tally.near(`${key} ${of}`, found[of], value);
    }
  }
  if ('mean_by_grade' in entry) {
    tally.nearAll(
      'mean_by_grade',
      bias.byGrade.filter(({ pairs }) => pairs > 0).map(({ meanGrade }) => meanGrade),
      entry.mean_by_grade,
    );
  }
  for (const [topic, value] of Object.entries(entry.per_topic_kappa ?? {})) {
    tally.near(`kappa of ${topic}`, byTopic.topics.find((own) => own.topic === topic)?.kappa, value);
  }
  if ('paper' in entry) {
    // the paper moved grades outside the scale to its ends
    const found = valuesOf(judging.onScale(ratings, { ...scale, outside: 'clip' }).ratings, judging);
    tally.near('published kappa', found.kappa, entry.paper.kappa, 3e-4);
    tally.near('published alpha', found.alpha_ordinal, entry.paper.alpha, 3e-4);
  }
}

function checkGwet(key, expected, coded, tally, judging) {
  const [, of, what] = /^(ac1|ac2_[a-z]+?)(?:_(se|ci))?$/.exec(key) ?? [];
  const weights = of === undefined ? undefined : gwetWeights(of);
  if (weights === undefined) return;
  const found = judging.chanceCorrected(coded, 'gwet', { weights });
  if (what === 'ci') tally.nearAll(key, [found.interval.low, found.interval.high], expected);
  else tally.near(key, what === 'se' ? found.standardError : found.value, expected);
}
