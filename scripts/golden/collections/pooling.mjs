/** Pools, what to judge next, and bounds over missing judgements. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { trecCovid } from './conclusions.mjs';
import { gradesOf } from './data.mjs';

export async function pooling(golden, tools) {
  const { tally, judging } = tools;
  for (const [name, entry] of Object.entries(golden.completions ?? {})) {
    tally.place = `pooling, completions ${name}`;
    checkCompletions(entry, tally, judging);
  }
  for (const [name, entry] of Object.entries(golden.graded_bounds ?? {})) {
    tally.place = `pooling, bounds ${name}`;
    checkBounds(entry, tally, judging);
  }
  if (golden.trace !== undefined) {
    tally.place = 'pooling, trace';
    const relevant = new Set(golden.trace.relevant);
    for (const [method, expected] of Object.entries(golden.trace.orders)) {
      const judged = judging.replayOrder(Object.values(golden.trace.runs), orderOf(method), (doc) => relevant.has(doc));
      tally.same(
        method,
        judged.map(({ doc, relevant: is }) => [doc, is ? 1 : 0]),
        expected,
      );
    }
  }
  if (golden.replay !== undefined) await checkReplay(golden.replay, tools);
  if (golden.leave_one_team_out !== undefined) await checkTeams(golden.leave_one_team_out, tools);
  if (golden.judged_share !== undefined) {
    tally.place = 'pooling, judged share';
    const { qrels, runs, lists } = await trecCovid(tools);
    for (const [name, shares] of Object.entries(golden.judged_share)) {
      const at = runs.findIndex((run) => run.name === name);
      for (const [depth, share] of Object.entries(shares))
        tally.near(`${name} at ${depth}`, judging.judgedShare(lists[at], gradesOf(qrels), Number(depth)), share);
    }
  }
}

/** The order that a recorded method stands for. */
function orderOf(method) {
  if (method.startsWith('rank by rank')) return { order: 'rank' };
  if (method.startsWith('move to front')) return { order: 'move-to-front' };
  const persistence = Number(/p=(0?\.\d+)/.exec(method)?.[1] ?? 0.8);
  if (/RBP/i.test(method)) return { order: /\bB\b/.test(method) ? 'rbp-b' : /\bC\b/.test(method) ? 'rbp-c' : 'rbp-a', persistence };
  const memory = method.includes('last only') ? 0 : Number(/memory (?:of )?(\d*\.?\d+)/.exec(method)?.[1] ?? 1);
  return { order: method.includes('hompson') ? 'thompson' : 'bandit', memory };
}

function measureOf(text) {
  const [, name, number] = /^([A-Za-z]+)(?:[@(](\d*\.?\d+)\)?)?$/.exec(text) ?? [];
  return name === 'RBP' ? { name, p: Number(number) } : { name, k: Number(number) };
}

