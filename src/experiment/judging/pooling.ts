import { judgingRulesOf } from '../../conventions/convention.js';
import { seededRandom, shuffleInPlace } from '../../core/numbers/random.js';
import { InputError } from '../../core/problem.js';
import { joinSystems } from '../../core/score-table.js';
import { readText } from '../../formats/source.js';
import {
  type Contributor,
  type DocumentLists,
  type GradesByTopic,
  type JudgingOrderName,
  type JudgingOrderOptions,
  judgedShare,
  judgingOrder,
  leaveGroupsOut,
  poolCounts,
  poolOf,
  RelevanceModel,
  ranksOfMeans,
  replayOrder,
} from '../../judging/index.js';
import { evaluator } from '../../measures/evaluate.js';
import { discriminativePower } from '../../meta/index.js';
import { kendallTau } from '../../stats/correlation/kendall-tau.js';
import type { ReadMaterial } from '../material.js';
import type { Plan } from '../plan.js';
import type { Platform } from '../platform.js';
import { influencePool, nextByInfluence, replayInfluence } from './influence.js';
import { type ComparisonState, MinimalComparison, type MinimalReplay, replayMinimal } from './minimal.js';
import { gradesOf, listsOf, namesOf } from './pool-material.js';

/** How documents are chosen within each topic, or over all of them. */
export type PoolOrder = JudgingOrderName | 'influence' | 'minimal';

/** How documents to judge are chosen. */
export interface PoolRequest extends Omit<JudgingOrderOptions, 'order'> {
  /** *move-to-front* by default. *influence*: over all topics together, the documents whose relevance is least known and moves the average
   *  precision of the runs apart the most, by a model of what nobody judged (after Carterette, doi:10.1145/1277741.1277756). *minimal*: what
   *  tells two runs apart, with even chances for what nobody judged. */
  readonly order?: PoolOrder | undefined;
  /** Only the first documents of each run; 100 by default. */
  readonly depth?: number | undefined;
  /** Documents for each topic; 10 by default. */
  readonly budget?: number | undefined;
  /** The lowest grade that is relevant; 1 by default. */
  readonly rel?: number | undefined;
}

/** A document to judge. */
export interface DocumentToJudge {
  readonly topic: string;
  readonly doc: string;
}

/** What a pool holds, and what to judge next. */
export interface NextDocuments {
  readonly documents: readonly DocumentToJudge[];
  readonly pool: ReturnType<typeof poolCounts>;
  readonly runs: readonly { readonly run: string; readonly judgedAt10: number | null; readonly judgedAt100: number | null }[];
  /** With the order *minimal*: how the comparison of the two runs stands. */
  readonly comparison?: ComparisonState | undefined;
}

/** The documents to judge next: as many for each topic as the budget says, as if all of them turned out as the judged ones suggest so far. */
export function nextDocuments(plan: Plan, material: ReadMaterial, request: PoolRequest): NextDocuments {
  const { depth = 100, budget = 10, rel = 1, order = 'move-to-front' } = request;
  const lists = listsOf(plan, material, Math.max(depth, 100));
  const grades = gradesOf(material.qrels);
  const names = namesOf(material);
  const contributors = lists.map((own, r): Contributor => ({ name: names[r], lists: own }));
  const documents: DocumentToJudge[] = [];
  if (order === 'influence') {
    const pool = new Map([...poolOf(contributors, depth)].map(([topic, docs]) => [topic, [...docs.keys()]]));
    documents.push(...nextByInfluence(influencePool(lists, pool), grades, { budget, rel }));
  }
  let comparison: ComparisonState | undefined;
  if (order === 'minimal') {
    const cut = lists.map((own) => new Map([...own].map(([topic, docs]) => [topic, docs.slice(0, depth)])));
    const two = new MinimalComparison(cut, asRelevance(grades, rel), names, plan.measures[0]);
    documents.push(...two.open().slice(0, budget * new Set(cut.flatMap((own) => [...own.keys()])).size));
    comparison = two.state();
  }
  const isOverAll = order === 'influence' || order === 'minimal';
  for (const topic of isOverAll ? [] : new Set(lists.flatMap((own) => [...own.keys()]))) {
    const judged = new Map([...(grades.get(topic) ?? [])].map(([doc, grade]) => [doc, grade >= rel]));
    const chooser = judgingOrder(
      lists.map((own) => (own.get(topic) ?? []).slice(0, depth)),
      { ...request, order: order as JudgingOrderName },
      judged,
    );
    for (let i = 0; i < budget; i++) {
      const doc = chooser.next();
      if (doc === undefined) break;
      documents.push({ topic, doc });
    }
  }
  return {
    documents,
    pool: poolCounts(poolOf(contributors, depth), grades, rel),
    runs: lists.map((own, r) => ({
      run: names[r],
      judgedAt10: judgedShare(own, grades, 10),
      judgedAt100: judgedShare(own, grades, 100),
    })),
    comparison,
  };
}

