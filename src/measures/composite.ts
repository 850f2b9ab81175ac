import { compareIds } from '../core/ids.js';
import { forEachJudgedTopic, type JudgementParts, type JudgingRules, rowsByGroup } from '../core/judging/judge.js';
import { InputError } from '../core/problem.js';
import type { Qrels } from '../core/qrels.js';
import type { Run } from '../core/run.js';
import { type ExpectedOptions, type ExpectedPlan, expectedPlan } from './expected-plan.js';
import { type Composite, emptyValue, type Measure, type Needs } from './measure.js';
import { EvaluationPlan } from './plan.js';

/** What readers bring along. */
export interface Readers {
  /** The documents that the reader of each topic knows already. Groups tell several readers of a topic apart. */
  readonly known: Qrels | undefined;
  /** How many relevant documents the reader of each topic expects to find, by topic id. */
  readonly expected: ReadonlyMap<string, number> | undefined;
}

/** Scores measures that are put together from the values of parts of the judgements: subtopics, what readers know, or groups
 *  that judged for themselves. `write` takes the values of a topic; the answer is notes on ties. */
export function evaluateComposites(
  measures: readonly Measure[],
  needs: Needs,
  qrels: Qrels,
  run: Run,
  readers: Readers,
  rules: JudgingRules,
  options: ExpectedOptions,
  write: (topic: number, values: readonly number[]) => void,
): string[] {
  refuseTies(needs, rules);
  const composites = measures.map((measure) => measure.def.compose?.(measure.params) ?? meanOfGroups(measure));
  const each = composites.flatMap((composite) => composite.each);
  // of the measures behind a composite the first is the one that ties matter to
  const names = composites.flatMap((composite, m) => composite.each.map((_, i) => (i === 0 ? measures[m].text : undefined)));
  const means = rules.ties === 'expected' ? expectedPlan(each, rules.judgedOnly, options, names) : undefined;
  const plan: Pick<ExpectedPlan, 'evaluate'> = means ?? new EvaluationPlan(each, options);
  let parts: Float64Array[] = [];
  let codes = new Float64Array(0);
  const visit: Parameters<typeof forEachJudgedTopic>[3] = (topic, view, part, numParts) => {
    if (part === 0) {
      parts = [];
      codes = view.codes.slice(view.start, view.start + view.numRetrieved);
    }
    const values = new Float64Array(each.length);
    plan.evaluate(view, values, 0, qrels.topics.hashes[topic] + part);
    if (parts.push(values) < numParts) return;
    let from = 0;
    const finished = composites.map(({ each: own, finish }, m) => {
      const { def, params } = measures[m];
      const ownParts = parts.map((all) => Array.from(all.subarray(from, from + own.length)));
      from += own.length;
      if (def.compose !== undefined && params.empty !== undefined && !hasGradeFrom(qrels, topic, params.rel as number)) {
        return emptyValue(params.empty);
      }
      return finish(ownParts, { qrels, topic, codes, expected: readers.expected?.get(qrels.topics.text(topic)) });
    });
    write(topic, finished);
  };
  forEachJudgedTopic(qrels, run, rules, visit, (topic) =>
    needs === 'users' ? knownParts(readers.known, qrels, topic) : rowsByGroup(qrels, topic),
  );
  return means?.notes() ?? [];
}

/** Ties by grade mean nothing where grades differ from part to part. */
function refuseTies(needs: Needs, { ties, judgedOnly }: JudgingRules): void {
  if (needs === 'ranking') return;
  const byGrade = ties === 'optimistic' || ties === 'pessimistic';
  if (!byGrade && !(ties === 'expected' && needs === 'users') && !(judgedOnly && needs === 'subtopics')) return;
  throw new InputError({
    message: `${judgedOnly ? 'judged_only' : `ties='${ties}'`} has no meaning for measures of ${needs}`,
    wayOut:
      needs === 'users'
        ? 'order equal scores by docno, file or rank'
        : "take the mean over all orders with ties='expected', or leave it out",
  });
}

function meanOfGroups(measure: Measure): Composite {
  return { each: [measure], finish: (parts) => parts.reduce((sum, [value]) => sum + value, 0) / parts.length };
}

function hasGradeFrom({ grades, offsets }: Qrels, topic: number, level: number): boolean {
  return grades.subarray(offsets[topic], offsets[topic + 1]).some((grade) => grade >= level);
}

/** All judgements of a topic, and then, for each reader, those about documents that the reader knows. A topic that nobody knows
 *  anything about has one reader who knows nothing. */
function knownParts(known: Qrels | undefined, qrels: Qrels, topic: number): JudgementParts {
  const { docOf, docs, offsets } = qrels;
  const all = Array.from({ length: offsets[topic + 1] - offsets[topic] }, (_, i) => offsets[topic] + i);
  const rows = [...all];
  const ranges: [number, number][] = [[0, rows.length]];
  for (const knownDocs of knownByReader(known, qrels, topic)) {
    const from = rows.length;
    for (const row of all) {
      const doc = docOf[row];
      if (knownDocs.has(known?.docs.findBytes(docs.bytes, docs.offsets[doc], docs.offsets[doc + 1]) ?? -1)) rows.push(row);
    }
    ranges.push([from, rows.length]);
  }
  return { rows: Uint32Array.from(rows), ranges }; // fits: entries
}

/** The documents (numbers of `known`) that each reader of a topic knows, readers in byte order of their ids. */
function knownByReader(known: Qrels | undefined, { topics }: Qrels, topic: number): ReadonlySet<number>[] {
  const at = known?.topics.findBytes(topics.bytes, topics.offsets[topic], topics.offsets[topic + 1]) ?? -1;
  if (known === undefined || at < 0) return [new Set()];
  const { groups, docOf, offsets } = known;
  if (groups === undefined) return [new Set(docOf.subarray(offsets[at], offsets[at + 1]))];
  const byReader = new Map<number, Set<number>>();
  for (let row = offsets[at]; row < offsets[at + 1]; row++) {
    const own = byReader.get(groups.of[row]) ?? new Set();
    byReader.set(groups.of[row], own);
    own.add(docOf[row]);
  }
  return [...byReader.entries()].sort(([a], [b]) => compareIds(groups.ids, a, groups.ids, b)).map(([, own]) => own);
}
