import type { TrecEvalVersion } from '../../conventions/trec-eval-versions.js';
import { evaluationLimits } from '../../core/evaluation-limits.js';
import { checkWholeFile } from '../../core/limits.js';
import { InputError, namingSource } from '../../core/problem.js';
import { readLatin1 } from '../../core/text.js';
import { doubleOf } from '../byte-text.js';
import { Quit } from './quit.js';

/** The z-score of a measure nobody gave a mean for. */
const MISSING_ZSCORE = -1000000;

/** Means and standard deviations by topic and printed name of the measure. */
export class Zscores {
  private readonly byMeasure: Map<string, Map<string, readonly [mean: number, deviation: number]>> = new Map();

  add(topic: string, measure: string, mean: number, deviation: number): void {
    const byTopic = this.byMeasure.get(measure) ?? new Map();
    if (byTopic.has(topic)) return;
    const { measures, topics } = evaluationLimits;
    if (byTopic.size === 0 && this.byMeasure.size === measures) throw new InputError(`expected at most ${measures} measures, found more`);
    if (byTopic.size === topics) throw new InputError(`expected at most ${topics} topics, found more`);
    this.byMeasure.set(measure, byTopic.set(topic, [mean, deviation]));
  }

  /** How many standard deviations the value lies above the mean. */
  score(topic: string, measure: string, value: number): number {
    const known = this.byMeasure.get(measure)?.get(topic);
    if (known === undefined) return MISSING_ZSCORE;
    const [mean, deviation] = known;
    if (deviation !== 0) return (value - mean) / deviation;
    return value === mean ? 0 : MISSING_ZSCORE;
  }
}

/** Reads the means and deviations that `-Z` names; ends as trec_eval does if it cannot. */
export function readZscores(file: Uint8Array | undefined, path: string, version: TrecEvalVersion): Zscores {
  if (file === undefined) throw new Quit(255, `trec_eval.${version.zscoreReader}: Cannot read zscores file '${path}'\n`);
  checkWholeFile(path, file.length);
  const lines = readLatin1(file, 0, file.length).split('\n');
  if (lines[lines.length - 1] === '') lines.pop();
  const zscores = new Zscores();
  for (const [i, line] of lines.entries()) {
    const fields = line.match(/[^ \t\v\f\r]+/g) ?? [];
    if (fields.length !== 4) throw new Quit(255, `trec_eval.get_zscores: Malformed line ${i + 1}\n`);
    const [topic, measure, mean, deviation] = fields;
    namingSource(path, () => zscores.add(topic, measure, doubleOf(mean), doubleOf(deviation)));
  }
  return zscores;
}
