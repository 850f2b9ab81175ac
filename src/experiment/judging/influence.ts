import { seededRandom } from '../../core/numbers/random.js';
import {
  type DocumentLists,
  documentInfluence,
  expectedAveragePrecision,
  type GradesByTopic,
  type PooledTopic,
  RelevanceModel,
  type TopicJudgements,
} from '../../judging/index.js';

/** Of a budget, the share that goes to the documents that runs place highest, and to documents drawn at random, before any is chosen by its
 *  influence: a model has to know both what is likely and what is not. */
const FIRST_SHARE = 0.3;
const DRAWN_SHARE = 0.1;
/** How often the model is fitted again while documents are chosen. */
const ROUNDS = 8;

/** A pool of documents with where each run places them. */
export interface InfluencePool {
  readonly names: readonly string[];
  /** Documents of each topic, in the order of their ids. */
  readonly docs: readonly (readonly string[])[];
  readonly topics: readonly PooledTopic[];
}

/** The documents of a pool, by topic, with the ranks that whole lists give them. */
export function influencePool(lists: readonly DocumentLists[], poolDocs: ReadonlyMap<string, readonly string[]>): InfluencePool {
  const names = [...poolDocs.keys()];
  const docs = names.map((topic) => [...(poolDocs.get(topic) ?? [])].sort());
  const topics = names.map((topic, t): PooledTopic => {
    const numberOf = new Map(docs[t].map((doc, d) => [doc, d]));
    return {
      numDocs: docs[t].length,
      runs: lists.map((own) => {
        const places = (own.get(topic) ?? []).flatMap((doc, i) => (numberOf.has(doc) ? [[numberOf.get(doc) ?? 0, i + 1]] : []));
        return { docs: Uint32Array.from(places, ([d]) => d), ranks: Uint32Array.from(places, ([, rank]) => rank) }; // fits: entries
      }),
    };
  });
  return { names, docs, topics };
}

/** What is judged in a pool so far, to which documents are added. */
class Judged {
  readonly known: readonly (TopicJudgements & { readonly judged: number[] })[];
  private readonly isJudged: readonly Uint8Array[];

  constructor({ names, docs, topics }: InfluencePool, grades: GradesByTopic, rel: number) {
    this.known = names.map((name, t) => {
      const own = grades.get(name);
      return { judged: [], isRelevant: (d) => (own?.get(docs[t][d]) ?? 0) >= rel };
    });
    this.isJudged = topics.map(({ numDocs }) => new Uint8Array(numDocs)); // fits: flags
  }

  add(topic: number, doc: number): void {
    this.isJudged[topic][doc] = 1;
    this.known[topic].judged.push(doc);
  }

  has(topic: number, doc: number): boolean {
    return this.isJudged[topic][doc] === 1;
  }

  get size(): number {
    return this.known.reduce((sum, { judged }) => sum + judged.length, 0);
  }
}

/** Documents of all topics that nobody judged, the one that matters most to the order of the runs first. */
function byInfluence(pool: InfluencePool, probabilities: readonly Float64Array[], judged: Judged): { topic: number; doc: number }[] {
  const influence = documentInfluence(pool.topics, probabilities);
  const open = influence.flatMap((own, topic) =>
    Array.from(own, (value, doc) => ({ value, topic, doc })).filter(({ doc }) => !judged.has(topic, doc)),
  );
  return open.sort((a, b) => b.value - a.value || a.topic - b.topic || a.doc - b.doc);
}

/** Judges documents by their influence, with the judgements that there are for a judge.
 *  @returns How many were judged and found relevant, and the average precision of each run that is then expected. */
export function replayInfluence(
  pool: InfluencePool,
  model: RelevanceModel,
  grades: GradesByTopic,
  { budget, rel, seed }: { readonly budget: number; readonly rel: number; readonly seed: number },
): { readonly judged: number; readonly relevant: number; readonly means: Float64Array } {
  const judged = new Judged(pool, grades, rel);
  const total = budget * pool.topics.length;
  for (const [t, topic] of pool.topics.entries()) {
    const weights = new Float64Array(topic.numDocs);
    for (const { docs, ranks } of topic.runs) {
      for (let i = 0; i < docs.length; i++) if (ranks[i] <= 100) weights[docs[i]] += 0.9 ** (ranks[i] - 1);
    }
    const highest = Array.from(weights.keys()).sort((a, b) => weights[b] - weights[a] || a - b);
    for (const d of highest.slice(0, Math.floor(FIRST_SHARE * budget))) judged.add(t, d);
    const random = seededRandom(seed, t);
    const drawn = highest
      .filter((d) => !judged.has(t, d) && weights[d] > 0)
      .map((d) => ({ d, at: random.float() }))
      .sort((a, b) => a.at - b.at);
    for (const { d } of drawn.slice(0, Math.floor(DRAWN_SHARE * budget))) judged.add(t, d);
  }
  let probabilities = model.probabilities(judged.known);
  for (let round = 0; round < ROUNDS && judged.size < total; round++) {
    const wanted = Math.ceil((total - judged.size) / (ROUNDS - round));
    for (const { topic, doc } of byInfluence(pool, probabilities, judged).slice(0, wanted)) judged.add(topic, doc);
    probabilities = model.probabilities(judged.known);
  }
  return {
    judged: judged.size,
    relevant: judged.known.reduce((sum, own) => sum + own.judged.filter(own.isRelevant).length, 0),
    means: expectedAveragePrecision(pool.topics, probabilities),
  };
}

/** The documents to judge next over all topics, those that matter most to the order of the runs first. */
export function nextByInfluence(
  pool: InfluencePool,
  grades: GradesByTopic,
  { budget, rel }: { readonly budget: number; readonly rel: number },
): { readonly topic: string; readonly doc: string }[] {
  const judged = new Judged(pool, grades, rel);
  for (const [t, name] of pool.names.entries()) {
    for (const [d, doc] of pool.docs[t].entries()) if (grades.get(name)?.has(doc) === true) judged.add(t, d);
  }
  const probabilities = new RelevanceModel(pool.topics).probabilities(judged.known);
  return byInfluence(pool, probabilities, judged)
    .slice(0, budget * pool.topics.length)
    .map(({ topic, doc }) => ({ topic: pool.names[topic], doc: pool.docs[topic][doc] }));
}
