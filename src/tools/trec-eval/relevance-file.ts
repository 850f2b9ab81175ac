import type { TrecEvalVersion } from '../../conventions/trec-eval-versions.js';
import { compareIds, equalIds, IdTable, idLatin1, sortedIds } from '../../core/ids.js';
import type { GroupColumn, Qrels } from '../../core/qrels.js';
import { RowCollector } from '../../core/run.js';
import { type LineLayout, type LineScanner, prefsLines, qrelsLines, resolveOddNumbers } from '../../formats/text/line-scanner.js';
import { atol, strtod } from '../../formats/text/strtod.js';
import { bytesOf } from '../byte-text.js';
import { DocColumn } from './doc-column.js';
import type { Source } from './measure-table.js';
import { Quit } from './quit.js';
import { scanFile } from './scan-file.js';

/** One of the four formats of relevance information. */
export interface RelevanceFormat {
  readonly name: string;
  /** What can be computed from it. */
  readonly source: Source;
  readonly lines: LineLayout;
  readonly levels: 'whole' | 'real';
  /** The constant that stands for the sub-group of every line, where lines have none of their own. */
  readonly subgroup?: string;
  /** Who complains, and of what kind of file, when it cannot be read. */
  unreadable(version: TrecEvalVersion): string;
}

const groupedLines: LineLayout = { ...qrelsLines, kept: [1] };

/** The formats of judgements that `-R` can name. */
export const relevanceFormats: readonly RelevanceFormat[] = [
  { name: 'qrels', source: 'ranking', lines: qrelsLines, levels: 'whole', unreadable: () => 'trec_eval.get_qrels: Cannot read qrels' },
  {
    name: 'qrels_jg',
    source: 'groups',
    lines: groupedLines,
    levels: 'whole',
    unreadable: (version) => `trec_eval.${version.groupReader}: Cannot read qrels`,
  },
  { name: 'prefs', source: 'preferences', lines: prefsLines, levels: 'real', unreadable: () => 'trec_eval.get_prefs: Cannot read prefs' },
  {
    name: 'qrels_prefs',
    source: 'preferences',
    lines: { ...groupedLines, integers: false },
    levels: 'real',
    subgroup: '0',
    unreadable: () => 'trec_eval.get_prefs: Cannot read prefs',
  },
];

/** Reads relevance information in the tool's own grammar, or quits as the tool does. Documents have a number for each line;
 *  `withDistinctDocs` gives them one each. */
export function readRelevance(file: Uint8Array | undefined, path: string, format: RelevanceFormat, version: TrecEvalVersion): Qrels {
  const quit = (message: string): Quit => new Quit(2, `${message}\ntrec_eval: Quit in file '${path}'\n`);
  if (file === undefined) throw quit(`${format.unreadable(version)} file '${path}'`);

  const rows = new RowCollector();
  const { topics } = rows;
  const listedDocs = new DocColumn();
  const listedTopics = new DocColumn();
  const keptIds = (format.lines.kept ?? []).map(() => new IdTable());
  const kept: number[][] = keptIds.map(() => []);
  const parse = format.levels === 'whole' ? atol : strtod;
  const single = format.levels === 'real' && version.precision === 'float32';
  const layout: LineLayout = { ...format.lines, comments: version.comments ? 'single' : 'none' };
  const { badRecord } = scanFile(file, path, layout, (scanner: LineScanner) => {
    if (scanner.numOdd > 0) resolveOddNumbers(scanner, parse);
    const { bytes, numbers, numLines } = scanner;
    const stretch = listedTopics.addId(bytes, scanner.topicStart, scanner.topicEnd);
    const first = listedDocs.add(scanner);
    rows.addStretch(stretch, first, single ? numbers.map(Math.fround) : numbers, numLines);
    for (const [k, ids] of keptIds.entries()) {
      const start = scanner.keptStart[k];
      const end = scanner.keptEnd[k];
      for (let line = 0; line < numLines; line++) kept[k].push(ids.internBytes(bytes, start[line], end[line]));
    }
  });
  if (badRecord > 0) throw quit(`trec_eval.get_${format.name}: Malformed line ${badRecord}`);

  // the topics of all stretches get their numbers at once, which is faster than one after another where there are many
  rows.renumberTopics(listedTopics.internInto(topics));
  const { offsets, docOf, values, source } = rows.finish();
  const column = (k: number): GroupColumn | undefined =>
    k < keptIds.length
      ? { ids: keptIds[k], of: Uint32Array.from({ length: docOf.length }, (_, row) => kept[k][source?.[row] ?? row]) } // fits: entries
      : undefined;
  const subgroups = format.subgroup === undefined ? column(1) : constantColumn(format.subgroup, docOf.length);
  const docs = listedDocs.finish();
  const qrels = { topics, docs, offsets, docOf, grades: values, groups: column(0), subgroups };
  if (format.source === 'groups') {
    const duplicate = firstDuplicateInGroup(qrels);
    if (duplicate >= 0) throw quit(`trec_eval.get_qrels: duplicate docs ${idLatin1(docs, duplicate)}`);
  }
  return qrels;
}

function constantColumn(text: string, length: number): GroupColumn {
  const ids = new IdTable();
  ids.internBytes(bytesOf(text), 0, text.length);
  return { ids, of: new Uint32Array(length) }; // fits: entries
}

/** The document that a group judged twice: the first in the order of topics, groups and documents; -1 if there is none. */
function firstDuplicateInGroup(qrels: Qrels): number {
  const { topics, docs, offsets, docOf, groups } = qrels;
  if (groups === undefined) return -1;
  for (const topic of sortedIds(topics)) {
    const rows = Uint32Array.from({ length: offsets[topic + 1] - offsets[topic] }, (_, i) => offsets[topic] + i); // fits: entries
    rows.sort((a, b) => compareIds(groups.ids, groups.of[a], groups.ids, groups.of[b]) || compareIds(docs, docOf[a], docs, docOf[b]));
    for (let i = 1; i < rows.length; i++) {
      if (groups.of[rows[i]] === groups.of[rows[i - 1]] && equalIds(docs, docOf[rows[i]], docs, docOf[rows[i - 1]])) return docOf[rows[i]];
    }
  }
  return -1;
}
