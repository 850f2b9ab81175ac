import { displayWidth } from '../../report/index.js';
import type { TextWriter } from '../parse/command.js';

/** Work that ends sooner shows no meter. */
const QUIET_MILLISECONDS = 500;
const REFRESH_MILLISECONDS = 100;
const BAR_COLUMNS = 24;

/** A line on standard error that says how far the work is. It appears only on a terminal and only if the work takes long,
 *  and it leaves nothing behind. */
export class ProgressMeter {
  private readonly writer: TextWriter;
  private readonly label: string;
  private readonly quiet: boolean;
  private readonly now: () => number;
  private startedAt: number | undefined;
  private shownAt = 0;
  private shown = false;

  constructor(writer: TextWriter, label: string, quiet: boolean, now: () => number = () => performance.now()) {
    this.writer = writer;
    this.label = label;
    this.quiet = quiet;
    this.now = now;
  }

  /** `done` of `total` units of work. The work begins with the first call. */
  update(done: number, total: number): void {
    if (this.quiet) return;
    const time = this.now();
    this.startedAt ??= time;
    if (time - this.startedAt < QUIET_MILLISECONDS || time - this.shownAt < REFRESH_MILLISECONDS) return;
    if (!this.writer.isTerminal) return;
    this.shownAt = time;
    this.shown = true;
    this.writer.write(`\r${this.line(done, total, time - this.startedAt)}\x1b[K`);
  }

  /** Takes the line away, before anything else is written. */
  clear(): void {
    if (this.shown) this.writer.write('\r\x1b[K');
    this.shown = false;
  }

  private line(done: number, total: number, elapsed: number): string {
    const share = total > 0 ? Math.min(1, done / total) : 0;
    const filled = Math.round(share * BAR_COLUMNS);
    const bar = '█'.repeat(filled) + '░'.repeat(BAR_COLUMNS - filled);
    const left = share > 0.02 ? `, ${Math.ceil((elapsed * (1 - share)) / share / 1000)} s left` : '';
    const line = `${this.label} ${bar} ${String(Math.floor(share * 100)).padStart(3)} %${left}`;
    // a line that wraps could not be taken away again
    return displayWidth(line) < this.writer.columns ? line : `${Math.floor(share * 100)} %`;
  }
}
