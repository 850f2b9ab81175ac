import { refuseJudgements } from '../conventions/measures-of-tools.js';
import { refuseUnrelated, unrelated } from '../core/common-topics.js';
import { type Qrels, type QrelsLike, toQrels } from '../core/qrels.js';
import type { TestLists } from '../core/ranked-lists.js';
import { type Run, type RunLike, toRun } from '../core/run.js';
import { readJudgements, readRun, type SourceReadOptions } from '../formats/read.js';
import type { Skipped } from '../formats/reader.js';
import { type ByteSource, readText } from '../formats/source.js';
import { ChosenColumns, type ColumnSettings } from '../formats/tables/chosen-columns.js';
import { parseTopicCounts } from '../formats/trec/topic-counts.js';
import { needsGroups, needsRanks } from '../measures/evaluate.js';
import { type Note, readingNotes, strangerNotes } from './notes.js';
import type { Plan } from './plan.js';
import type { Platform } from './platform.js';

/** Judgements as somebody may give them: a name that the platform knows, a source, or what was read before. */
export type JudgementsInput = string | ByteSource | QrelsLike;

/** A run as somebody may give it. */
export type RunInput = string | ByteSource | RunLike;

/** How files are read. */
export interface ReadingSettings extends ColumnSettings {
  /** Skip what cannot be read instead of refusing the file. */
  readonly lenient?: boolean | undefined;
  /** Keep the second column of the judgements. */
  readonly groups?: boolean | undefined;
}

/** What an experiment is made of. */
export interface MaterialRequest extends ReadingSettings {
  readonly judgements: JudgementsInput;
  readonly runs: readonly RunInput[];
  /** The documents that the reader of each topic knows already; groups are readers. */
  readonly known?: JudgementsInput | undefined;
  /** How many relevant documents the reader of each topic expects: by topic, or where that can be read. */
  readonly expected?: string | ByteSource | ReadonlyMap<string, number> | undefined;
}

/** A run that is read when it is needed, and read once. */
export interface RunMaterial {
  /** What it is called in messages: the name of its file. */
  readonly name: string;
  /** Where it is read from; undefined if it was given as it is. */
  readonly source: ByteSource | undefined;
  /** The whole run, with the ranks that it states if the plan needs them.
   *  @param from What it is to be read from, if its bytes were kept. */
  read(
    wanted?: Pick<SourceReadOptions, 'topics'>,
    from?: ByteSource,
  ): Promise<{ readonly run: Run; readonly skipped: Skipped | undefined }>;
}

/** Judgements and runs, wherever they came from. */
export interface Material {
  readonly judgements: {
    readonly name: string;
    readonly qrels: Qrels;
    readonly skipped: Skipped | undefined;
    /** What there is to know about them. */
    readonly notes?: readonly string[] | undefined;
    /** The lists of a learning-to-rank test file. */
    readonly lists: TestLists | undefined;
  };
  readonly runs: readonly RunMaterial[];
  readonly known: Qrels | undefined;
  readonly expected: ReadonlyMap<string, number> | undefined;
  /** To be called when every run has been read.
   *  @throws An `InputError` if a column was named that no file has. */
  finish?(): void;
}

/** Opens what an experiment is made of. Judgements are read at once, runs one by one when they are scored.
 *  @throws An `InputError` if there are no judgements, or some that the tool whose rules hold does not take. */
export async function openMaterial(request: MaterialRequest, { convention, measures, rules }: Plan, platform: Platform): Promise<Material> {
  const { lenient } = request;
  // a wrong name shows before a large file is read
  for (const input of [request.judgements, ...request.runs]) if (isReadable(input)) sourceOf(input, platform).check?.();
  const chosen = new ChosenColumns(request);
  const groups = request.groups === true || needsGroups(measures);
  const judgements = await judgementsOf(request.judgements, platform, {
    lenient,
    groups,
    ...chosen.of('qrels'),
  });
  const { qrels, lists } = judgements;
  const { repeatedDocuments } = rules;
  const { known, expected } = request;
  const material: Material = {
    judgements,
    finish: () => chosen.refuseUnused(),
    known: known === undefined ? undefined : (await judgementsOf(known, platform, { groups: true })).qrels,
    expected: isReadable(expected) ? await countsOf(sourceOf(expected, platform)) : expected,
    runs: request.runs.map((input) => {
      if (!isReadable(input)) {
        const run = toRun(input);
        return { name: run.name || 'the run', source: undefined, read: async () => ({ run, skipped: undefined }) };
      }
      const source = sourceOf(input, platform);
      const options = {
        lenient,
        ...chosen.of('run'),
        ranks: needsRanks(measures, { ties: rules.ties ?? 'docno' }),
        lists,
        repeatedDocuments,
      };
      return { name: source.name, source, read: (wanted, from = source) => readRun(from, { ...options, ...wanted }) };
    }),
  };
  if (qrels.topics.size === 0) throw unrelated(qrels, { first: undefined }, { qrels: judgements.name });
  refuseJudgements(convention, measures, qrels);
  return material;
}

async function judgementsOf(input: JudgementsInput, platform: Platform, options: SourceReadOptions): Promise<Material['judgements']> {
  if (!isReadable(input)) return { name: 'the judgements', qrels: toQrels(input), skipped: undefined, lists: undefined };
  const source = sourceOf(input, platform);
  const { qrels, skipped, lists, notes } = await readJudgements(source, options);
  return { name: source.name, qrels, skipped, lists, notes };
}

async function countsOf(source: ByteSource): Promise<ReadonlyMap<string, number>> {
  return parseTopicCounts(await readText(source), source.name);
}

/** Whether something has to be read first. */
export function isReadable(input: unknown): input is string | ByteSource {
  return typeof input === 'string' || (typeof input === 'object' && input !== null && 'isReopenable' in input);
}

/** The source of something that has to be read. */
export function sourceOf(input: string | ByteSource, platform: Platform): ByteSource {
  return typeof input === 'string' ? platform.source(input) : input;
}

/** Material that is in memory as a whole. */
export interface ReadMaterial {
  readonly qrels: Qrels;
  readonly runs: readonly Run[];
  /** What the runs are called in messages. */
  readonly names: readonly string[];
  readonly notes: readonly Note[];
}

/** Reads all runs, for what needs rankings rather than scores.
 *  @throws An `InputError` for a run that answers none of the judged topics. */
export async function readMaterial({ judgements, runs: entries, finish }: Material): Promise<ReadMaterial> {
  const notes = readingNotes(judgements.name, judgements);
  const runs: Run[] = [];
  for (const { name, read } of entries) {
    const reading = await read();
    notes.push(...readingNotes(name, reading));
    refuseUnrelated(judgements.qrels, reading.run, { run: name, qrels: judgements.name });
    notes.push(...strangerNotes(name, reading.run, judgements));
    runs.push(reading.run);
  }
  finish?.();
  return { qrels: judgements.qrels, runs, names: entries.map(({ name }) => name), notes };
}
