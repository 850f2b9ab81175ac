/** From the shell to the printed means: every contender reads both files itself, in a fresh process. */

import { spawnSync } from 'node:child_process';
import { compareMeans, overAllJudgedTopics, PRINTED_UNIT } from './agreement.mjs';
import { gradusCommand, profileOf, REFERENCES, SUBJECT } from './contenders.mjs';
import { complaintIn, measure, measureInRounds, median } from './cost.mjs';
import { megabytes, ratio, seconds, table } from './report.mjs';

/** @typedef {import('./contenders.mjs').Contender} Contender */
/** @typedef {import('./cost.mjs').Cost} Cost */
/** @typedef {import('./agreement.mjs').Means} Means */
/** @typedef {import('./datasets.mjs').DatasetFiles} DatasetFiles */

/** A contender slower than this is measured once, not once a round. */
const SLOW_SECONDS = 20;

/** @param {DatasetFiles} files @param {readonly Contender[]} contenders
 *  @param {{ rounds: number, limitSeconds: number, trecEval: string | undefined, trecEvalVersion: string | undefined }} options
 *  @returns {import('./goals.mjs').Outcome} */
export function endToEnd(files, contenders, { rounds, limitSeconds, trecEval, trecEvalVersion }) {
  const { dataset } = files;
  const running = contenders.filter((contender) => contender.only?.includes(dataset.name) ?? true);
  const measureOne = (/** @type {Contender} */ contender) => {
    process.stderr.write(`${dataset.name}: ${contender.name}\n`);
    return measure(contender.command(files), { limitSeconds, env: contender.env?.() ?? {} });
  };
  const costs = measureInRounds(running, measureOne, { rounds, slowSeconds: SLOW_SECONDS });

  const means = new Map(running.map((contender) => [contender.name, meansOf(contender, costs.get(contender) ?? [])]));
  const reference = REFERENCES.map((name) => means.get(name)).find((found) => found !== undefined);
  const complaints = /** @type {string[]} */ ([]);
  const verdicts = new Map(
    running.map((contender) => {
      const verdict = judge(contender, costs.get(contender)?.[0], means.get(contender.name), reference, dataset.shape.topics);
      if (verdict.wrong) complaints.push(`${dataset.name}: ${contender.name}: ${verdict.text}`);
      return [contender.name, verdict.wrong ? 'wrong or failed, see below' : verdict.text];
    }),
  );
  if (trecEval !== undefined && trecEvalVersion !== undefined && means.get('trec_eval') !== undefined && means.get(SUBJECT) !== undefined) {
    const complaint = compareBytes(files, trecEval, profileOf(trecEvalVersion));
    if (complaint !== undefined) complaints.push(`${dataset.name}: ${complaint}`);
  }
  const medians = new Map();
  for (const contender of running) {
    const finished = (costs.get(contender) ?? []).filter((cost) => cost.status === 0);
    if (finished.length === 0) continue;
    medians.set(contender.name, { wall: median(finished.map((cost) => cost.wall)), cpu: median(finished.map((cost) => cost.cpu)) });
  }
  return { text: costTable(running, costs, verdicts, files.runBytes, limitSeconds), complaints, medians };
}

/** @param {Contender} contender @param {readonly Cost[]} costs @returns {Means | undefined} */
function meansOf(contender, costs) {
  const first = costs[0];
  return first === undefined || first.status !== 0 ? undefined : contender.means?.(first.output);
}

/** @param {Contender} contender @param {Cost | undefined} cost @param {Means | undefined} means @param {Means | undefined} reference
 *  @param {number} judgedTopics @returns {{ wrong: boolean, text: string }} */
function judge(contender, cost, means, reference, judgedTopics) {
  if (cost === undefined || cost.timedOut) return { wrong: false, text: 'not finished' };
  if (cost.status !== 0) return { wrong: true, text: `failed with status ${cost.status}: ${complaintIn(cost.words)}` };
  if (contender.means === undefined) return { wrong: false, text: '' };
  if (means === undefined || means.size === 0) return { wrong: true, text: 'printed no means' };
  if (means === reference) return { wrong: false, text: 'the reference' };
  if (reference === undefined) return { wrong: false, text: 'not checked' };
  const expected = contender.allJudgedTopics === true ? overAllJudgedTopics(reference, judgedTopics) : reference;
  const { compared, worst, worstName } = compareMeans(means, expected);
  const tolerance = contender.tolerance ?? PRINTED_UNIT;
  // a hair more than the tolerance, because differences of decimals are not exact in binary
  if (compared === 0) return { wrong: true, text: 'shares no measure with the reference' };
  if (worst > tolerance * 1.001) return { wrong: true, text: `differs by ${worst.toFixed(6)} in ${worstName}` };
  return { wrong: false, text: worst > PRINTED_UNIT * 1.001 ? `${compared} means, within ${worst.toFixed(4)}` : `${compared} means agree` };
}

/** trec_eval and the profile of its version must print the same bytes.
 *  @param {DatasetFiles} files @param {string} trecEval @param {string} profile @returns {string | undefined} */
function compareBytes({ qrels, run }, trecEval, profile) {
  const [node, ...words] = gradusCommand('as', profile, qrels, run);
  const ours = spawnSync(node, words, { maxBuffer: 1 << 28 });
  const theirs = spawnSync(trecEval, [qrels, run], { maxBuffer: 1 << 28 });
  return ours.stdout.equals(theirs.stdout) ? undefined : `'gradus as ${profile}' and trec_eval print different bytes`;
}

/** @param {readonly Contender[]} contenders @param {ReadonlyMap<Contender, readonly Cost[]>} costs
 *  @param {ReadonlyMap<string, string>} verdicts @param {number} runBytes @param {number} limitSeconds */
function costTable(contenders, costs, verdicts, runBytes, limitSeconds) {
  const medianOf = (/** @type {Contender} */ contender, /** @type {(cost: Cost) => number} */ part) => {
    const finished = (costs.get(contender) ?? []).filter((cost) => cost.status === 0);
    return finished.length === 0 ? undefined : median(finished.map(part));
  };
  const subject = contenders.find((contender) => contender.name === SUBJECT);
  const base = subject === undefined ? undefined : medianOf(subject, (cost) => cost.wall);
  const rows = contenders.map((contender) => {
    const wall = medianOf(contender, (cost) => cost.wall);
    const cpu = medianOf(contender, (cost) => cost.cpu);
    const peak = medianOf(contender, (cost) => cost.peakBytes);
    const all = costs.get(contender) ?? [];
    return [
      contender.name,
      wall === undefined ? (all[0]?.timedOut === true ? `> ${limitSeconds} s` : '–') : seconds(wall),
      wall === undefined || base === undefined ? '' : ratio(wall / base),
      cpu === undefined ? '' : seconds(cpu),
      peak === undefined ? '' : megabytes(peak),
      peak === undefined ? '' : ratio(peak / runBytes),
      String(all.length),
      verdicts.get(contender.name) ?? '',
    ];
  });
  const notes = contenders.filter((contender) => contender.note !== undefined).map((contender) => `${contender.name}: ${contender.note}.`);
  const header = ['', 'wall', '÷ gradus', 'CPU', 'peak memory', '÷ run file', 'rounds', 'results'];
  return `${table(header, rows)}${notes.length === 0 ? '' : `\n${notes.join(' ')}\n`}`;
}
