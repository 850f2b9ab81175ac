/** How far two rankings agree, of systems or of documents, from files. */
import { InputError } from '../core/problem.js';
import type { Run } from '../core/run.js';
import type { ScoreTable } from '../core/score-table.js';
import { readRun, readScores } from '../formats/read.js';
import { recogniseSource } from '../formats/recognise.js';
import { type ByteSource, type OpenedSource, openSource } from '../formats/source.js';
import { type ChoiceSettings, ChosenColumns } from '../formats/tables/chosen-columns.js';
import { parseMeasure } from '../measures/parse.js';
import {
  type AgreementOptions,
  type ListsAgreement,
  listsAgreement,
  type ResultList,
  type ScoreAgreement,
  scoreAgreement,
} from '../stats/agreement.js';
import type { ReadingSettings } from './material.js';
import { canonicalName } from './names.js';
import { noteText, readingNotes } from './notes.js';

/** How two files are compared. */
export interface CorrelationRequest extends AgreementOptions, Pick<ReadingSettings, 'lenient' | 'columns' | keyof ChoiceSettings> {
  /** The measures of scores to compare by; default: all that both files have. */
  readonly measures?: readonly string[] | undefined;
}

/** How far two files rank systems alike by one measure. */
export type MeasureAgreement = Omit<ScoreAgreement, 'rmse'> & {
  readonly measure: string;
  /** Null between a measure of which more is better and one of which less is. */
  readonly rmse: number | null;
};

/** How far two files of scores agree on systems, or two runs on documents. */
export type Correlation = { readonly notes: readonly string[] } & (
  | { readonly of: 'scores'; readonly systems: readonly string[]; readonly results: readonly MeasureAgreement[] }
  | { readonly of: 'runs'; readonly agreement: ListsAgreement }
);

/** Compares two files of scores or two runs, of which each is read once; whether they hold scores or runs shows in their content.
 *  @throws An `InputError` if they hold different things, or have nothing in common. */
export async function correlateSources(first: ByteSource, second: ByteSource, request: CorrelationRequest = {}): Promise<Correlation> {
  const inputs: OpenedSource[] = [];
  try {
    const areScores: boolean[] = [];
    for (const source of [first, second]) {
      const { input, found } = await recogniseSource(await openSource(source), ['scores']);
      inputs.push(input);
      areScores.push(found?.content === 'scores');
    }
    const [a, b] = inputs;
    if (areScores[0] !== areScores[1]) {
      const [scores, other] = areScores[0] ? [first, second] : [second, first];
      throw new InputError({
        message: `${scores.name} holds scores and ${other.name} does not`,
        wayOut: 'compare two files of scores or two runs',
      });
    }
    return areScores[0] ? await correlateScores(a, b, request) : await correlateRuns(a, b, request);
  } finally {
    for (const input of inputs) await input.close();
  }
}

async function correlateScores(first: OpenedSource, second: OpenedSource, request: CorrelationRequest): Promise<Correlation> {
  const { measures: asked, lenient: _, columns: __, ...options } = request;
  const naming = { measure: asked?.length === 1 ? asked[0] : undefined };
  const a = await readScores(first, naming);
  const b = await readScores(second, naming);
  const systems = a.systems.filter((system) => b.systems.includes(system));
  const alone = a.systems.length + b.systems.length - 2 * systems.length;
  if (systems.length < 2) {
    throw new InputError({
      message: `the files have ${systems.length} systems in common, expected at least 2`,
      wayOut: 'systems are matched by name',
    });
  }
  const notes: string[] = [];
  if (alone > 0) notes.push(`${alone === 1 ? '1 system is' : `${alone} systems are`} in one of the files only and left out`);
  if (a.topics.join('\n') !== b.topics.join('\n')) notes.push('the files are over different topics; means are over those of each file');
  const results = measurePairs(a, b, asked).map(([measure, measureA, measureB]): MeasureAgreement => {
    // the best system comes first, also where less is better
    const [signA, signB] = [signOf(a.measures[measureA]), signOf(b.measures[measureB])];
    const meansA = meansOf(a, measureA, systems, first.source.name).map((mean) => signA * mean);
    const meansB = meansOf(b, measureB, systems, second.source.name).map((mean) => signB * mean);
    const agreement = scoreAgreement(systems, meansA, meansB, options);
    // a distance means nothing between what is better large and what is better small
    return { measure, ...agreement, rmse: signA === signB ? agreement.rmse : null };
  });
  return { of: 'scores', systems, results, notes };
}

