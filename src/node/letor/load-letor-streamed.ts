import { setImmediate } from 'node:timers/promises';
import { LetorLines } from '../../formats/letor/lines.js';
import type { LetorOptions } from '../../formats/letor/options.js';
import { finishLetor, type LetorReading } from '../../formats/letor/parser.js';
import { appendParts, type FeatureRoom, type LetorPart } from '../../formats/letor/parts.js';
import { WholeLines } from '../../formats/text/whole-lines.js';
import type { WorkerTeam } from '../threads/team.js';
import { isTurnOf, placePart } from './letor-file-parts.js';
import type { PartAnswer } from './letor-worker.js';
import { roomFor } from './load-letor-together.js';
import { SLOT_BYTES, StreamedParts, type StreamedTextTask, streamMemory, TextParser } from './streamed-parts.js';

/** Text that is parsed at a time. */
const PART_BYTES = 1 << 20;
/** Parts that wait for a thread at most, for each thread. */
const SLOTS_PER_THREAD = 2;
/** How long to wait before looking whether something has happened, in milliseconds. */
const PATIENCE = 2;

/** Reads a feature file that comes from a pipe or a decompressor with all threads of a team, to the same result as with one: this thread
 *  takes the text as it comes, cuts it between lines, and parses parts of it while nothing else is to be done.
 *  @param text           the text, from its first line on
 *  @param expectedBytes  how long it may be; room that is not used takes no memory */
export async function loadLetorStreamed(
  text: AsyncIterable<Uint8Array>,
  options: LetorOptions,
  team: Pick<WorkerTeam, 'run' | 'size'>,
  expectedBytes: number,
  partBytes: number = PART_BYTES,
): Promise<LetorReading> {
  return await new StreamedReading(options, team, expectedBytes, partBytes).read(text);
}

/** A line that is too long; which one it is shows when all before have been read. */
class LongLine extends Error {}

/** One reading of a text. */
class StreamedReading {
  private readonly options: LetorOptions;
  private readonly team: Pick<WorkerTeam, 'run' | 'size'>;
  private readonly expectedBytes: number;
  private readonly partBytes: number;
  private readonly parser: TextParser;
  private readonly parts: LetorPart[] = [];
  /** Lines that are not a part yet, and parts that nobody has. */
  private begun: Uint8Array[] = [];
  private begunLength = 0;
  private readonly ready: Uint8Array[] = [];
  /** What begins with the first part, which says how much room to make. */
  private shared: StreamedParts | undefined;
  private task: StreamedTextTask | undefined;
  private helpers: Promise<readonly PartAnswer[]> = Promise.resolve([]);
  private lost: unknown;

  constructor(options: LetorOptions, team: Pick<WorkerTeam, 'run' | 'size'>, expectedBytes: number, partBytes: number) {
    this.options = options;
    this.team = team;
    this.expectedBytes = expectedBytes;
    this.partBytes = partBytes;
    this.parser = new TextParser({ ...options, featureNames: undefined });
  }

  async read(text: AsyncIterable<Uint8Array>): Promise<LetorReading> {
    const lines = new WholeLines(
      (bytes, start, end) => this.keep(bytes.slice(start, end)),
      (message) => new LongLine(message),
    );
    let longLine: LongLine | undefined;
    try {
      try {
        for await (const chunk of text) {
          lines.push(chunk);
          await this.handOver();
        }
        lines.finish();
      } catch (error) {
        if (!(error instanceof LongLine)) throw error;
        longLine = error;
      }
      this.cut();
      await this.handOver();
      await this.finishParts();
    } catch (error) {
      // what a thread that fails says comes later than the news that it has failed
      const hasAnotherFailed = this.shared?.hasFailed === true;
      this.shared?.giveUp();
      await this.helpers.catch(() => undefined);
      throw hasAnotherFailed ? (this.lost ?? error) : error;
    }
    const whole = new LetorLines(this.options);
    if (this.task !== undefined) appendParts(this.parts, whole, this.task.room);
    if (longLine !== undefined) throw whole.tooLong(longLine.message);
    return finishLetor(whole, lines.sawBytes);
  }

  private keep(lines: Uint8Array): void {
    this.begun.push(lines);
    this.begunLength += lines.length;
    if (this.begunLength >= this.partBytes) this.cut();
  }

  private cut(): void {
    if (this.begunLength > 0) this.ready.push(Buffer.concat(this.begun, this.begunLength));
    this.begun = [];
    this.begunLength = 0;
  }

  private async handOver(): Promise<void> {
    for (let text = this.ready.shift(); text !== undefined; text = this.ready.shift()) {
      if (this.shared === undefined) this.begin(text);
      else if (text.length > SLOT_BYTES) await this.readHere(this.shared, text);
      else {
        while (!this.shared.hasRoom()) await this.help(this.shared);
        this.shared.put(text);
      }
    }
  }

  /** Reads the first part, and calls the others. */
  private begin(text: Uint8Array): void {
    const first = this.parser.parse(text);
    const task: StreamedTextTask = {
      // names are only needed in the end
      options: { ...this.options, featureNames: undefined },
      ...streamMemory(SLOTS_PER_THREAD * this.team.size),
      room: this.roomFor(first, text.length),
    };
    const shared = new StreamedParts(task);
    this.task = task;
    this.shared = shared;
    const part = shared.keepNext();
    this.parts[part] = placePart(part, first, task, shared.control);
    this.helpers = this.team.run(new URL('./streamed-parts-worker.js', import.meta.url), task) as Promise<readonly PartAnswer[]>;
    this.helpers.catch((error: unknown) => {
      this.lost = error;
      shared.giveUp();
    });
  }

  /** Less room where there is not so much to be had: what does not fit is kept apart. */
  private roomFor(first: LetorLines, partBytes: number): FeatureRoom {
    for (let size = this.expectedBytes; ; size /= 2) {
      try {
        return roomFor(first, { size, partBytes }, this.options.precision === 'single');
      } catch (error) {
        if (!(error instanceof RangeError) || size < partBytes) throw error;
      }
    }
  }

  /** Reads a part that fits into no slot. */
  private async readHere(shared: StreamedParts, text: Uint8Array): Promise<void> {
    while (shared.control.taken.load() < shared.control.produced.load()) await this.help(shared);
    await this.place(shared, shared.keepNext(), this.parser.parse(text));
  }

  /** Reads a part that nobody has taken, or waits a little. */
  private async help(shared: StreamedParts): Promise<void> {
    const part = shared.take();
    if (part >= 0) {
      await this.place(shared, part, shared.moveTo(part, this.parser));
      return;
    }
    isTurnOf(shared.control.produced.load(), shared.control, PATIENCE);
    // news of a thread that has died come in between
    await setImmediate();
  }

  private async place(shared: StreamedParts, part: number, lines: LetorLines): Promise<void> {
    while (!isTurnOf(part, shared.control, PATIENCE)) await setImmediate();
    if (this.task !== undefined) this.parts[part] = placePart(part, lines, this.task, shared.control);
  }

  private async finishParts(): Promise<void> {
    const { shared } = this;
    if (shared === undefined) return;
    while (shared.control.taken.load() < shared.control.produced.load()) await this.help(shared);
    shared.end();
    for (const answer of await this.helpers) for (const [number, part] of answer.parts) this.parts[number] = part;
  }
}