function checkCompletions(entry, tally, judging) {
  const topic = {
    rankings: [entry.A, entry.B],
    judged: new Map(Object.entries(entry.judged)),
    candidates: entry.other_candidates,
    probability: (doc) => entry.p[doc] ?? 0.5,
  };
  for (const [text, expected] of Object.entries(entry.exact)) {
    const measure = measureOf(text);
    const { systems, difference } = judging.enumerateCompletions(topic, measure);
    for (const [s, name] of ['A', 'B'].entries()) {
      for (const key of ['low', 'high', 'expected']) tally.near(`${text} of ${name}, ${key}`, systems[s][key], expected[name][key]);
      const bounds = judging.measureBounds(
        { ...topic, rankings: [topic.rankings[s]], candidates: [...entry.other_candidates, ...topic.rankings[1 - s]] },
        measure,
      );
      tally.near(`${text} of ${name}, lower bound`, bounds.low, expected[name].low);
      tally.near(`${text} of ${name}, upper bound`, bounds.high, expected[name].high);
    }
    const found = { ...difference, 'P(A>B)': difference.firstBetter, 'P(A=B)': difference.equal };
    for (const [key, value] of Object.entries(expected.difference)) tally.near(`${text}, difference, ${key}`, found[key], value);
    if (text in (entry.linear_weights ?? {})) {
      const bounds = judging.linearDifferenceBounds(topic, measure);
      tally.near(`${text}, lower bound of the difference`, bounds.low, expected.difference.low);
      tally.near(`${text}, upper bound of the difference`, bounds.high, expected.difference.high);
    }
  }
  const closed = judging.sumPrecisionDifference(topic);
  const expected = entry.sumAP_closed_form;
  tally.near('R·AP, expected', closed.expected, expected.expected);
  tally.near('R·AP, variance', closed.variance, expected.variance);
  tally.near('R·AP, P(A > B)', closed.firstBetter, expected['normal_P(A>B)']);
  for (const [doc, weight] of Object.entries(expected.weights)) tally.near(`R·AP, weight of ${doc}`, closed.weights.get(doc), weight);
  const next = expected.next_document ?? undefined;
  const tied = next !== closed.next && Math.abs(Math.abs(closed.weights.get(next)) - Math.abs(closed.weights.get(closed.next))) <= 1e-12;
  if (tied)
    tally.remarks.push(
      `${tally.place}: next document ${closed.next} and ${next} have the same weight to 1e-12, and the smaller id goes first`,
    );
  tally.holds(`next document ${closed.next}, expected ${next}`, next === closed.next || tied, closed.next);
  for (const [text, weights] of Object.entries(entry.linear_weights ?? {})) {
    const found = judging.linearWeights(topic, measureOf(text));
    for (const [doc, weight] of Object.entries(weights)) tally.near(`${text}, weight of ${doc}`, found.get(doc), weight);
  }
}

function checkBounds(entry, tally, judging) {
  const topic = {
    rankings: [entry.ranking],
    judged: new Map(Object.entries(entry.judged)),
    candidates: entry.other_candidates,
    grades: entry.grades,
  };
  const measure = { name: 'nDCG', k: entry.k };
  const found = judging.measureBounds(topic, measure);
  tally.near('low', found.low, entry.low);
  tally.near('high', found.high, entry.high);
  for (const [key, at] of [
    ['low', 'low_at'],
    ['high', 'high_at'],
  ]) {
    if (entry[at] === undefined) continue;
    // several completions may reach a bound; the recorded one must too
    const whole = { ...topic, judged: new Map(Object.entries(entry[at])) };
    tally.near(`value at ${at}`, judging.measureBounds(whole, measure)[key], entry[key]);
  }
  const outer = judging.outerGainBounds(topic, measure);
  tally.near('outer low', outer.low, entry.outer_low);
  tally.near('outer high', outer.high, entry.outer_high);
}