/** Grades as 1 for relevant and 0 for not. */
function asRelevance(grades: GradesByTopic, rel: number): GradesByTopic {
  return new Map([...grades].map(([topic, own]) => [topic, new Map([...own].map(([doc, grade]) => [doc, grade >= rel ? 1 : 0]))]));
}

/** Judges two runs apart again, document by document, with the judgements that there are for a judge, until the comparison is settled. */
export function replayComparison(
  plan: Plan,
  material: ReadMaterial,
  request: Pick<PoolRequest, 'depth' | 'rel'> & { readonly confidence?: number | undefined },
): MinimalReplay {
  const { depth = 100, rel = 1, confidence = 0.95 } = request;
  return replayMinimal(listsOf(plan, material, depth), gradesOf(material.qrels), namesOf(material), plan.measures[0], { rel, confidence });
}

/** How well the order of systems comes out of fewer judgements. */
export interface PoolReplay {
  readonly order: string;
  readonly measure: string;
  readonly allJudged: number;
  readonly allRelevant: number;
  /** By budget: judgements made, relevant documents found, and tau with the order under all judgements, with its spread over seeds. */
  readonly budgets: readonly {
    readonly budget: number;
    readonly judged: number;
    readonly share: number;
    readonly relevant: number;
    readonly tau: number;
    readonly tauLow: number;
    readonly tauHigh: number;
  }[];
}

/** Judges again, with the judgements that there are for a judge, and compares the order of systems with the one under all of them. Over
 *  seeds, the order of the runs is shuffled, which decides ties; by influence, other documents are drawn at the beginning. */
export function replayPool(
  plan: Plan,
  material: ReadMaterial,
  request: PoolRequest & { readonly order?: Exclude<PoolOrder, 'minimal'> | undefined; readonly seeds?: number | undefined },
): PoolReplay {
  const { depth = 100, budget = 10, rel = 1, seeds = 10, seed = 1, order: method = 'move-to-front' } = request;
  const lists = listsOf(plan, material, depth);
  const grades = gradesOf(material.qrels);
  if (material.runs.length < 2) throw new InputError({ message: 'one run has no order', wayOut: 'give two runs or more' });
  const common = {
    ...judgingRulesOf(plan.convention.rules),
    ...plan.rules,
    ...plan.planOptions,
    missingTopics: plan.convention.missingTopicsOfAll,
  };
  const [measure] = plan.measures;
  const sign = measure.def.direction === 'lower' ? -1 : 1;
  const meansUnder = (judgements: GradesByTopic): Float64Array => {
    const scoring = evaluator(judgements, [measure], { ...common, unrelated: 'accept' });
    const table = joinSystems(material.runs.map((run, r) => scoring.evaluate(run, `${r}`)));
    return Float64Array.from(table.systems, (_, s) => sign * table.aggregate(0, s));
  };
  const truth = meansUnder(grades);
  const all = [...grades.values()].flatMap((own) => [...own.values()]);
  const replay =
    method === 'influence'
      ? influenceReplay(plan, material, { grades, rel, seed })
      : orderReplay(lists, { ...request, order: method, seed }, { grades, rel, meansUnder });
  const budgets = [...new Set([0.25, 0.5, 1, 2, 4].map((factor) => Math.max(1, Math.round(factor * budget))))].map((own) => {
    const taus: number[] = [];
    let [judged, relevant] = [0, 0];
    for (let s = 0; s < seeds; s++) {
      const done = replay(own, s);
      ({ judged, relevant } = done);
      taus.push(tauOf(truth, done.means));
    }
    return {
      budget: own,
      judged,
      share: judged / all.length,
      relevant,
      tau: taus.reduce((sum, tau) => sum + tau, 0) / taus.length,
      tauLow: Math.min(...taus),
      tauHigh: Math.max(...taus),
    };
  });
  return { order: method, measure: measure.text, allJudged: all.length, allRelevant: all.filter((grade) => grade >= rel).length, budgets };
}

