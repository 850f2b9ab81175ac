import { setImmediate } from 'node:timers/promises';
import { evaluationLimits } from '../../core/evaluation-limits.js';
import type { InputError } from '../../core/problem.js';
import { LetorLines } from '../../formats/letor/lines.js';
import type { LetorOptions } from '../../formats/letor/options.js';
import type { LetorReading } from '../../formats/letor/parser.js';
import { type FeatureRoom, joinParts, type LetorPart } from '../../formats/letor/parts.js';
import { withOpenFile } from '../reading.js';
import type { WorkerTeam } from '../threads/team.js';
import {
  type DividedFile,
  giveUp,
  isTurnOf,
  type NumberedParts,
  numParts,
  type PartControl,
  PartParser,
  PartProgress,
  type PartTask,
  partControl,
  partControlWords,
  placePart,
} from './letor-file-parts.js';
import type { PartAnswer } from './letor-worker.js';

/** Text that is parsed at a time: its values fit into a cache, from which they are copied to their place. */
const PART_BYTES = 1 << 20;
/** Room beyond what the first part lets expect. What is not used is never touched, and takes no memory. */
const SPARE_ROOM = 1.25;
/** Text that a value takes at least, with its id and a blank. */
const SHORTEST_VALUE = 4;
/** How long to wait before looking whether a thread has died. */
const PATIENCE = 2;

/** Whether the lines of a file can be read apart from one another. */
export function canReadTogether({ scattered, features, groupSizes, checkLine, readLabel }: LetorOptions): boolean {
  const dependOnOthers = scattered === 'refuse' || groupSizes !== undefined;
  const areFunctions = checkLine !== undefined || readLabel !== undefined;
  return !dependOnOthers && !areFunctions && features !== false && typeof SharedArrayBuffer !== 'undefined';
}

/** Reads a plain feature file with all threads of a team, to the same result as with one; the features are in shared memory.
 *  @param textStart  where the text begins
 *  @param size       how long the file is */
export async function loadLetorTogether(
  path: string,
  options: LetorOptions,
  team: Pick<WorkerTeam, 'run'>,
  textStart: number,
  size: number,
  partBytes: number = PART_BYTES,
): Promise<LetorReading> {
  return await withOpenFile(path, async ({ file, unreadable }) => {
    const source: DividedFile = { file, textStart, size, partBytes };
    const parser = new PartParser(source, options);
    const first = parser.parse(0);
    const task: PartTask = {
      source,
      // names are only needed in the end
      options: { ...options, featureNames: undefined },
      control: partControlWords(),
      numPlaced: new Float64Array(new SharedArrayBuffer(8)),
      room: roomFor(first, source, options.precision === 'single'),
    };
    const control = partControl(task.control);
    control.parts.offer(numParts(source), 1);
    const parts: LetorPart[] = [placePart(0, first, task, control)];
    for (const [number, part] of await readParts(task, control, parser, team, unreadable)) parts[number] = part;
    return joinParts(parts, new LetorLines(options), task.room);
  });
}

/** Memory for all values, going by those of the first part. */
export function roomFor({ rows }: LetorLines, { size, partBytes }: Pick<DividedFile, 'size' | 'partBytes'>, single: boolean): FeatureRoom {
  const numFirst = rows.rowOffsets[rows.numRows];
  const perByte = numFirst > 0 ? (numFirst / partBytes) * SPARE_ROOM : 1;
  // beyond what can be numbered the rest is kept apart, and refused when all is put together
  const length = Math.min(Math.ceil(Math.min(perByte, 1 / SHORTEST_VALUE) * size) + 1024, evaluationLimits.entries);
  const values = new SharedArrayBuffer(length * (single ? 4 : 8));
  return {
    // fits: single precision, which was asked for; stores that round say so
    values: single ? new Float32Array(values) : new Float64Array(values),
    columns: new Uint32Array(new SharedArrayBuffer(length * 4)), // fits: entries
  };
}

/** Reads the other parts, here and in all threads of the team. */
async function readParts(
  task: PartTask,
  control: PartControl,
  parser: PartParser,
  team: Pick<WorkerTeam, 'run'>,
  unreadable: (reason: string) => InputError,
): Promise<NumberedParts> {
  const parts: NumberedParts = [];
  const helpers = team.run(new URL('./letor-worker.js', import.meta.url), task) as Promise<readonly PartAnswer[]>;
  let lost: unknown;
  helpers.catch((error: unknown) => {
    lost = error;
    giveUp(control);
  });
  const progress = new PartProgress(task.source);
  try {
    for (let part = control.parts.next(); part >= 0; part = control.parts.next()) {
      progress.took(part);
      const lines = parser.parse(part);
      // news of a thread that has died come in between
      while (!isTurnOf(part, control, PATIENCE)) await setImmediate();
      parts.push([part, placePart(part, lines, task, control)]);
    }
    // another thread has failed: the parts that are left are nobody's
    if (control.parts.isStopped) throw new Error('a thread that reads other lines has failed');
  } catch (error) {
    giveUp(control);
    const answers = await helpers.catch(() => []);
    const failure = answers.find((answer) => answer.failure !== undefined)?.failure;
    throw failure === undefined ? (lost ?? error) : unreadable(failure);
  }
  for (const answer of await helpers) {
    if (answer.failure !== undefined) throw unreadable(answer.failure);
    parts.push(...answer.parts);
  }
  progress.took(numParts(task.source) - 1);
  return parts;
}
