import { printable } from '../../core/index.js';
import { bytesToRead, watchReading } from '../../node/index.js';
import type { Context, TextWriter } from '../parse/command.js';
import { ProgressMeter } from './progress.js';

/** Shows on a terminal how far the files of a command have been read, all of them in one line.
 *  @param inputs The files it reads.
 *  @param work What the command does; the line is taken away before it writes anything. */
export async function showingReading<T>(inputs: readonly string[], context: Context, work: (context: Context) => Promise<T>): Promise<T> {
  const paths = inputs.filter((path) => path !== '-');
  if (paths.length === 0 || !context.stderr.isTerminal) return await work(context);
  const meter = new ProgressMeter(
    context.stderr,
    printable(paths.length === 1 ? `reading ${paths[0]}` : `reading ${paths.length} files`),
    false,
  );
  let total: number | undefined;
  let done = 0;
  watchReading((numBytes) => {
    total ??= paths.reduce((sum, path) => sum + bytesToRead(path), 0);
    done += numBytes;
    // a file may be read twice, and what follows the reading is another matter
    if (done >= total) meter.clear();
    else meter.update(done, total);
  });
  const clearing = (writer: TextWriter): TextWriter => ({
    write(text) {
      meter.clear();
      writer.write(text);
    },
    flush: () => writer.flush?.(),
    get isTerminal() {
      return writer.isTerminal;
    },
    get columns() {
      return writer.columns;
    },
  });
  try {
    return await work({ ...context, stdout: clearing(context.stdout), stderr: clearing(context.stderr) });
  } finally {
    watchReading(undefined);
    meter.clear();
  }
}
