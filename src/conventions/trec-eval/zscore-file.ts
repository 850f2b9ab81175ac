import { checkWholeFile } from '../../core/limits.js';
import { readLatin1 } from '../../core/text.js';
import { doubleOf } from './byte-text.js';
import { Quit } from './quit.js';
import type { TrecEvalVersion } from './versions.js';

/** The z-score of a measure nobody gave a mean for. */
const MISSING_ZSCORE = -1000000;

/** Means and standard deviations by topic and printed name of the measure. */
export class Zscores {
  private readonly byKey: Map<string, readonly [mean: number, deviation: number]> = new Map();

  add(topic: string, measure: string, mean: number, deviation: number): void {
    const key = `${topic} ${measure}`;
    if (!this.byKey.has(key)) this.byKey.set(key, [mean, deviation]);
  }

  /** How many standard deviations the value lies above the mean. */
  score(topic: string, measure: string, value: number): number {
    const known = this.byKey.get(`${topic} ${measure}`);
    if (known === undefined) return MISSING_ZSCORE;
    const [mean, deviation] = known;
    if (deviation !== 0) return (value - mean) / deviation;
    return value === mean ? 0 : MISSING_ZSCORE;
  }
}

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
    zscores.add(topic, measure, doubleOf(mean), doubleOf(deviation));
  }
  return zscores;
}
