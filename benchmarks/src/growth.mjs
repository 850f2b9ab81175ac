/** How the time of a command grows with what it is given: a curve over sizes, and the exponent that fits it. */

import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gradusCommand } from './contenders.mjs';
import { complaintIn, measure, median } from './cost.mjs';
import { makeFiles, shapeOf } from './datasets.mjs';
import { megabytes, seconds, table } from './report.mjs';
import { prepareVariants } from './variants.mjs';

/** A command for each size.
 *  @typedef {object} Curve
 *  @property {string} name
 *  @property {readonly number[]} sizes
 *  @property {number} nothing the size that costs no more than starting up; 0 if the command measures its work alone
 *  @property {(size: number, folder: string) => string[]} command makes the files in the folder
 *  @property {string} [why] why it grows faster than what it is given */

/** An exponent above this is explained. */
const LINEAR = 1.05;
/** Less time than this, beyond starting up, is mostly noise and compilation. */
const LEAST_SECONDS = 0.04;

/** @param {Partial<import('./generate.mjs').Shape>} shape @param {'small' | 'many-short'} like @param {string} folder
 *  @param {boolean} [shuffled] */
function files(shape, like, folder, shuffled = false) {
  return makeFiles({ ...shapeOf(like), ...shape }, join(folder, 'growth'), shuffled);
}

/** @type {readonly Curve[]} */
export const curves = [
  {
    name: 'as trec_eval: lines of a run, 1,000 a topic',
    sizes: [10_000, 100_000, 1_000_000, 10_000_000],
    nothing: 2000,
    command: (lines, folder) => {
      const { qrels, run } = files({ topics: lines / 1000 }, 'small', folder);
      return gradusCommand('as', 'trec_eval', qrels, run);
    },
  },
  {
    name: 'as trec_eval: the same, shuffled',
    sizes: [10_000, 100_000, 1_000_000, 4_000_000],
    nothing: 2000,
    command: (lines, folder) => {
      const { qrels, run } = files({ topics: lines / 1000 }, 'small', folder, true);
      return gradusCommand('as', 'trec_eval', qrels, run);
    },
    why: 'the lines of a topic come from all over the text, which up to a million lines the caches of the processor hold in part, and beyond do not',
  },
  {
    name: 'as trec_eval: topics of 10 documents',
    sizes: [100, 1000, 10_000, 100_000, 1_000_000],
    nothing: 2,
    command: (topics, folder) => {
      const { qrels, run } = files({ topics }, 'many-short', folder);
      return gradusCommand('as', 'trec_eval', qrels, run);
    },
  },
  {
    name: 'eval: runs of 50 × 100',
    sizes: [1, 5, 50, 500],
    nothing: 1,
    command: (runs, folder) => {
      const { qrels, run } = files({ topics: 50, depth: 100 }, 'small', folder);
      return gradusCommand('eval', qrels, ...prepareVariants(run, join(folder, 'runs'), runs), '-m', 'official');
    },
  },
  {
    name: 'compare: runs of 50 × 100, one measure',
    sizes: [2, 8, 32, 128, 500],
    nothing: 2,
    command: (runs, folder) => {
      const { qrels, run } = files({ topics: 50, depth: 100 }, 'small', folder);
      return gradusCommand('compare', qrels, ...prepareVariants(run, join(folder, 'runs'), runs), '-m', 'AP');
    },
    why: 'every run is tested against every other, and the pairs grow with the square of the runs',
  },
  {
    name: 'evaluate of plain objects: documents, 1,000 a topic',
    sizes: [10_000, 100_000, 1_000_000, 2_000_000],
    nothing: 0,
    command: (documents, folder) => {
      const { qrels, run } = files({ topics: documents / 1000 }, 'small', folder);
      const script = fileURLToPath(new URL('../in-memory-gradus.mjs', import.meta.url));
      return [process.execPath, '--max-old-space-size=8192', script, qrels, run, '3', 'evaluate(qrels, run) of plain objects'];
    },
    why: 'objects of more documents than the caches of the processor hold are read from memory, key by key',
  },
];

