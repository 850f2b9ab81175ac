import { InputError } from '../../core/problem.js';
import {
  type CompletedMeasure,
  type DocumentLists,
  type GradesByTopic,
  linearDifference,
  type OpenDifference,
  sumPrecisionDifference,
} from '../../judging/index.js';
import type { Measure } from '../../measures/measure.js';
import { normalDistribution } from '../../stats/distributions/distributions.js';
import type { DocumentToJudge } from './pooling.js';

/** What is known of a comparison of two runs while documents are judged. */
export interface ComparisonState {
  /** Documents that were judged for it. */
  readonly judged: number;
  /** Of the mean difference over topics, first run less second; of average precision, times the number of relevant documents. */
  readonly expected: number;
  readonly standardDeviation: number;
  /** That the run which seems ahead is ahead, once all documents are judged; 1 where nothing is open. */
  readonly probability: number;
  readonly ahead: string | null;
}

/** Two runs that are to be told apart with as few judgements as possible (after Carterette, Allan and Sitaraman,
 *  doi:10.1145/1148170.1148219): the next document is the one that would move the expected difference most. */
export class MinimalComparison {
  private readonly topics: {
    readonly name: string;
    readonly rankings: readonly (readonly string[])[];
    readonly known: Map<string, number>;
  }[];
  private readonly names: readonly string[];
  private readonly measure: CompletedMeasure;
  private readonly differences: OpenDifference[];
  private judged = 0;

  /** @param known Judgements so far. Documents of the lists that are not among them are open.
   *  @param names Of the two runs. */
  constructor(lists: readonly DocumentLists[], known: GradesByTopic, names: readonly string[], asked: Measure) {
    if (lists.length !== 2) {
      throw new InputError({
        message: `--order minimal tells two runs apart, found ${lists.length}`,
        wayOut: 'give two runs, or choose --order influence for more',
      });
    }
    this.names = names;
    this.measure = completedMeasureOf(asked);
    const topics = new Set(lists.flatMap((own) => [...own.keys()]));
    this.topics = [...topics].map((name) => {
      const rankings = lists.map((own) => own.get(name) ?? []);
      const retrieved = new Set(rankings.flat());
      return { name, rankings, known: new Map([...(known.get(name) ?? [])].filter(([doc]) => retrieved.has(doc))) };
    });
    this.differences = this.topics.map((_, t) => this.differenceOf(t));
  }

  private differenceOf(t: number): OpenDifference {
    const { rankings, known } = this.topics[t];
    const topic = { rankings, judged: known };
    return this.measure.name === 'AP' ? sumPrecisionDifference(topic) : linearDifference(topic, this.measure);
  }

  /** Documents that may still change the comparison, the one that matters most first. */
  open(): DocumentToJudge[] {
    const all = this.differences.flatMap(({ weights }, t) =>
      [...weights].map(([doc, weight]) => ({ topic: this.topics[t].name, doc, t, weight: Math.abs(weight) })),
    );
    return all
      .filter(({ weight }) => weight > 1e-12)
      .sort((a, b) => (Math.abs(a.weight - b.weight) > 1e-12 ? b.weight - a.weight : a.t - b.t || (a.doc < b.doc ? -1 : 1)))
      .map(({ topic, doc }) => ({ topic, doc }));
  }

  /** The document that matters most; undefined when none does. */
  next(): { readonly t: number; readonly topic: string; readonly doc: string } | undefined {
    let found: { t: number; topic: string; doc: string } | undefined;
    let most = 1e-12;
    for (const [t, { weights, next }] of this.differences.entries()) {
      const weight = next === undefined ? 0 : Math.abs(weights.get(next) ?? 0);
      if (next === undefined || weight <= most + 1e-12) continue;
      most = weight;
      found = { t, topic: this.topics[t].name, doc: next };
    }
    return found;
  }

  /** Says whether a document is relevant. */
  tell(t: number, doc: string, isRelevant: boolean): void {
    this.topics[t].known.set(doc, isRelevant ? 1 : 0);
    this.differences[t] = this.differenceOf(t);
    this.judged++;
  }

