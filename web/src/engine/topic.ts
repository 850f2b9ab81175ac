/** One topic's ranking under the magnifying glass: grades, ties, and what each document adds to a measure. */
import { type EvaluateOptions, type JudgingRules, judge, type Measure, type Qrels, type Run } from 'gradus';
import type { Plan } from 'gradus/experiment';
import { evaluator } from 'gradus/measures';
import type { RankedDocument, TopicRanking } from './protocol.js';

/** How the judged run marks a document that was pooled and has no grade, and one that nobody judged. */
const POOLED = -2;

/** More documents than this are not taken apart one by one. */
const MOST_STEPS = 1000;
const MOST_MISSED = 200;

export function topicRanking(
  qrels: Qrels,
  run: Run,
  name: string,
  file: number,
  topic: string,
  measure: Measure,
  plan: Plan,
): TopicRanking {
  const rules: Partial<JudgingRules> = { ...plan.rules, missingTopics: 'empty' };
  // of one topic a run may well know nothing
  const options = { ...rules, ...plan.convention.planOptions, unrelated: 'accept' as const };
  // judged one order at a time: what the mean over all orders looks like is not a list
  const shown: Partial<JudgingRules> = measure.params.judged_only === true ? { ...rules, judgedOnly: true } : rules;
  const judged = judge(withoutRepeats(qrels), run, shown);
  const ranksOnly = run.ranksOnly === true;
  const numRetrieved = judged.offsets[1] - judged.offsets[0];
  const value = evaluator(qrels, [measure], options).evaluate(run).value(0, 0);
  const depth = Math.min(shown.depth ?? Infinity, Infinity);
  const steps = Math.min(numRetrieved, MOST_STEPS, depthOf(measure));
  const soFar = valuesByDepth(qrels, run, measure, options, steps);
  const sizes = tieSizes(run, shown);
  const rows: RankedDocument[] = Array.from({ length: Math.min(numRetrieved, depth) }, (_, i) => {
    const row = judged.rows[i];
    const code = judged.codes[i];
    const last = Math.min(i + 1, soFar.length - 1);
    return {
      rank: i + 1,
      id: run.docs.text(run.docOf[row]),
      score: ranksOnly ? null : run.scores[row],
      statedRank: ranksOnly ? 0 - run.scores[row] : null,
      grade: code >= 0 ? code : null,
      pooled: code === POOLED,
      tied: sizes.get(keyOf(run.scores[row], shown)) ?? 1,
      contribution: i + 1 < soFar.length ? soFar[i + 1] - soFar[i] : 0,
      soFar: soFar[last],
    };
  });
  const missed = missedDocuments(qrels, rows);
  return {
    topic,
    system: name,
    measure: measure.text,
    file,
    value: Number.isFinite(value) ? value : null,
    documents: rows.map(({ rank, id, grade, contribution }) => ({ rank, id, grade, contribution })),
    numRetrieved,
    numJudged: qrels.grades.length,
    grades: gradeCounts(qrels, rows),
    rows,
    missed: missed.slice(0, MOST_MISSED),
    numMissed: missed.length,
    ranksOnly,
    additive: Math.abs((soFar.at(-1) ?? Number.NaN) - value) < 1e-9,
  };
}

/** The measure's value if the ranking ended after 0, 1, 2 … documents. Every step from one to the next is what that document adds,
 *  and the steps add up to the value, whatever the measure is. */
function valuesByDepth(qrels: Qrels, run: Run, measure: Measure, options: EvaluateOptions, steps: number): number[] {
  const none = { ...run, offsets: new Uint32Array(run.topics.size + 1) };
  const values = [evaluator(qrels, [measure], options).evaluate(none).value(0, 0)];
  for (let depth = 1; depth <= steps; depth++) {
    const limited = Math.min(depth, options.depth ?? Infinity);
    values.push(
      evaluator(qrels, [measure], { ...options, depth: limited })
        .evaluate(run)
        .value(0, 0),
    );
  }
  return values.map((value) => (Number.isFinite(value) ? value : 0));
}

function depthOf({ params }: Measure): number {
  return typeof params.cutoff === 'number' ? params.cutoff : Infinity;
}

function keyOf(score: number, rules: Partial<JudgingRules>): number {
  return rules.scorePrecision === 'float32' ? Math.fround(score) : score;
}

function tieSizes(run: Run, rules: Partial<JudgingRules>): Map<number, number> {
  const sizes = new Map<number, number>();
  for (const score of run.scores) sizes.set(keyOf(score, rules), (sizes.get(keyOf(score, rules)) ?? 0) + 1);
  return sizes;
}

/** For the list, judgements of several groups count once: with the highest grade that anybody gave. */
function withoutRepeats(qrels: Qrels): Qrels {
  if (qrels.groups === undefined) return qrels;
  const best = new Map<number, number>();
  for (const [row, doc] of qrels.docOf.entries()) best.set(doc, Math.max(best.get(doc) ?? -Infinity, qrels.grades[row]));
  const { topics, docs } = qrels;
  return {
    topics,
    docs,
    offsets: Uint32Array.of(0, best.size),
    docOf: Uint32Array.from(best.keys()),
    grades: Float64Array.from(best.values()),
  };
}

function gradeCounts(qrels: Qrels, rows: readonly RankedDocument[]): TopicRanking['grades'] {
  const plain = withoutRepeats(qrels);
  const counts = new Map<number, { grade: number; judged: number; retrieved: number }>();
  for (const grade of plain.grades) {
    const count = counts.get(grade) ?? { grade, judged: 0, retrieved: 0 };
    count.judged++;
    counts.set(grade, count);
  }
  for (const { grade } of rows) {
    const count = grade === null ? undefined : counts.get(grade);
    if (count !== undefined) count.retrieved++;
  }
  return [...counts.values()].sort((a, b) => b.grade - a.grade);
}

function missedDocuments(qrels: Qrels, rows: readonly RankedDocument[]): { id: string; grade: number }[] {
  const plain = withoutRepeats(qrels);
  const found = new Set(rows.map(({ id }) => id));
  return Array.from(plain.grades, (grade, row) => ({ id: plain.docs.text(plain.docOf[row]), grade }))
    .filter(({ id, grade }) => grade > 0 && !found.has(id))
    .sort((a, b) => b.grade - a.grade);
}
