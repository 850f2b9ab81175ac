import { emptyView, type TopicView, UNJUDGED } from '../../../core/judging/judge.js';

/** A topic some documents of which nobody judged. */
export interface OpenTopic {
  readonly topic: string;
  /** Documents without a judgement that may turn out relevant, in the order of their ids. */
  readonly docs: readonly string[];
  /** Grades of all documents with a judgement. */
  readonly known: Float64Array;
  readonly runs: readonly OpenRanking[];
}

/** What one run places where. */
export interface OpenRanking {
  /** The grade of each ranked document; `UNJUDGED` where there is none. */
  readonly codes: Float64Array;
  /** Places of the open documents, from 0, and which of `docs` stands there. */
  readonly places: Uint32Array;
  readonly docs: Uint32Array;
}

/** The rankings of a topic as measures see them, with grades for the open documents. */
export class CompletedTopic {
  private readonly topic: OpenTopic;
  private readonly views: TopicView[];
  private readonly asJudged: TopicView[];
  /** The grades that occur, the highest first, and how many documents with a judgement have each. */
  private readonly levels: Float64Array;
  private readonly knownCounts: Uint32Array;
  private readonly counts: Uint32Array;
  private readonly judged: Float64Array;

  /** @param scale The grades that a document may get. */
  constructor(topic: OpenTopic, scale: readonly number[]) {
    this.topic = topic;
    this.levels = Float64Array.from(new Set([...topic.known, ...scale]))
      .sort()
      .reverse();
    this.knownCounts = Uint32Array.from(this.levels, (level) => topic.known.reduce((sum, grade) => sum + (grade === level ? 1 : 0), 0)); // fits: entries
    this.counts = new Uint32Array(this.levels.length); // fits: entries
    this.judged = new Float64Array(topic.known.length + topic.docs.length);
    const known = topic.known.slice().sort().reverse();
    const viewOf = (codes: Float64Array, judged: Float64Array): TopicView => ({
      ...emptyView(),
      codes,
      numRetrieved: codes.length,
      judged,
      numJudged: judged.length,
    });
    this.views = topic.runs.map(({ codes }) => viewOf(codes.slice(), this.judged));
    this.asJudged = topic.runs.map(({ codes }) => viewOf(codes, known));
  }

  /** A ranking as it was judged. */
  judgedView(run: number): TopicView {
    return this.asJudged[run];
  }

  /** A ranking with these grades of the open documents.
   *  @param all Grades by which all documents of the topic are counted, if they are to be others. */
  view(run: number, grades: ArrayLike<number>, all: ArrayLike<number> = grades): TopicView {
    const { levels, counts, judged } = this;
    const { places, docs } = this.topic.runs[run];
    const view = this.views[run];
    for (let i = 0; i < places.length; i++) view.codes[places[i]] = grades[docs[i]];
    counts.set(this.knownCounts);
    for (let d = 0; d < all.length; d++) {
      let level = 0;
      while (levels[level] !== all[d]) level++;
      counts[level]++;
    }
    for (let level = 0, at = 0; level < levels.length; level++) {
      judged.fill(levels[level], at, at + counts[level]);
      at += counts[level];
    }
    return view;
  }
}

/** A topic from rankings of documents and what is known of these.
 *  @param lists The documents of each run, the best first.
 *  @param known Grades of documents with a judgement.
 *  @param open Documents that may turn out relevant; others without a judgement stay so. */
export function openTopic(
  topic: string,
  lists: readonly (readonly string[])[],
  known: ReadonlyMap<string, number>,
  open: readonly string[],
): OpenTopic {
  const numberOf = new Map(open.map((doc, d) => [doc, d]));
  return {
    topic,
    docs: open,
    known: Float64Array.from(known.values()),
    runs: lists.map((list) => {
      const places = list.flatMap((doc, i) => (numberOf.has(doc) ? [i] : []));
      return {
        codes: Float64Array.from(list, (doc) => known.get(doc) ?? UNJUDGED),
        places: Uint32Array.from(places), // fits: entries
        docs: Uint32Array.from(places, (place) => numberOf.get(list[place]) ?? 0), // fits: entries
      };
    }),
  };
}