/** Judges so many documents for each topic, the how-manieth time, and says what the means of the runs then are. */
type Replay = (budget: number, repetition: number) => { readonly judged: number; readonly relevant: number; readonly means: Float64Array };

/** Topic by topic; what nobody judged counts as not relevant. */
function orderReplay(
  lists: readonly DocumentLists[],
  options: JudgingOrderOptions & { readonly seed: number },
  { grades, rel, meansUnder }: { grades: GradesByTopic; rel: number; meansUnder: (judgements: GradesByTopic) => Float64Array },
): Replay {
  const restricted = new Map(
    [...grades].map(([topic, known]) => [topic, lists.map((own) => (own.get(topic) ?? []).filter((doc) => known.has(doc)))]),
  );
  return (budget, s) => {
    const order = lists.map((_, r) => r);
    if (s > 0) shuffleInPlace(seededRandom(options.seed, s), order);
    const partial = new Map<string, Map<string, number>>();
    let [judged, relevant] = [0, 0];
    for (const [topic, known] of grades) {
      const places = restricted.get(topic) ?? [];
      const found = replayOrder(
        order.map((r) => places[r]),
        { ...options, seed: options.seed + s },
        (doc) => (known.get(doc) ?? 0) >= rel,
        budget,
      );
      partial.set(topic, new Map(found.map(({ doc }) => [doc, known.get(doc) ?? 0])));
      judged += found.length;
      relevant += found.filter((one) => one.relevant).length;
    }
    return { judged, relevant, means: meansUnder(partial) };
  };
}

/** Over all topics; what nobody judged counts by how probably it is relevant. */
function influenceReplay(
  plan: Plan,
  material: ReadMaterial,
  { grades, rel, seed }: { readonly grades: GradesByTopic; readonly rel: number; readonly seed: number },
): Replay {
  const [{ def, text }] = plan.measures;
  if (def.name !== 'AP') {
    throw new InputError({
      message: `documents are chosen by their influence on average precision, not on ${text}`,
      wayOut: 'add -m AP, or choose another --order',
    });
  }
  const pool = influencePool(
    listsOf(plan, material, Number.POSITIVE_INFINITY),
    new Map([...grades].map(([topic, known]) => [topic, [...known.keys()]])),
  );
  const model = new RelevanceModel(pool.topics);
  return (budget, s) => replayInfluence(pool, model, grades, { budget, rel, seed: seed + s });
}

function tauOf(first: Float64Array, second: Float64Array): number {
  const flat = (values: Float64Array): boolean => values.every((value) => value === values[0]);
  return flat(first) || flat(second) ? 0 : kendallTau({ first, second }).tau;
}

/** What becomes of the runs of a group whose documents had not been judged. */
export interface GroupReuse {
  readonly group: string;
  readonly documents: number;
  readonly relevant: number;
  readonly runs: readonly {
    readonly run: string;
    readonly before: number;
    readonly after: number;
    readonly rankBefore: number;
    readonly rankAfter: number;
  }[];
}

/** Whether a collection can judge runs that were not pooled: leaves each group out of the pool. */
export interface Reusability {
  readonly measure: string;
  readonly groups: readonly GroupReuse[];
  readonly meanFall: number;
  readonly largestFall: number;
  /** Of the orders of all runs before, and with every run as if its group had been left out. */
  readonly tau: number;
  /** The difference from which on a test tells every two runs apart; null where there is one topic only. */
  readonly differenceNeeded: number | null;
  /** The share of runs that fall by more than that. */
  readonly shareBeyond: number | null;
}

