/** How the ratios of one run of the benchmarks stand to what we want them to be. */

import { SUBJECT } from './contenders.mjs';
import { OBJECTS, REFERENCE, SMALL_CALLS, SMALL_REFERENCE } from './in-memory.mjs';
import { COMPARE, LOOP, TOGETHER } from './many-runs.mjs';
import { PYTHON_SECOND, pythonInputs, pythonName } from './python.mjs';
import { ratio, table } from './report.mjs';
import { FLOOR, SMALL } from './start-up.mjs';

/** What a part of the benchmarks found: its table, what is wrong, and the medians of each contender in seconds.
 *  @typedef {{ text: string, complaints: string[], medians: Map<string, { wall: number, cpu: number }> }} Outcome */

/** @typedef {object} Goal
 *  @property {string} work
 *  @property {string} part the part of the benchmarks that measures it
 *  @property {string} ours
 *  @property {string} [theirs] what it is divided by, or what is divided by it; none for plain seconds
 *  @property {'at least' | 'at most'} sense `at least`: how many times as fast as the other; `at most`: how many times its time
 *  @property {number} bound */

/** @type {readonly Goal[]} */
export const goals = [
  { work: '50 × 1,000, as trec_eval', part: 'start-up', ours: SMALL, theirs: FLOOR, sense: 'at most', bound: 1.3 },
  { work: '1,000 × 1,000', part: 'medium', ours: SUBJECT, theirs: 'trec_eval', sense: 'at least', bound: 6 },
  { work: 'the same, lines shuffled', part: 'medium-shuffled', ours: SUBJECT, theirs: 'trec_eval', sense: 'at least', bound: 4 },
  { work: '6,980 × 1,000', part: 'large', ours: SUBJECT, theirs: 'trec_eval', sense: 'at least', bound: 18 },
  { work: '500,000 × 10', part: 'many-short', ours: SUBJECT, theirs: 'pytrec_eval', sense: 'at least', bound: 15 },
  { work: '126 runs in one eval', part: 'many-runs', ours: TOGETHER, theirs: LOOP, sense: 'at least', bound: 10 },
  { work: 'evaluate of plain objects, 1,000 × 1,000', part: 'in-memory', ours: OBJECTS, theirs: REFERENCE, sense: 'at most', bound: 0.9 },
  {
    work: '100,000 calls of an evaluator, 1 × 10',
    part: 'in-memory',
    ours: SMALL_CALLS,
    theirs: SMALL_REFERENCE,
    sense: 'at most',
    bound: 1.5,
  },
  { work: 'compare of 126 runs by one measure, seconds', part: 'many-runs', ours: COMPARE, sense: 'at most', bound: 1.5 },
  ...pythonInputs.map(
    ({ given, bound }) =>
      /** @type {Goal} */ ({
        work: `Python, 1,000 × 1,000 from ${given}`,
        part: 'python',
        ours: pythonName('gradus', given),
        theirs: pythonName('pytrec_eval', given),
        sense: 'at most',
        bound,
      }),
  ),
  { work: 'Python, the second small call, seconds', part: 'python', ours: PYTHON_SECOND, sense: 'at most', bound: 0.005 },
];

/** How the table is to be read. */
export const goalNotes =
  '`at least`: how many times as fast as the other; `at most`: how many times its time, or seconds. Wall time decides; it assumes that nothing else uses the cores. The ratios of processor time over all threads are beside it, because they hold on a busy machine too.';

/** @param {ReadonlyMap<string, Outcome>} outcomes by part; goals whose part was not run are left out
 *  @returns {string} a table, or nothing */
export function goalTable(outcomes) {
  const rows = goals.flatMap((goal) => {
    const medians = outcomes.get(goal.part)?.medians;
    const ours = medians?.get(goal.ours);
    const theirs = goal.theirs === undefined ? { wall: 1, cpu: 1 } : medians?.get(goal.theirs);
    if (ours === undefined || theirs === undefined) return [];
    const reached = (/** @type {'wall' | 'cpu'} */ time) =>
      goal.sense === 'at least' ? theirs[time] / ours[time] : ours[time] / theirs[time];
    const isMet = goal.sense === 'at least' ? reached('wall') >= goal.bound : reached('wall') <= goal.bound;
    const against = goal.theirs ?? '–';
    return [[goal.work, against, `${goal.sense} ${goal.bound}`, ratio(reached('wall')), ratio(reached('cpu')), isMet ? 'yes' : 'no']];
  });
  if (rows.length === 0) return '';
  return table(['', 'against', 'goal', 'wall', 'CPU', 'met'], rows);
}
