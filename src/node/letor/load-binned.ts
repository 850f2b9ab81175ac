import { setImmediate } from 'node:timers/promises';
import type { InputError } from '../../core/problem.js';
import { LetorLines } from '../../formats/letor/lines.js';
import type { LetorOptions } from '../../formats/letor/options.js';
import type { LetorReading } from '../../formats/letor/parser.js';
import { joinParts } from '../../formats/letor/parts.js';
import { MAX_BINS } from '../../ltr/trees/bin-edges.js';
import { SAMPLE_ROWS } from '../../ltr/trees/binned-data.js';
import { createGrowingMemory } from '../../ltr/trees/kernel.js';
import { FIRST_ADDRESS, GROUP } from '../../ltr/trees/layout.js';
import { withOpenFile } from '../reading.js';
import type { WorkerTeam } from '../threads/team.js';
import {
  type BinningTask,
  type BinTarget,
  createSurvey,
  edgeBytes,
  factsOfPart,
  type Survey,
  scratchBytes,
  surveyed,
  surveyPart,
} from './binning.js';
import { performParts } from './binning-worker.js';
import {
  type DividedFile,
  giveUp,
  isTurnOf,
  type NumberedParts,
  numParts,
  type PartControl,
  PartParser,
  PartProgress,
  partControl,
  partControlWords,
} from './letor-file-parts.js';
import type { PartAnswer } from './letor-worker.js';

/** Text that is parsed at a time. */
const PART_BYTES = 1 << 20;
/** Room that trees need beside the bins, for each row and at least, so that what does not fit is found out before it is read again. */
const BYTES_PER_ROW = 120;
const MOST_BYTES = 2 ** 32;
/** How long to wait before looking whether a thread has died. */
const PATIENCE = 2;

/** Reads a large plain feature file twice: to learn what its columns are like, and to put every value into its bin. The values themselves
 *  are never kept. Undefined where the usual way is better, or says more: for few rows, for sparse ones, for scattered queries, and for
 *  files with something wrong in them.
 *  @param bins       how many bins for values a feature has at most
 *  @param textStart  where the text begins
 *  @param size       how long the file is */
export async function loadBinned(
  path: string,
  options: LetorOptions,
  team: Pick<WorkerTeam, 'run' | 'size'>,
  bins: number,
  textStart: number,
  size: number,
  partBytes: number = PART_BYTES,
): Promise<LetorReading | undefined> {
  return await withOpenFile(path, async ({ file, unreadable }) => {
    const source: DividedFile = { file, textStart, size, partBytes };
    return await new BinnedReading(source, options, team, bins, unreadable).read();
  });
}

/** One reading of a file into bins. */
class BinnedReading {
  private readonly source: DividedFile;
  private readonly options: LetorOptions;
  private readonly team: Pick<WorkerTeam, 'run' | 'size'>;
  private readonly maxValueBins: number;
  private readonly unreadable: (reason: string) => InputError;

  constructor(
    source: DividedFile,
    options: LetorOptions,
    team: Pick<WorkerTeam, 'run' | 'size'>,
    maxValueBins: number,
    unreadable: (reason: string) => InputError,
  ) {
    this.source = source;
    this.options = options;
    this.team = team;
    this.maxValueBins = maxValueBins;
    this.unreadable = unreadable;
  }