  state(): ComparisonState {
    const expected = this.differences.reduce((sum, own) => sum + own.expected, 0) / this.topics.length;
    const standardDeviation = Math.sqrt(this.differences.reduce((sum, own) => sum + own.variance, 0)) / this.topics.length;
    const isLevel = Math.abs(expected) <= 1e-12;
    return {
      judged: this.judged,
      expected,
      standardDeviation,
      probability: standardDeviation === 0 ? 1 : normalDistribution.cdf(Math.abs(expected) / standardDeviation),
      ahead: isLevel ? null : this.names[expected > 0 ? 0 : 1],
    };
  }
}

/** Judges documents one after another until the comparison is settled, with the judgements that there are for a judge. */
export interface MinimalReplay {
  readonly measure: string;
  readonly first: string;
  readonly second: string;
  readonly allJudged: number;
  /** How the comparison stood after each judgement up to the one at which it was settled; many are thinned out. */
  readonly trace: readonly ComparisonState[];
  /** Null if all judgements did not settle it. */
  readonly stoppedAfter: number | null;
  readonly confidence: number;
  /** The run that is ahead under all judgements; null if they are level. */
  readonly aheadUnderAll: string | null;
  readonly agrees: boolean;
}

/** Steps that a trace shows at most. */
const MOST_SHOWN = 12;

/** Replays a comparison of two runs. */
export function replayMinimal(
  lists: readonly DocumentLists[],
  grades: GradesByTopic,
  names: readonly string[],
  measure: Measure,
  { rel, confidence }: { readonly rel: number; readonly confidence: number },
): MinimalReplay {
  // what nobody judged cannot be asked for: it counts as not relevant
  const unasked = new Map<string, Map<string, number>>();
  const every = new Map<string, Map<string, number>>();
  for (const topic of new Set(lists.flatMap((own) => [...own.keys()]))) {
    const known = grades.get(topic) ?? new Map<string, number>();
    const retrieved = new Set(lists.flatMap((own) => own.get(topic) ?? []));
    unasked.set(topic, new Map([...retrieved].flatMap((doc) => (known.has(doc) ? [] : [[doc, 0]]))));
    every.set(topic, new Map([...retrieved].map((doc) => [doc, (known.get(doc) ?? 0) >= rel ? 1 : 0])));
  }
  const comparison = new MinimalComparison(lists, unasked, names, measure);
  const steps: ComparisonState[] = [comparison.state()];
  for (let next = comparison.next(); next !== undefined; next = comparison.next()) {
    if (steps[steps.length - 1].probability >= confidence) break;
    comparison.tell(next.t, next.doc, (grades.get(next.topic)?.get(next.doc) ?? 0) >= rel);
    steps.push(comparison.state());
  }
  const last = steps[steps.length - 1];
  const isSettled = last.probability >= confidence && last.ahead !== null;
  const aheadUnderAll = new MinimalComparison(lists, every, names, measure).state().ahead;
  const stride = Math.max(1, Math.ceil((steps.length - 1) / MOST_SHOWN));
  return {
    measure: measure.text,
    first: names[0],
    second: names[1],
    allJudged: [...every.values()].reduce((sum, own) => sum + own.size, 0) - [...unasked.values()].reduce((sum, own) => sum + own.size, 0),
    trace: steps.filter((_, i) => i % stride === 0 || i === steps.length - 1),
    stoppedAfter: isSettled ? last.judged : null,
    confidence,
    aheadUnderAll,
    agrees: last.ahead === aheadUnderAll,
  };
}

/** The measure by which documents are weighed. */
function completedMeasureOf({ def, params, text }: Measure): CompletedMeasure {
  const { cutoff } = params;
  if (def.name === 'AP' && cutoff === undefined) return { name: 'AP' };
  if (def.name === 'P' && typeof cutoff === 'number') return { name: 'P', k: cutoff };
  if (def.name === 'RBP' && cutoff === undefined && typeof params.p === 'number') return { name: 'RBP', p: params.p };
  throw new InputError({
    message: `--order minimal weighs documents for AP, P at a cutoff and RBP, not for ${text}`,
    wayOut: 'add -m AP, or choose another --order',
  });
}
