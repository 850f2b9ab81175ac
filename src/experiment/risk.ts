/** How much systems risk against a baseline. */
import { type FeatureMatrix, inRowOrder, queryText } from '../core/feature-matrix.js';
import { InputError } from '../core/problem.js';
import { judgedLists } from '../core/ranked-lists.js';
import type { ScoreTable } from '../core/score-table.js';
import { readContent } from '../formats/read.js';
import type { ByteSource } from '../formats/source.js';
import { type EvaluationRules, evaluateScores } from '../ltr/evaluate-model.js';
import { evaluator } from '../measures/evaluate.js';
import type { Measure } from '../measures/measure.js';
import { alignedScores } from '../stats/alignment.js';
import { type BaselineRisk, baselineRisk, type GeoRisk, geoRisks } from '../stats/risk.js';
import type { ComparableScores } from './comparison.js';
import { directionsOf } from './names.js';

/** What one system risks. */
export interface SystemRisk extends BaselineRisk, GeoRisk {
  readonly system: string;
  readonly mean: number;
  /** The topic on which most is lost against the baseline, and how much; null if nothing is. */
  readonly worst: { readonly topic: string; readonly difference: number } | null;
}

/** What all systems risk by one measure. */
export interface RiskTable {
  readonly measure: string;
  readonly baseline: string;
  readonly alpha: number;
  readonly topics: number;
  readonly systems: readonly SystemRisk[];
}

/** How much a loss counts unless it is said. */
export const DEFAULT_RISK = 1;

/** URisk, TRisk and GeoRisk of systems; the first is the baseline unless another is named. */
export function risksOf(
  { table, measures, missing }: ComparableScores,
  {
    baseline = table.systems[0],
    alpha = DEFAULT_RISK,
  }: { readonly baseline?: string | undefined; readonly alpha?: number | undefined } = {},
): RiskTable[] {
  const reference = table.systems.indexOf(baseline);
  if (reference < 0) {
    throw new InputError({
      message: `there is no system ${baseline} to hold the others against`,
      wayOut: `it can be ${table.systems.join(', ')}`,
    });
  }
  const directions = directionsOf(measures);
  return measures.map((measure) => {
    const { systems, topics } = alignedScores(table, measure, missing);
    if (topics.length < 2) throw new InputError(`${measure}: found ${topics.length} topics, expected two or more to see a risk`);
    if (directions[measure] === 'lower' || systems.some((values) => values.some((value) => value < 0))) {
      throw new InputError({
        message: `${measure} is not a measure of gains from 0 up, which GeoRisk is about`,
        wayOut: 'take a measure such as nDCG@10',
      });
    }
    const geo = geoRisks(systems, alpha);
    return {
      measure,
      baseline,
      alpha,
      topics: topics.length,
      systems: table.systems.map((system, s) => ({
        system,
        mean: systems[s].reduce((sum, value) => sum + value, 0) / topics.length,
        ...baselineRisk(systems[s], systems[reference], alpha),
        ...geo[s],
        worst: worstTopic(topics, systems[s], systems[reference]),
      })),
    };
  });
}

function worstTopic(topics: readonly string[], values: Float64Array, baseline: Float64Array): SystemRisk['worst'] {
  let worst: SystemRisk['worst'] = null;
  for (const [q, topic] of topics.entries()) {
    const difference = values[q] - baseline[q];
    if (difference < (worst?.difference ?? 0)) worst = { topic, difference };
  }
  return worst;
}

/** The value of a baseline for each query of these documents: from a run, or from scores, one for each line of the file.
 *  @param whole  all documents of that file, of which `matrix` may be a part */
export async function readBaseline(
  source: ByteSource,
  whole: FeatureMatrix,
  matrix: FeatureMatrix,
  measure: Measure,
  rules: EvaluationRules,
): Promise<Float64Array> {
  const content = await readContent(source, undefined);
  const table = baselineTable(content, source, whole, measure, rules);
  const topics = new Map(table.topics.map((topic, t) => [topic, t]));
  const values = table.column(0);
  return Float64Array.from(matrix.queryOf, (_, q) => {
    const value = values[topics.get(queryText(matrix, q)) ?? -1] ?? 0;
    return Number.isNaN(value) ? 0 : value;
  });
}

function baselineTable(
  content: Awaited<ReturnType<typeof readContent>>,
  source: ByteSource,
  whole: FeatureMatrix,
  measure: Measure,
  rules: EvaluationRules,
): ScoreTable {
  if (content.kind === 'predictions') {
    return evaluateScores(inRowOrder(whole, content.predictions), whole, [measure], rules, source.name);
  }
  if (content.kind === 'run') {
    const { qrels } = judgedLists(whole, new Float64Array(whole.numRecords), source.name);
    return evaluator(qrels, [measure], rules).evaluate(content.run, source.name);
  }
  throw new InputError({
    source: source.name,
    message: `expected a run or scores of the training documents, found ${content.kind}`,
    wayOut: 'gradus score writes both',
  });
}