  async read(): Promise<LetorReading | undefined> {
    const { source, options } = this;
    const { rows } = new PartParser(source, options).parse(0);
    const width = options.numFeatures ?? rows.numColumns;
    const isSparse = rows.numRows * width * 8 > rows.rowOffsets[rows.numRows] * 12;
    if (rows.numRows === 0 || width === 0 || isSparse) return undefined;
    const survey = createSurvey(width, options.missing ?? 0);
    const parts = (await this.perform({ kind: 'survey', survey }, numParts(source))).sort(([a], [b]) => a - b);
    const { isOdd, numRows, numGiven, fingerprint, sample } = surveyed(survey);
    if (isOdd || numRows <= SAMPLE_ROWS || numRows * width * 8 > numGiven * 12) return undefined;
    const target = this.targetOf(width, numRows, parts);
    if (target === undefined) return undefined;
    const nothing = { values: new Float64Array(0), columns: new Uint32Array(0) }; // fits: entries
    const kept = parts.map(([, part]) => part);
    const { matrix, skipped } = joinParts(kept, new LetorLines({ ...options, features: false }), nothing);
    // queries whose lines do not stand together are brought together, and then rows are not where their lines are
    if (matrix.records !== undefined || matrix.numRows !== numRows) return undefined;
    await this.perform({ kind: 'edges', sample, target, maxValueBins: this.maxValueBins }, width);
    await this.perform({ kind: 'bins', target }, numParts(source));
    const reals = new Float64Array(target.memory.buffer);
    const edges = Array.from({ length: width }, (_, f) => {
      const at = target.edges / 8 + f * MAX_BINS;
      return reals.slice(at, at + target.numBins[f] - 2);
    });
    const { count, least, most } = survey;
    const binned = {
      numFeatures: width,
      firstFeature: options.firstFeature ?? 1,
      numGiven,
      names: options.featureNames,
      memory: target.memory,
      address: target.bins,
      stride: target.stride,
      end: Math.ceil((target.bins + numRows * target.stride) / 64) * 64,
      edges,
      maxValueBins: this.maxValueBins,
      facts: { count, least, most },
      fingerprint,
    };
    return { matrix: { ...matrix, binned }, skipped };
  }

  /** Memory for all bins; undefined if there is none. */
  private targetOf(width: number, numRows: number, parts: NumberedParts): BinTarget | undefined {
    const stride = Math.ceil(width / GROUP) * GROUP;
    const edges = FIRST_ADDRESS;
    const scratch = edges + edgeBytes(width);
    const bins = scratch + this.team.size * scratchBytes(width);
    const bytes = bins + numRows * stride;
    if (bytes + numRows * BYTES_PER_ROW > MOST_BYTES) return undefined;
    const memory = createGrowingMemory(bytes, true);
    if (memory === undefined) return undefined;
    const firstRows = new Uint32Array(new SharedArrayBuffer((parts.length + 1) * 4)); // fits: entries
    parts.forEach(([, part], at) => {
      firstRows[at + 1] = firstRows[at] + part.numRows;
    });
    return {
      memory,
      width,
      missing: this.options.missing ?? 0,
      bins,
      stride,
      edges,
      numBins: new Uint16Array(new SharedArrayBuffer(width * 2)), // fits: at most MAX_BINS
      scratch,
      firstRows,
    };
  }

  /** Has all parts of a job done, here and in all threads of the team. */
  private async perform(job: BinningTask['job'], count: number): Promise<NumberedParts> {
    // names are only needed in the end
    const task: BinningTask = {
      source: this.source,
      options: { ...this.options, featureNames: undefined },
      control: partControlWords(),
      job,
    };
    const control = partControl(task.control);
    control.parts.offer(count);
    const helpers = this.team.run(new URL('./binning-worker.js', import.meta.url), task) as Promise<readonly PartAnswer[]>;
    let lost: unknown;
    helpers.catch((error: unknown) => {
      lost = error;
      giveUp(control);
    });
    let parts: NumberedParts = [];
    try {
      if (job.kind === 'survey') parts = await this.survey(job.survey, task, control);
      else performParts(task, 0);
      if (control.parts.isStopped) throw new Error('a thread that reads other lines has failed');
    } catch (error) {
      giveUp(control);
      const answers = await helpers.catch(() => []);
      const failure = answers.find((answer) => answer.failure !== undefined)?.failure;
      throw failure === undefined ? (lost ?? error) : this.unreadable(failure);
    }
    for (const answer of await helpers) {
      if (answer.failure !== undefined) throw this.unreadable(answer.failure);
      parts.push(...answer.parts);
    }
    return parts;
  }

  private async survey(survey: Survey, { options }: BinningTask, control: PartControl): Promise<NumberedParts> {
    const kept: NumberedParts = [];
    const parser = new PartParser(this.source, options);
    const progress = new PartProgress(this.source);
    for (let part = control.parts.next(); part >= 0; part = control.parts.next()) {
      progress.took(part);
      const lines = parser.parse(part);
      const facts = factsOfPart(lines, survey);
      // news of a thread that has died come in between
      while (!isTurnOf(part, control, PATIENCE)) await setImmediate();
      kept.push([part, surveyPart(part, lines, facts, survey, control)]);
    }
    progress.took(numParts(this.source) - 1);
    return kept;
  }
}
