import { InputError } from '../../core/problem.js';
import { type Qrels, toQrels } from '../../core/qrels.js';
import type { ScoreTable } from '../../core/score-table.js';
import { ChosenColumns, type ColumnSettings } from '../../formats/tables/chosen-columns.js';
import {
  type AgreementByTopic,
  agreementByTopic,
  type BinaryAgreement,
  binaryAgreement,
  type ChanceCorrected,
  type Conclusions,
  chanceCorrected,
  codedRatings,
  conclusionsUnder,
  type GradeScale,
  type JudgeAgreementOptions,
  type JudgeBias,
  judgeBias,
  krippendorffAlpha,
  majorityGrades,
  onScale,
  type PairAgreement,
  pairAgreement,
  type Ratings,
  ratingsOf,
  ratingsOfJudges,
  tauInterval,
} from '../../judging/index.js';
import { alignTables } from '../../stats/alignment.js';
import type { Interval } from '../../stats/moments.js';
import { type ExperimentRequest, scoreExperiment } from '../experiment.js';
import type { JudgementsInput, ReadingSettings, RunInput } from '../material.js';
import { directionsOf } from '../names.js';
import { noteText } from '../notes.js';
import type { JudgingSettings } from '../plan.js';
import type { Platform } from '../platform.js';
import { type Judge, readJudges } from './judges.js';

/** Which judges are compared, and how. */
export interface AgreeRequest extends Omit<JudgeAgreementOptions, 'scale'>, JudgingSettings, ReadingSettings {
  readonly judgements: readonly JudgementsInput[];
  /** What judges are called whose judgements are in memory. */
  readonly judgeNames?: readonly string[] | undefined;
  /** Runs whose order under the judges is compared. */
  readonly runs?: readonly RunInput[] | undefined;
  /** The lowest and the highest grade. */
  readonly scale?: Pick<GradeScale, 'lowest' | 'highest'> | undefined;
  readonly outside?: GradeScale['outside'];
  /** Also for what is relevant from each of these grades on. */
  readonly relevant?: readonly number[] | undefined;
  readonly alpha?: number | undefined;
  /** Compare each judge with the most frequent grade of the others, in the place of the first judge. */
  readonly majority?: boolean | undefined;
}

/** How far one judge agrees with the first. */
export interface JudgedPair extends PairAgreement {
  readonly bias: JudgeBias;
  readonly byTopic: AgreementByTopic;
  readonly binary: readonly BinaryAgreement[];
}

/** How far judges agree, and what it does to conclusions. */
export interface Agreed {
  readonly judges: readonly string[];
  /** Each judge with the first, or with the majority of the others. */
  readonly pairs: readonly JudgedPair[];
  /** All judges together, where there are more than two. */
  readonly together: { readonly alpha: number | null; readonly fleiss: ChanceCorrected; readonly ac1: ChanceCorrected } | undefined;
  readonly outside: number;
  /** For each other judge and measure, the order of the runs under that judge and under the first. */
  readonly conclusions: readonly {
    readonly judge: string;
    readonly measure: string;
    readonly found: Conclusions;
    /** Of tau-b, by samples of topics. */
    readonly tauInterval: Interval | null;
  }[];
  readonly notes: readonly string[];
}

/** Compares judges by their files, each with the first.
 *  @throws An `InputError` if there is one judge only, or nothing that two of them graded. */
export async function agreeOf(request: AgreeRequest, platform: Platform): Promise<Agreed> {
  const chosen = new ChosenColumns(pickedFrom(request));
  const { judges, notes: reading } = await readJudges(
    request.judgements,
    { chosen, lenient: request.lenient, names: request.judgeNames },
    platform,
  );
  chosen.refuseUnused();
  if (judges.length < 2) {
    throw new InputError({
      message: 'one judge has nobody to agree with',
      wayOut: 'give the judgements of at least 2 judges, the one to compare with first',
    });
  }
  const notes = reading.map(noteText);
  const all = ratingsOf(judges.map(({ name, qrels }) => ({ name, judgements: qrels })));
  const held = request.scale === undefined ? { ratings: all, outside: 0 } : onScale(all, { ...request.scale, outside: request.outside });
  if (held.outside > 0) {
    notes.push(`${held.outside} grades outside the scale were ${request.outside === 'drop' ? 'left out' : 'moved to its nearest end'}`);
  }
  const scale = scaleOf(request.scale);
  if (request.majority === true && judges.length < 3) {
    throw new InputError({
      message: '2 judges have no majority',
      wayOut: 'give the judgements of 3 judges or more, or leave --majority out',
    });
  }
  const pairs =
    request.majority === true
      ? judges.map((_, j) => pairOf(withMajorityOfOthers(held.ratings, j), { ...request, scale }))
      : judges.slice(1).map((_, j) => pairOf(ratingsOfJudges(held.ratings, [0, j + 1]), { ...request, scale }));
  for (const { first, second, pairs: common, topics, kappa, alpha } of pairs) {
    if (common === 0) {
      throw new InputError({
        message: `${first} and ${second} judged no document of a topic in common`,
        wayOut: 'topics and documents are matched by their ids: compare those of both files',
      });
    }
    if (topics === 1 && (request.interval ?? 'topics') === 'topics') {
      notes.push(`${second}: both judged 1 topic, which says nothing of how agreement varies over topics, so there are no intervals`);
    } else if (topics < 10 && request.interval !== 'formula') notes.push(`${second}: intervals from ${topics} topics are rough`);
    if (kappa.value === null || alpha.value === null) {
      notes.push(`${second}: kappa and alpha are not defined, because all grades of both judges are equal`);
    }
  }
  const coded = codedRatings(held.ratings, scale);
  return {
    judges: judges.map(({ name }) => name),
    pairs,
    together:
      judges.length === 2
        ? undefined
        : {
            alpha: krippendorffAlpha(coded, request.measurement ?? 'ordinal'),
            fleiss: chanceCorrected(coded, 'fleiss'),
            ac1: chanceCorrected(coded, 'gwet'),
          },
    outside: held.outside,
    conclusions:
      request.runs === undefined || request.runs.length === 0 ? [] : await conclusionsOf(judges, request.runs, request, platform),
    notes,
  };
}