/** @param {string} cacheFolder @param {{ rounds: number, limitSeconds: number }} options
 *  @returns {import('./goals.mjs').Outcome} */
export function growth(cacheFolder, { rounds, limitSeconds }) {
  const folder = join(cacheFolder, 'growth');
  /** @type {string[]} */
  const complaints = [];
  const texts = curves.map((curve) => {
    const timeOf = (/** @type {number} */ size) => {
      process.stderr.write(`growth: ${curve.name}: ${size}\n`);
      mkdirSync(folder, { recursive: true });
      const command = curve.command(size, folder);
      const costs = Array.from({ length: rounds }, () => measure(command, { limitSeconds }));
      const failed = costs.find((cost) => cost.status !== 0);
      if (failed !== undefined) complaints.push(`growth: ${curve.name}, ${size}: ${complaintIn(failed.words)}`);
      rmSync(folder, { recursive: true, force: true });
      const ofWork = (/** @type {import('./cost.mjs').Cost} */ cost) =>
        curve.nothing > 0 ? cost.cpu : median(JSON.parse(cost.output).seconds);
      return { size, time: median(costs.map(ofWork)), peak: median(costs.map((cost) => cost.peakBytes)) };
    };
    const start = curve.nothing > 0 ? timeOf(curve.nothing).time : 0;
    const points = curve.sizes.map(timeOf);
    const text = curveText(curve, start, points, complaints);
    process.stderr.write(`${text}\n`);
    return text;
  });
  return { text: texts.join('\n'), complaints, medians: new Map() };
}

/** @param {number} value seconds */
function each(value) {
  return value < 0.001 ? `${(value * 1e6).toPrecision(3)} µs` : seconds(value);
}

/** A curve with its exponents: of the power that fits all sizes, and between the last two, where compilation weighs least.
 *  @param {Curve} curve @param {number} start what starting up takes @param {readonly { size: number, time: number, peak: number }[]} points
 *  @param {string[]} complaints */
export function curveText(curve, start, points, complaints) {
  const work = points.map(({ size, time }) => ({ size, time: time - start }));
  const overall = fittedExponent(work);
  const atLast = fittedExponent(work.slice(-2));
  const steepest = Math.max(overall, atLast);
  if (steepest > LINEAR && curve.why === undefined) {
    complaints.push(`growth: ${curve.name} grows with the power ${steepest.toFixed(2)} of its size, and nothing says why`);
  }
  const rows = points.map(({ size, time, peak }) => [
    size.toLocaleString('en'),
    seconds(time),
    each((time - start) / size),
    megabytes(peak),
  ]);
  const [before, last] = work.slice(-2).map(({ size }) => size.toLocaleString('en'));
  const because = steepest > LINEAR ? `: ${curve.why}` : '';
  const fit = Number.isNaN(overall)
    ? 'too little time to fit a power to'
    : `power ${overall.toFixed(2)} over all sizes, ${atLast.toFixed(2)} from ${before} to ${last}${because}`;
  return `**${curve.name}**: ${fit}.\n\n${table(['size', 'CPU', 'beyond start-up, each', 'peak memory'], rows)}`;
}

/** The slope of a straight line through the logarithms, by least squares; NaN for fewer than two points that are worth it.
 *  @param {readonly { size: number, time: number }[]} points */
function fittedExponent(points) {
  const logs = points.filter(({ time }) => time >= LEAST_SECONDS).map(({ size, time }) => [Math.log(size), Math.log(time)]);
  const mean = (/** @type {0 | 1} */ k) => logs.reduce((sum, point) => sum + point[k], 0) / logs.length;
  const [x, y] = [mean(0), mean(1)];
  const slope = logs.reduce((sum, point) => sum + (point[0] - x) * (point[1] - y), 0);
  return logs.length < 2 ? Number.NaN : slope / logs.reduce((sum, point) => sum + (point[0] - x) ** 2, 0);
}
