import { toByteText } from '../byte-text.js';
import { linesOf, readFileText, ToolExit, type ToolHost } from '../host.js';
import { javaNumber, type RankList } from './lists.js';

/** A weighted sum of features. */
export interface LinearModel {
  readonly features: readonly number[];
  readonly weights: readonly number[];
}

/** Reads what coordinate ascent saves: `## Coordinate Ascent`, more lines of that kind, then one line of pairs. */
export function readLinearModel(host: ToolHost, path: string): LinearModel {
  const text = readFileText(host, path);
  if (text === undefined) throw new ToolExit(1, { err: `Error reading file: ${toByteText(path)}\n` });
  const lines = linesOf(text).map((line) => line.trim());
  if (lines[0] !== '## Coordinate Ascent') {
    const found = lines[0]?.startsWith('## ') ? lines[0].slice(3) : 'something else';
    throw new ToolExit(1, { out: `${toByteText(path)}: expected a linear model (## Coordinate Ascent), found ${found}.\n` });
  }
  const features: number[] = [];
  const weights: number[] = [];
  const pairs = lines.find((line) => line !== '' && !line.startsWith('##')) ?? '';
  for (const pair of pairs.split(/[ \t]+/).filter((word) => word !== '')) {
    const [feature, weight = ''] = pair.split(':');
    features.push(Math.trunc(javaNumber(feature)));
    weights.push(javaNumber(weight));
  }
  return { features, weights };
}

/** A score for each document of a list, summed in the order of the model. */
export function linearScores({ features, weights }: LinearModel, list: RankList): Float64Array {
  const { numFeatures } = list;
  const scores = new Float64Array(list.labels.length);
  for (let d = 0; d < scores.length; d++) {
    let score = 0;
    for (let i = 0; i < features.length; i++) {
      const value = features[i] <= numFeatures ? (list.features?.[d * numFeatures + features[i] - 1] ?? 0) : 0;
      score += weights[i] * value;
    }
    scores[d] = score;
  }
  return scores;
}