/** How the files of judges are read; what else was chosen is about the runs. */
function pickedFrom({ columns, judgementColumns, grades }: Pick<AgreeRequest, 'columns' | 'judgementColumns' | 'grades'>): ColumnSettings {
  return { columns, judgementColumns, grades };
}

/** What the majority of the other judges says, as the first judge, and one judge as the second. */
function withMajorityOfOthers(ratings: Ratings, judge: number): Ratings {
  const others = ratings.judges.flatMap((_, j) => (j === judge ? [] : [j]));
  const numUnits = ratings.docs.length;
  const grades = new Float64Array(2 * numUnits);
  grades.set(majorityGrades(ratings, others));
  grades.set(ratings.grades.subarray(judge * numUnits, (judge + 1) * numUnits), numUnits);
  return { ...ratings, judges: ['the majority of the others', ratings.judges[judge]], grades };
}

/** One set of judgements from those of several judges: the grade that most of them gave, the lower one where as many gave another. */
export async function mergedJudgements(
  request: Pick<AgreeRequest, 'judgements' | 'lenient' | 'columns' | 'judgementColumns' | 'grades'>,
  platform: Platform,
): Promise<Qrels> {
  const chosen = new ChosenColumns(pickedFrom(request));
  const { judges } = await readJudges(request.judgements, { chosen, lenient: request.lenient }, platform);
  const ratings = ratingsOf(judges.map(({ name, qrels }) => ({ name, judgements: qrels })));
  const grades = majorityGrades(ratings, [...judges.keys()]);
  return toQrels(ratings.docs.map((doc, u) => ({ topic: ratings.topics[ratings.topicOf[u]], doc, grade: grades[u] })));
}

function scaleOf(scale: AgreeRequest['scale']): number[] {
  return scale === undefined ? [] : Array.from({ length: scale.highest - scale.lowest + 1 }, (_, i) => scale.lowest + i);
}

function pairOf(ratings: Ratings, request: Omit<AgreeRequest, 'scale'> & { readonly scale: readonly number[] }): JudgedPair {
  return {
    ...pairAgreement(ratings, request),
    bias: judgeBias(ratings, request.scale),
    byTopic: agreementByTopic(ratings, request.measurement, request.scale),
    binary: (request.relevant ?? []).map((threshold) => binaryAgreement(ratings, threshold)),
  };
}

/** Samples of topics behind the interval of tau. */
const TAU_SAMPLES = 1000;

async function conclusionsOf(
  judges: readonly Judge[],
  runs: readonly RunInput[],
  request: AgreeRequest,
  platform: Platform,
): Promise<Agreed['conclusions']> {
  const { alpha, convention, measures, rel, ties, depth, judgedOnly, lenient, runColumns } = request;
  const tables: ScoreTable[] = [];
  for (const { qrels } of judges) {
    const asked: ExperimentRequest = {
      convention,
      measures,
      rel,
      ties,
      depth,
      judgedOnly,
      missing: 'zero',
      lenient,
      judgements: qrels,
      runs,
    };
    const named = runColumns === undefined ? asked : { ...asked, runColumns };
    tables.push(alignTables((await scoreExperiment(named, platform, { otherwise: ['nDCG@10', 'AP'] })).tables));
  }
  const [first, ...others] = tables;
  const directions = directionsOf(first.measures);
  return others.flatMap((second, j) => {
    // only topics that both sets judge
    const topics = first.topics.filter((topic) => second.topics.includes(topic));
    return first.measures.map((measure) => {
      const sign = directions[measure] === 'lower' ? -1 : 1;
      const columns = (table: ScoreTable): Float64Array[] =>
        first.systems.map((_, s) => Float64Array.from(topics, (topic) => sign * (table.value(topic, measure, s) || 0)));
      const scorings = { systems: first.systems, first: columns(first), second: columns(second) };
      return {
        judge: judges[j + 1].name,
        measure,
        found: conclusionsUnder(scorings, { alpha }),
        tauInterval: tauInterval(scorings, { resamples: Math.min(request.resamples ?? TAU_SAMPLES, TAU_SAMPLES), seed: request.seed }),
      };
    });
  });
}
