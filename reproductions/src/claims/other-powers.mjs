// Discriminative power beside the registered claims: other choices of the best systems, and matrices of scores without judgements.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sharesByChoice, shareWithInterval } from '../power.mjs';
import { fixed, table } from '../study.mjs';

const tracks = {
  'TREC-6, ad hoc': { AP: 'adhoc6_ap', 'P@10': 'adhoc6_p10', RR: 'adhoc6_rr' },
  'TREC-7, ad hoc': { AP: 'adhoc7_ap', 'P@10': 'adhoc7_p10', RR: 'adhoc7_rr' },
  'TREC-8, ad hoc': { AP: 'adhoc8_ap', 'P@10': 'adhoc8_p10', RR: 'adhoc8_rr' },
  'Web track 2010': { 'nDCG@20': 'web2010_ndcg20', 'ERR@20': 'web2010_err20' },
  'Web track 2011': { 'nDCG@20': 'web2011_ndcg20', 'ERR@20': 'web2011_err20' },
};

/** Discriminative power on ready matrices of topics and systems, for which judgements are not needed: of all systems, and of the 15 that
 *  are best by all measures of a track together. */
export function powerOfMatrices({ data }) {
  const columnsOf = (name) => {
    const rows = readFileSync(join(data, 'score-matrices', `${name}.csv`), 'utf8')
      .trim()
      .split(/\r?\n/)
      .slice(1)
      .map((line) => line.split(',').map(Number));
    return rows[0].map((_, s) => rows.map((row) => row[s]));
  };
  return Object.entries(tracks).map(([track, files]) => {
    const values = Object.fromEntries(Object.entries(files).map(([measure, name]) => [measure, columnsOf(name)]));
    const measures = Object.keys(values);
    const [columns] = Object.values(values);
    const scores = { systems: columns.map((_, s) => s), topics: columns[0].map((_, t) => t), values };
    const [{ shares: best }] = sharesByChoice(scores, [{ choice: 'best', measures, top: 15 }], { samples: 1000, seed: 7303 });
    return {
      track,
      topics: scores.topics.length,
      systems: scores.systems.length,
      measures: measures.map((measure, m) => ({
        measure,
        ...shareWithInterval(values[measure], { samples: 1000, outer: 200, seed: 7303 }),
        amongTheBest: best[m],
      })),
    };
  });
}

/** Other choices of the best systems, and another gain: what the registry wants beside G10b. */
export function otherChoices(args, source, { gap, ndcg, linear }) {
  const options = { samples: args.small || args.quick ? 200 : 10_000, seed: 7303 };
  const onCovid = [
    ...[10, 20, 30].map((top) => ({ choice: `top ${top} by both`, measures: [gap, ndcg], top })),
    { choice: 'top 15 by each measure itself', measures: [gap, ndcg], top: 15, isOwn: true },
    { choice: 'top 15 by both, linear gain', measures: [gap, linear], top: 15 },
    { choice: 'top 15 by each measure itself, linear gain', measures: [gap, linear], top: 15, isOwn: true },
  ];
  return {
    'TREC-COVID': sharesByChoice(source('scores TREC-COVID'), onCovid, options),
    'DL-HARD': sharesByChoice(source('scores DL-HARD'), [{ choice: 'all 14', measures: [gap, ndcg], top: 14 }], options),
  };
}

/** Shares of pairs below 0.05 under other choices of systems, for the page. */
export function choicesText(found) {
  if (found === undefined) return [];
  return [
    '## Other choices of the best systems',
    '*Sensitivity of G10b, no verdict.* The share of pairs below 0.05 by the same test (10,000 samples). The claim was that GAP tells more of them apart.',
    table(
      ['collection', 'systems', 'pairs', 'GAP', 'nDCG', 'GAP − nDCG'],
      Object.entries(found).flatMap(([collection, list]) =>
        list.map(({ choice, pairs, shares: [gap, other] }) => [
          `${collection}, ${choice}`,
          String(pairs > 0 ? (1 + Math.sqrt(1 + 8 * pairs)) / 2 : 0),
          String(pairs),
          fixed(gap, 3),
          fixed(other, 3),
          fixed(gap - other, 3),
        ]),
      ),
    ),
  ];
}

/** Shares of pairs of ready matrices, for the page. */
export function matricesText(found) {
  if (found === undefined) return [];
  return [
    '## Ready score matrices',
    '*Exploratory: no claim of the registry, no verdict.* A third kind of collection: matrices of topics and systems of the ad hoc tracks of TREC-6 to TREC-8 and the Web tracks of 2010 and 2011, which have no judgements and no grades, so that GAP and informativeness cannot be computed. The share of pairs of systems that a bootstrap test tells apart at 0.05 (1,000 samples), with its 95 % interval over topics (200 samples), and among the 15 systems with the least sum of ranks under the measures of the track. Samples in which topics occur twice make the test a little more sensitive, so that intervals lean upwards.',
    table(
      ['track', 'topics', 'systems', 'measure', 'share', '95 % interval', 'among the top 15'],
      found.flatMap(({ track, topics, systems, measures }) =>
        measures.map(({ measure, share, interval, amongTheBest }) => [
          track,
          String(topics),
          String(systems),
          measure,
          fixed(share, 3),
          `${fixed(interval[0], 3)} to ${fixed(interval[1], 3)}`,
          fixed(amongTheBest, 3),
        ]),
      ),
    ),
  ];
}
