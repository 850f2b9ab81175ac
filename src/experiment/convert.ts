/** A run or judgements in another format. */
import { InputError } from '../core/problem.js';
import type { Qrels } from '../core/qrels.js';
import type { Run } from '../core/run.js';
import { readJudgements, readRun, type SourceReadOptions } from '../formats/read.js';
import { formatByName, formatToWrite, inferFormat, onlyContent, type Recognised, recogniseSource } from '../formats/recognise.js';
import { findFormat } from '../formats/registry.js';
import { type ByteSource, openSource, readText } from '../formats/source.js';
import { type ChoiceSettings, ChosenColumns } from '../formats/tables/chosen-columns.js';
import type { Columns, TableKind } from '../formats/tables/columns.js';
import type { GradeWords } from '../formats/tables/grade-words.js';
import { type Note, readingNotes } from './notes.js';
import { headerFromText, headerIn, type RunHeader } from './run-header.js';

/** What is to be converted, and to what. */
export interface ConversionRequest
  extends Pick<SourceReadOptions, 'header' | 'delimiter' | 'quotes' | 'lenient' | 'ranks' | 'name' | 'topicNames'>,
    ChoiceSettings {
  /** What the file holds; by default it is recognised from the content and the names of the formats. */
  readonly kind?: TableKind | undefined;
  /** The name of the format to read; by default it is recognised. */
  readonly from?: string | undefined;
  /** The name of the format to write; by default it follows from the name of `target`, or is TREC. */
  readonly to?: string | undefined;
  /** The file to write. */
  readonly target: string;
  readonly columns?: Columns | undefined;
  /** The numbers of grades that are words or letters. */
  readonly grades?: GradeWords | undefined;
  /** A header by ir_metadata to be written in front of the run, in the place of the one that it has. */
  readonly metadata?: ByteSource | undefined;
}

/** What was read, to be written. */
export type Converted = { readonly notes: readonly Note[] } & (
  | { readonly run: Run /** What stands in front of the run, by ir_metadata. */; readonly header: string | undefined }
  | { readonly qrels: Qrels }
);

const kinds: readonly TableKind[] = ['run', 'qrels'];

/** Reads a run or judgements to be written in another format.
 *  @throws An `InputError` if it could be either, or if that format cannot hold it, which shows before a long file is read. */
export async function readToConvert(source: ByteSource, request: ConversionRequest): Promise<Converted> {
  const { from: format, to, target, header, delimiter, quotes, lenient, ranks, name, topicNames } = request;
  const chosen = new ChosenColumns(request);
  const { input, found } = await recogniseSource(await openSource(source), kinds, request.columns);
  try {
    const kind =
      request.kind ?? kindOf(found ?? inferFormat(source.fileName ?? '', input.start, kinds, request.columns), source.name, request);
    const written = formatToWrite(target, kind, to, 'give --to FORMAT');
    const how = { format, header, delimiter, quotes, lenient, ...(topicNames === undefined ? {} : { topicNames }), ...chosen.of(kind) };
    if (kind === 'qrels') {
      const reading = await readJudgements(input, { ...how, groups: true, subgroups: true });
      chosen.refuseUnused();
      return { qrels: withoutIdleGroups(reading.qrels), notes: readingNotes(source.name, reading) };
    }
    const reading = await readRun(input, { ...how, ranks, name });
    chosen.refuseUnused();
    const notes = readingNotes(source.name, reading);
    if (reading.run.ranksOnly && written.name === 'trec-run') {
      const text = `has ranks and no scores; the scores in ${target === '-' ? 'the output' : target} are the negated ranks`;
      notes.push({ kind: 'about-scores', source: source.name, text });
    }
    const heading = await headerToWrite(headerIn(input.start, source.name), request, notes);
    if (heading === undefined || written.name === 'trec-run') return { run: reading.run, notes, header: heading };
    notes.push({ kind: 'about-scores', source: source.name, text: `has a header, for which ${written.name} has no place; it is left out` });
    return { run: reading.run, notes, header: undefined };
  } finally {
    await input.close();
  }
}

/** The header that goes in front of the run, with notes about what it lacks if it is a new one. */
async function headerToWrite(kept: RunHeader | undefined, { metadata }: ConversionRequest, notes: Note[]): Promise<string | undefined> {
  if (metadata === undefined) return kept?.text;
  const { text, problems } = headerFromText(await readText(metadata), metadata.name);
  for (const problem of problems) notes.push({ kind: 'about-scores', source: metadata.name, text: problem });
  return text;
}

/** Whether there is a run or judgements to convert. */
function kindOf({ format, content }: Recognised, source: string, { from, to, target }: ConversionRequest): TableKind {
  for (const name of [from, to]) {
    const kind = name === undefined || name === 'trec' ? undefined : onlyContent(findFormat(name), kinds);
    if (kind !== undefined) return kind;
  }
  const found = content ?? onlyContent(format, kinds);
  if (found === 'run' || found === 'qrels') return found;
  const promised = formatByName(target);
  const kind = promised === undefined ? undefined : onlyContent(promised, kinds);
  if (kind !== undefined) return kind;
  throw new InputError({ source, message: 'could be a run or judgements', wayOut: 'say which with --kind run or --kind qrels' });
}

/** A second column that says nothing, as most judgements have it, need not be carried into formats that could do without. */
function withoutIdleGroups(qrels: Qrels): Qrels {
  const { groups, subgroups } = qrels;
  const idle = groups !== undefined && groups.ids.size === 1 && groups.ids.text(0) === '0';
  return idle && subgroups === undefined ? { ...qrels, groups: undefined } : qrels;
}
