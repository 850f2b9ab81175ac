import { idText } from '../core/ids.js';
import { type JudgedRun, judge } from '../core/judging/judge.js';
import type { Qrels } from '../core/qrels.js';
import type { Run } from '../core/run.js';
import type { ScoreTable } from '../core/score-table.js';
import type { DecidingTopic, DecidingTopics, MovedDocument } from '../report/by-topic.js';
import { isReadable, type MaterialRequest, openMaterial, sourceOf } from './material.js';
import { directionOf } from './names.js';
import type { Plan } from './plan.js';
import type { Platform } from './platform.js';
import { type TextFiles, withTexts } from './texts.js';

/** How many documents of a topic are named. */
const MOST_DOCUMENTS = 3;

/** What decides between systems, topic by topic. */
export interface ByTopicRequest extends TextFiles {
  /** Systems × topics × measures. */
  readonly table: ScoreTable;
  readonly measures: readonly string[];
  /** The system that the others are held against. */
  readonly reference: string;
  readonly others: readonly string[];
  /** How many topics are listed for each measure and system. */
  readonly most: number;
  /** The files behind the systems, in their order, if there are any: with them the result says what changed in the rankings. */
  readonly material?: (MaterialRequest & { readonly plan: Plan }) | undefined;
}

/** The topics that make the difference between systems, the largest first, with the relevant documents that moved most. */
export async function decidingTopics(request: ByTopicRequest, platform: Platform): Promise<DecidingTopics[]> {
  const { table, measures, reference, others, most } = request;
  const rankings = await rankingsOf(request, platform);
  const found = measures.flatMap((measure) =>
    others.map((system): DecidingTopics => {
      const before = table.column(measure, reference);
      const after = table.column(measure, system);
      const sign = directionOf(measure) === 'lower' ? -1 : 1;
      const rows = table.topics
        .map((topic, t) => ({ topic, before: before[t], after: after[t], difference: after[t] - before[t] }))
        .filter(({ difference }) => !Number.isNaN(difference));
      const total = rows.reduce((sum, { difference }) => sum + difference, 0);
      const topics = rows
        .filter(({ difference }) => difference !== 0)
        .sort((a, b) => Math.abs(b.difference) - Math.abs(a.difference))
        .slice(0, most)
        .map(
          (row): DecidingTopic => ({
            ...row,
            isBetter: sign * row.difference > 0,
            moved: rankings?.(row.topic, measure, [reference, system]),
          }),
        );
      return {
        measure,
        system,
        against: reference,
        difference: rows.length === 0 ? Number.NaN : total / rows.length,
        better: rows.filter(({ difference }) => sign * difference > 0).length,
        worse: rows.filter(({ difference }) => sign * difference < 0).length,
        equal: rows.filter(({ difference }) => difference === 0).length,
        topics,
      };
    }),
  );
  return request.queries === undefined && request.documents === undefined ? found : await withTexts(found, request, platform);
}

type Moves = (topic: string, measure: string, systems: readonly [string, string]) => readonly MovedDocument[];

/** Reads the rankings of the systems that are compared; undefined where that cannot be done a second time. */
async function rankingsOf({ table, reference, others, material }: ByTopicRequest, platform: Platform): Promise<Moves | undefined> {
  if (material === undefined) return undefined;
  const inputs = [material.judgements, ...material.runs];
  if (inputs.some((input) => isReadable(input) && !sourceOf(input, platform).isReopenable)) return undefined;
  const { judgements, runs } = await openMaterial(material, material.plan, platform);
  const judged = new Map<string, JudgedRun>();
  for (const system of [reference, ...others]) {
    const { run } = await runs[table.systems.indexOf(system)].read();
    judged.set(system, judge(judgements.qrels, run, { ...material.plan.rules, judgedOnly: false }));
  }
  return (topic, measure, systems) => {
    const [before, after] = systems.map((system) => ranksOf(judged.get(system) as JudgedRun, topic));
    return movedDocuments(judgements.qrels, topic, [before, after], depthOf(measure));
  };
}

/** The cutoff of a measure, below which nothing counts. */
function depthOf(measure: string): number {
  const found = /@(\d+)$/.exec(measure);
  return found === null ? Number.POSITIVE_INFINITY : Number(found[1]);
}

/** The rank of every document of a topic, from 1. */
function ranksOf({ qrels, run, topics, unitOffsets, offsets, rows }: JudgedRun, topic: string): Map<string, number> {
  const ranks = new Map<string, number>();
  const place = topics.indexOf(qrels.topics.find(topic));
  if (place < 0) return ranks;
  const unit = unitOffsets[place];
  for (let at = offsets[unit]; at < offsets[unit + 1]; at++) {
    if (rows[at] < run.docOf.length) ranks.set(docText(run, rows[at]), at - offsets[unit] + 1);
  }
  return ranks;
}

function docText(run: Run, row: number): string {
  return idText(run.docs, run.docOf[row]);
}

/** The relevant documents that moved most, by what their ranks are worth to a reader who goes down the list. */
function movedDocuments(
  qrels: Qrels,
  topic: string,
  [before, after]: readonly Map<string, number>[],
  depth: number,
): readonly MovedDocument[] {
  const t = qrels.topics.find(topic);
  const moved: (MovedDocument & { readonly weight: number })[] = [];
  const worth = (rank: number | undefined): number => (rank === undefined || rank > depth ? 0 : 1 / Math.log2(rank + 1));
  for (let row = qrels.offsets[t]; row < qrels.offsets[t + 1]; row++) {
    const grade = qrels.grades[row];
    if (!(grade > 0)) continue;
    const doc = idText(qrels.docs, qrels.docOf[row]);
    const [from, to] = [before.get(doc), after.get(doc)];
    const weight = grade * (worth(to) - worth(from));
    if (weight !== 0) moved.push({ doc, grade, from, to, weight });
  }
  moved.sort((a, b) => Math.abs(b.weight) - Math.abs(a.weight));
  return moved.slice(0, MOST_DOCUMENTS).map(({ weight: _, ...document }) => document);
}
