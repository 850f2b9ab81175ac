import type { TrecEvalVersion } from '../../conventions/trec-eval-versions.js';
import { IdTable } from '../../core/ids.js';
import type { Qrels } from '../../core/qrels.js';
import { RowCollector, type Run } from '../../core/run.js';
import { readText } from '../../core/text.js';
import { type LineLayout, type LineScanner, resolveOddNumbers, runLines } from '../../formats/text/line-scanner.js';
import { strtod } from '../../formats/text/strtod.js';
import { bytesOf } from '../byte-text.js';
import { Quit } from './quit.js';
import { RowAdder, scanFile } from './scan-file.js';

/** What stands in the ranking of a topic that the results lack. */
export const placeholderDoc: Uint8Array = bytesOf('ceci_nest_pas_un_docno');

/** The results file as far as trec_eval looks at it. */
export interface Results {
  readonly run: Run;
  /** The sixth field of the last record, which names the run. */
  readonly tag: Uint8Array;
  /** For each topic of the qrels: whether the file has it. */
  readonly answered: Uint8Array;
}

/** Reads a results file in the tool's own grammar, or quits as the tool does. With `fillMissing` each topic of the qrels
 *  that the file lacks gets a ranking of one document that nobody judged. */
export function readResults(
  file: Uint8Array | undefined,
  path: string,
  qrels: Qrels,
  fillMissing: boolean,
  version: TrecEvalVersion,
): Results {
  const quit = (message: string): Quit => new Quit(2, `trec_eval.get_results: ${message}\ntrec_eval: Quit in file '${path}'\n`);
  if (file === undefined) throw quit(`Cannot read results file '${path}'`);

  const rows = new RowCollector(new IdTable(), new IdTable(1024));
  const { topics, docs } = rows;
  const layout: LineLayout = { ...runLines, comments: version.comments ? 'any' : 'none' };
  const adder = new RowAdder(rows);
  const { badRecord, tag } = scanFile(file, path, layout, (scanner: LineScanner) => {
    if (scanner.numOdd > 0) resolveOddNumbers(scanner, strtod);
    adder.add(scanner);
  });
  if (badRecord > 0) throw quit(`Malformed line ${badRecord}`);

  const answered = new Uint8Array(qrels.topics.size); // fits: flags
  for (let topic = 0; topic < qrels.topics.size; topic++) {
    const start = qrels.topics.offsets[topic];
    const end = qrels.topics.offsets[topic + 1];
    if (topics.findBytes(qrels.topics.bytes, start, end) >= 0) answered[topic] = 1;
    else if (fillMissing) {
      rows.add(topics.internBytes(qrels.topics.bytes, start, end), docs.internBytes(placeholderDoc, 0, placeholderDoc.length), 1);
    }
  }
  const { offsets, docOf, values } = rows.finish();
  return { run: { name: readText(tag, 0, tag.length), topics, docs, offsets, docOf, scores: values }, tag, answered };
}