async function checkReplay(replay, tools) {
  const { tally, judging } = tools;
  tally.place = 'pooling, replay';
  const { qrels, runs, lists } = await trecCovid(tools);
  const grades = gradesOf(qrels);
  const contributors = runs.map(({ name }, i) => ({ name, lists: lists[i] }));
  for (const [depth, expected] of Object.entries(replay.pool_by_depth ?? {})) {
    const counts = judging.poolCounts(judging.poolOf(contributors, Number(depth)), grades);
    for (const [key, value] of Object.entries(expected)) tally.same(`pool of depth ${depth}, ${key}`, counts[key], value);
  }
  const all = [...grades.values()].flatMap((docs) => [...docs.values()]);
  if ('all_judged' in replay) tally.same('judged', all.length, replay.all_judged);
  const allRelevant = all.filter((grade) => grade >= 1).length;
  if ('all_relevant' in replay) tally.same('relevant', allRelevant, replay.all_relevant);
  const restricted = new Map(
    [...grades].map(([topic, known]) => [topic, lists.map((own) => (own.get(topic) ?? []).slice(0, 100).filter((doc) => known.has(doc)))]),
  );
  for (const [method, budgets] of Object.entries(replay.methods ?? {})) {
    for (const [budget, expected] of Object.entries(budgets)) {
      let [judged, relevant] = [0, 0];
      for (const [topic, known] of grades) {
        const found = judging.replayOrder(restricted.get(topic), orderOf(method), (doc) => known.get(doc) >= 1, Number(budget));
        judged += found.length;
        relevant += found.filter((one) => one.relevant).length;
      }
      tally.same(`${method}, ${budget} per topic, judged`, judged, expected.judged);
      tally.same(`${method}, ${budget} per topic, relevant`, relevant, expected.relevant);
      if ('recall' in expected) tally.near(`${method}, ${budget} per topic, recall`, relevant / allRelevant, expected.recall);
    }
  }
  for (const [key, methods] of Object.entries(replay)) {
    const [, number, topic] = /^first_(\d+)_of_topic_(.+)$/.exec(key) ?? [];
    if (number === undefined) continue;
    for (const [method, docs] of Object.entries(methods)) {
      const found = judging.replayOrder(restricted.get(topic), orderOf(method), (doc) => grades.get(topic).get(doc) >= 1, Number(number));
      tally.same(
        `${key}, ${method}`,
        found.map(({ doc }) => doc),
        docs,
      );
    }
  }
}

async function checkTeams(teams, tools) {
  const { tally, judging, data, product } = tools;
  const { qrels, runs, lists } = await trecCovid(tools);
  const grades = gradesOf(qrels);
  const [header, ...rows] = readFileSync(data.find(join('trec-covid-round1', 'leaderboard.csv')), 'utf8')
    .trim()
    .split(/\r?\n/)
    .map((line) => line.split(','));
  const columns = ['run', 'team', 'contributed judgments'].map((name) => header.indexOf(name));
  const entries = rows.map((row) => columns.map((c) => row[c]));
  const teamOf = new Map(entries.map(([run, team]) => [run, team]));
  const pooled = new Set(entries.filter(([, , is]) => is === 'yes').map(([run]) => run));
  // runs of teams that pooled something; BBGhelani and others are listed as not pooled on the leaderboard but have runs of their own
  const contributors = runs
    .map(({ name }, i) => ({ name, lists: lists[i], group: teamOf.get(name) }))
    .filter(({ name }) => pooled.has(name));
  const measures = [...new Set(Object.values(teams).flatMap(({ runs: own }) => Object.values(own).flatMap(Object.keys)))];
  const scored = (judgements) =>
    runs.map(({ run }) => product.evaluateUnder(product.findConvention('pytrec_eval'), judgements, run, measures));
  const meanOf = (table, measure) => {
    const values = [...grades.keys()].map((topic) => (table.topics.includes(topic) ? table.value(topic, measure) : 0));
    return values.reduce((sum, value) => sum + value, 0) / values.length;
  };
  const before = scored(grades);
  for (const left of judging.leaveGroupsOut(contributors, 7, grades, Object.keys(teams))) {
    const expected = teams[left.group];
    tally.place = `pooling, without ${left.group}`;
    tally.same('documents', left.documents, expected.documents);
    tally.same('relevant', left.relevant, expected.relevant);
    const after = scored(left.grades);
    for (const [m, measure] of measures.entries()) {
      const [meansBefore, meansAfter] = [before, after].map((tables) => tables.map((table) => meanOf(table, m)));
      for (const [run, values] of Object.entries(expected.runs)) {
        const at = runs.findIndex(({ name }) => name === run);
        const wanted = values[measure];
        if (wanted === undefined) continue;
        tally.near(`${run}, ${measure}`, meansBefore[at], wanted[0]);
        tally.near(`${run}, ${measure} without`, meansAfter[at], wanted[1]);
        tally.same(`${run}, ${measure}, rank before`, judging.ranksOfMeans(meansBefore)[at], wanted[2]);
        tally.same(`${run}, ${measure}, rank after`, judging.ranksOfMeans(meansAfter)[at], wanted[3]);
      }
    }
  }
}