/** -1 for a measure of which less is better. */
function signOf(measure: string): 1 | -1 {
  try {
    return parseMeasure(measure).def.direction === 'lower' ? -1 : 1;
  } catch (error) {
    if (error instanceof InputError) return 1; // a name that is no measure of ours
    throw error;
  }
}

/** Measures that both files have; if there is but one in each, these two, whatever they are called. */
function measurePairs(a: ScoreTable, b: ScoreTable, asked: readonly string[] | undefined): [label: string, a: number, b: number][] {
  const namesB = b.measures.map(canonicalName);
  const pairs = a.measures.flatMap((name, m): [string, number, number][] => {
    const canonical = canonicalName(name);
    const other = namesB.indexOf(canonical);
    return other < 0 || (asked !== undefined && !asked.includes(canonical)) ? [] : [[canonical, m, other]];
  });
  if (pairs.length > 0) return pairs;
  if (asked === undefined && a.measures.length === 1 && b.measures.length === 1) return [[`${a.measures[0]} ~ ${b.measures[0]}`, 0, 0]];
  throw new InputError({
    message: `found no measure to compare by: the first file has ${a.measures.join(', ')}, the second ${b.measures.join(', ')}`,
    wayOut: 'score both with the same measure, or give files with one measure each',
  });
}

function meansOf(table: ScoreTable, measure: number, systems: readonly string[], source: string): number[] {
  return systems.map((system) => {
    const values = table.column(measure, system);
    const lacking = values.findIndex(Number.isNaN);
    if (lacking >= 0) {
      throw new InputError({
        source,
        message: `${system} has no value of ${table.measures[measure]} for topic ${table.topics[lacking]}, so its mean is over other topics than those of the others`,
        wayOut: 'give it a value, or leave the topic out for all systems',
      });
    }
    return values.reduce((sum, value) => sum + value, 0) / values.length;
  });
}

async function correlateRuns(first: OpenedSource, second: OpenedSource, request: CorrelationRequest): Promise<Correlation> {
  const { measures, lenient, columns, run, subset, judges, topic, ...options } = request;
  if (measures !== undefined) {
    throw new InputError({ message: '-m has no meaning for two runs', wayOut: 'leave it out, or give two files of scores' });
  }
  const chosen = new ChosenColumns({ columns, run, subset, judges, topic });
  const a = await readRun(first, { lenient, ...chosen.of('run') });
  const b = await readRun(second, { lenient, ...chosen.of('run') });
  chosen.refuseUnused();
  const agreement = listsAgreement(listsOf(a.run), listsOf(b.run), options);
  const names = [first.source.name, second.source.name];
  const notes = [...readingNotes(names[0], a), ...readingNotes(names[1], b)].map(noteText);
  for (const [i, { length: alone }] of [agreement.onlyFirst, agreement.onlySecond].entries()) {
    if (alone > 0) notes.push(`${alone === 1 ? '1 topic is' : `${alone} topics are`} in ${names[i]} only and left out`);
  }
  return { of: 'runs', agreement, notes };
}

function listsOf(run: Run): Map<string, ResultList> {
  const lists = new Map<string, ResultList>();
  for (let topic = 0; topic < run.topics.size; topic++) {
    const [start, end] = [run.offsets[topic], run.offsets[topic + 1]];
    if (start === end) continue;
    const ids = Array.from(run.docOf.subarray(start, end), (doc) => run.docs.text(doc));
    lists.set(run.topics.text(topic), { ids, scores: run.scores.subarray(start, end) });
  }
  return lists;
}