/** Leaves each group of runs out of the pool of the given depth, and scores its runs again. */
export function reuseOf(
  plan: Plan,
  material: ReadMaterial,
  groupOf: ReadonlyMap<string, string>,
  request: { readonly depth?: number | undefined; readonly rel?: number | undefined },
): Reusability {
  const { depth = 10, rel = 1 } = request;
  const lists = listsOf(plan, material, depth);
  const grades = gradesOf(material.qrels);
  const names = namesOf(material);
  const groups = names.map((name, r) => groupOf.get(name) ?? groupOf.get(material.names[r]) ?? name);
  const contributors = lists.map((own, r): Contributor => ({ name: names[r], lists: own, group: groups[r] }));
  const [measure] = plan.measures;
  const common = {
    ...judgingRulesOf(plan.convention.rules),
    ...plan.rules,
    ...plan.planOptions,
    missingTopics: plan.convention.missingTopicsOfAll,
  };
  const meansUnder = (judgements: GradesByTopic): Float64Array => {
    const scoring = evaluator(judgements, [measure], { ...common, unrelated: 'accept' });
    return Float64Array.from(material.runs, (run) => scoring.evaluate(run).aggregate(0));
  };
  const sign = measure.def.direction === 'lower' ? -1 : 1;
  const ranksOf = (means: Float64Array): Uint32Array => ranksOfMeans(means.map((mean) => sign * mean));
  const before = meansUnder(grades);
  const ranksBefore = ranksOf(before);
  const left = before.slice();
  const found = leaveGroupsOut(contributors, depth, grades, [...new Set(groups)], rel).map(
    ({ group, documents, relevant, grades: rest }): GroupReuse => {
      const after = meansUnder(rest);
      const ranksAfter = ranksOf(after);
      const own = names.flatMap((run, r) => {
        if (groups[r] !== group) return [];
        left[r] = after[r];
        return [{ run, before: before[r], after: after[r], rankBefore: ranksBefore[r], rankAfter: ranksAfter[r] }];
      });
      return { group, documents, relevant, runs: own };
    },
  );
  const falls = before.map((value, r) => sign * (value - left[r]));
  const scoring = evaluator(grades, [measure], { ...common, unrelated: 'accept' });
  const table = joinSystems(material.runs.map((run, r) => scoring.evaluate(run, `${r}`)));
  const needed = table.topics.length < 2 ? null : discriminativePower(table, {}).measures[0].differenceNeeded;
  return {
    measure: measure.text,
    groups: found,
    meanFall: falls.reduce((sum, fall) => sum + fall, 0) / falls.length,
    largestFall: falls.reduce((most, fall) => Math.max(most, fall), 0),
    tau: tauOf(before, left),
    differenceNeeded: needed,
    shareBeyond: needed === null ? null : falls.filter((fall) => fall > needed).length / falls.length,
  };
}

/** Reads which group each run belongs to: CSV or TSV with columns run and team or group, or two words in each line. */
export async function readGroups(name: string, platform: Platform): Promise<ReadonlyMap<string, string>> {
  const source = platform.source(name);
  const lines = (await readText(source)).split(/\r?\n/).filter((line) => line.trim() !== '');
  const separator = lines[0]?.includes('\t') === true ? /\t/ : lines[0]?.includes(',') === true ? /,/ : /\s+/;
  const header = (lines[0] ?? '').split(separator).map((cell) => cell.trim().toLowerCase());
  const [run, group] = [header.indexOf('run'), Math.max(header.indexOf('team'), header.indexOf('group'))];
  const hasHeader = run >= 0 && group >= 0;
  const groups = new Map<string, string>();
  for (const [i, line] of lines.entries()) {
    if (hasHeader && i === 0) continue;
    const cells = line.split(separator).map((cell) => cell.trim());
    const [own, team] = hasHeader ? [cells[run], cells[group]] : cells;
    if (!own || !team) {
      throw new InputError({
        source: source.name,
        line: i + 1,
        message: `expected a run and its group, found ${JSON.stringify(line.slice(0, 80))}`,
        wayOut: 'write both in each line, separated by a comma, a tab or blanks',
      });
    }
    groups.set(own, team);
  }
  return groups;
}
