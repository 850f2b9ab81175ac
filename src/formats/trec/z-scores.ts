import { type GrowingFloats, type GrowingInts, growingFloats, growingInts } from '../../core/growing-arrays.js';
import { IdTable } from '../../core/ids.js';
import { PairTable } from '../pair-table.js';
import { type ChunkReader, type ReadOptions, readSized, type Skipped } from '../reader.js';
import { addNumberProblem, ReadingLog, shown } from '../reading-log.js';
import { parseDecimal } from '../text/decimal.js';
import { checkingStart } from '../text/text-start.js';
import { LineFeed, oddProblems, readOddNumbers, type ScannedLines, type StrictLayout, strictLines } from './lines.js';

/** The mean and standard deviation of a measure over many systems, for each topic: what a single score is compared with to
 *  say how unusual it is. */
export interface ZScores {
  readonly topics: IdTable;
  readonly measures: IdTable;
  /** Topic and measure number of each row, in the order of the file. */
  readonly topicOf: Uint32Array;
  readonly measureOf: Uint32Array;
  readonly means: Float64Array;
  readonly deviations: Float64Array;
}

/** Means and deviations that were read, and what was left out. */
export interface ZScoresReading {
  readonly zScores: ZScores;
  readonly skipped: Skipped;
}

const layout: StrictLayout = {
  ...strictLines,
  topic: 0,
  doc: 1,
  number: 2,
  kept: [3],
  fields: 4,
  shape: 'topic measure mean deviation',
};

/** Reads a z-score file: lines of topic, measure, mean and standard deviation. */
export function parseZScores(content: Uint8Array | string, options: ReadOptions = {}): ZScoresReading {
  return readSized(createZScoresReader, content, options);
}

/** Reads means and deviations of measures by topic, as trec_eval's `-Z` does, chunk by chunk. */
export function createZScoresReader(options: ReadOptions = {}): ChunkReader<ZScoresReading> {
  return checkingStart(new ZScoresReader(options), options);
}

class ZScoresReader implements ChunkReader<ZScoresReading> {
  private readonly log: ReadingLog;
  private readonly feed: LineFeed;
  private readonly topics: IdTable = new IdTable();
  private readonly measures: IdTable = new IdTable();
  private readonly pairs: PairTable = new PairTable();
  private readonly topicOf: GrowingInts = growingInts();
  private readonly measureOf: GrowingInts = growingInts();
  private readonly means: GrowingFloats = growingFloats();
  private readonly deviations: GrowingFloats = growingFloats();

  constructor(options: ReadOptions) {
    this.log = new ReadingLog(options);
    this.feed = new LineFeed(layout, this.log, (lines) => this.take(lines), options.wasm);
  }

  push(chunk: Uint8Array): void {
    this.feed.push(chunk);
  }

  finish(): ZScoresReading {
    this.feed.finish();
    const zScores = {
      topics: this.topics,
      measures: this.measures,
      topicOf: this.topicOf.take(undefined),
      measureOf: this.measureOf.take(undefined),
      means: this.means.take(undefined),
      deviations: this.deviations.take(undefined),
    };
    return { zScores, skipped: this.log.close(this.means.length, `lines of ${layout.shape}`, this.feed.sawBytes) };
  }

  private take(lines: ScannedLines): void {
    const { scanner } = lines;
    readOddNumbers(scanner);
    const addOddProblem = oddProblems(this.log, 'mean', scanner);
    const { bytes, numLines, docStart, docEnd, numbers, keptStart, keptEnd } = scanner;
    for (let i = 0; i < numLines; i++) {
      const line = lines.lineOf(i);
      if (!Number.isFinite(numbers[i])) {
        addOddProblem(i, line);
        continue;
      }
      const deviation = parseDecimal(bytes, keptStart[0][i], keptEnd[0][i]);
      if (!Number.isFinite(deviation)) {
        addNumberProblem(this.log, line, 'deviation', bytes, keptStart[0][i], keptEnd[0][i]);
        continue;
      }
      const topic = this.topics.internBytes(bytes, scanner.topicStart, scanner.topicEnd);
      const measure = this.measures.internBytes(bytes, docStart[i], docEnd[i]);
      const numPairs = this.pairs.size;
      if (this.pairs.intern(topic, measure) < numPairs) {
        this.log.add('duplicate measure', line, () => {
          const topicText = shown(bytes, scanner.topicStart, scanner.topicEnd);
          return `topic ${topicText} has measure ${shown(bytes, docStart[i], docEnd[i])} already on an earlier line`;
        });
        continue;
      }
      this.topicOf.push(topic);
      this.measureOf.push(measure);
      this.means.push(numbers[i]);
      this.deviations.push(deviation);
    }
  }
}
