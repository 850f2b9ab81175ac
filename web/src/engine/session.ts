/** The files that were dropped, and everything that is computed from them. Lives in the worker. */
import { InputError, type Qrels, type Run, toQrels, toRun } from 'gradus';
import { type AuditedFile, auditQrels, auditRun } from 'gradus/audit';
import { refuseJudgements } from 'gradus/conventions';
import {
  type checkRules,
  type ExperimentRequest,
  type Material,
  namesOfRuns,
  noteText,
  type Plan,
  planOf,
  type ScoredRuns,
  scoreRuns,
} from 'gradus/experiment';
import { testLists } from 'gradus/formats';
import { needsGroups, needsRanks } from 'gradus/measures';
import { inReadingOrder } from 'gradus/report';
import { alignTables } from 'gradus/stats';
import { counted, type Entry, isJudgements, numEntries, readEntry, readRepeats, runOf, summaryOf } from './entries.js';
import type { FileReading, FileSummary, Progress, Results, Settings } from './protocol.js';
import { blobSource, pagePlatform } from './sources.js';
import { PageTexts } from './texts.js';

/** The files of the page as material, with their numbers. */
export interface PageMaterial {
  readonly material: Material;
  readonly judgements: number;
  /** The file of each run, and the name it goes by in every table. */
  readonly files: readonly number[];
  readonly names: readonly string[];
  readonly runs: readonly Run[];
}

/** What the page has set, in the words of an experiment. */
export function requestOf({
  measures,
  convention,
  ties,
  rel,
  depth,
  judgedOnly,
  missing,
}: Settings): Omit<ExperimentRequest, 'judgements' | 'runs'> {
  return {
    measures,
    convention,
    ties: ties === '' ? undefined : ties,
    rel: rel ?? undefined,
    depth: depth ?? undefined,
    judgedOnly,
    missing: missing === '' ? undefined : missing,
  };
}

/** Scores by this many measures and rules are kept: those of the page, and those that its checks compare with. */
const MOST_KEPT = 8;

export class Session {
  readonly texts: PageTexts = new PageTexts();
  private readonly entries: Map<number, Entry> = new Map();
  /** What somebody chose of several files with judgements; the last of them if undefined. */
  private judgements: number | undefined;
  /** What somebody calls the systems of files. */
  private readonly names: Map<number, string> = new Map();
  /** By what was asked; the last ones are kept. */
  private readonly scored: Map<string, ScoredRuns> = new Map();

  /** Reads a file. It takes its place among the others only if it could be read. */
  async add(id: number, file: File, reading: FileReading, onProgress?: Progress): Promise<FileSummary> {
    const onBytes = onProgress && ((done: number, total: number): void => onProgress(done, total, `reading ${file.name}`));
    this.remove(id);
    const texts = await this.texts.add(id, blobSource(file, onBytes), reading.as);
    if (texts !== undefined) {
      const { kind, count } = texts;
      const base = { id, name: file.name, bytes: file.size, label: file.name, ambiguous: true, numSkipped: 0 };
      return { ...base, kind, format: 'texts', size: counted(count, 'text') };
    }
    const source = blobSource(file, onBytes, reading.sizes);
    const { content, repeats } = await readRepeats((repeatedDocuments) => readEntry(source, reading, { repeatedDocuments }));
    const entry: Entry = { id, file, reading, content, repeats, ranks: false, groups: false };
    this.entries.set(id, entry);
    // what came later holds, until somebody chooses
    if (isJudgements(content)) this.judgements = undefined;
    return summaryOf(entry);
  }

  /** How many lines of a file that cannot be read would have to be skipped to read the rest; undefined if there is no rest. */
  async skippable(file: File, reading: FileReading): Promise<number | undefined> {
    const source = blobSource(file, undefined, reading.sizes);
    const content = await readEntry(source, { ...reading, lenient: true }, { repeatedDocuments: 'ranked' }).catch(() => undefined);
    if (content === undefined || !('skipped' in content)) return undefined;
    return numEntries(content) > 0 && content.skipped.count > 0 ? content.skipped.count : undefined;
  }

  remove(id: number): void {
    this.entries.delete(id);
    this.texts.remove(id);
    this.scored.clear();
    if (this.judgements === id) this.judgements = undefined;
  }

  /** Calls the system of a file otherwise; undefined takes that back. */
  rename(id: number, name: string | undefined): void {
    if (name === undefined) this.names.delete(id);
    else this.names.set(id, name);
    this.scored.clear();
  }

  /** In the order in which they came, which is not that in which they were read. */
  private inOrder(): Entry[] {
    return [...this.entries.values()].sort((a, b) => a.id - b.id);
  }

  /** Which of several files with judgements holds. */
  chooseJudgements(id: number): void {
    this.judgements = id;
    this.texts.forget();
    this.scored.clear();
  }

  plan(settings: Settings): Plan {
    return planOf(requestOf(settings));
  }

  /** The judgements and the runs in the order they came, with all that the measures need. */
  async material({ convention, measures, rules }: Plan): Promise<PageMaterial> {
    const judgements =
      this.judgements === undefined ? this.inOrder().findLast(({ content }) => isJudgements(content)) : this.entries.get(this.judgements);
    if (judgements === undefined) {
      throw new InputError({ message: 'there are no judgements yet', wayOut: 'add a qrels file, or a LETOR file with labels' });
    }
    await this.keep(judgements, { groups: judgements.content.kind === 'judgements' && needsGroups(measures) });
    const { content } = judgements;
    const lists = content.kind === 'features' ? testLists(content.matrix) : undefined;
    const wanted = lists === undefined ? 'run' : 'predictions';
    const entries = this.inOrder().filter((entry) => entry.content.kind === wanted);
    if (entries.length === 0) {
      throw new InputError({
        message: lists === undefined ? 'there is no run yet' : 'there are no predictions for this LETOR file yet',
        wayOut: lists === undefined ? 'add what a system retrieved, as a run file' : 'add a file with one number for each of its lines',
      });
    }
    const runs: Run[] = [];
    for (const entry of entries) {
      if (entry.repeats !== undefined && rules.repeatedDocuments !== 'ranked') throw new InputError(entry.repeats);
      await this.keep(entry, { ranks: entry.content.kind === 'run' && needsRanks(measures, { ties: rules.ties ?? 'docno' }) });
      runs.push(runOf(entry, lists));
    }
    const files = distinct(entries.map(({ file }) => file.name));
    const qrels = lists?.qrels ?? (content.kind === 'judgements' ? content.qrels : toQrels({}));
    refuseJudgements(convention, measures, qrels);
    return {
      material: {
        judgements: { name: judgements.file.name, qrels, skipped: 'skipped' in content ? content.skipped : undefined, lists },
        runs: entries.map((entry, r) => ({
          name: files[r],
          source: undefined,
          read: async () => ({ run: runs[r], skipped: 'skipped' in entry.content ? entry.content.skipped : undefined }),
        })),
        known: undefined,
        expected: undefined,
      },
      judgements: judgements.id,
      files: entries.map(({ id }) => id),
      names: distinct(
        namesOfRuns(
          runs.map(({ name }) => name),
          files,
        ).map((name, r) => this.names.get(entries[r].id) ?? name),
      ),
      runs,
    };
  }

  /** The judgements of every file that holds some, those in use first. */
  judges(used: number): { readonly name: string; readonly qrels: Qrels }[] {
    const all = this.inOrder().flatMap(({ id, file, content }) =>
      content.kind === 'judgements' ? [{ id, name: file.name, qrels: content.qrels }] : [],
    );
    return [...all.filter(({ id }) => id === used), ...all.filter(({ id }) => id !== used)];
  }

  async evaluate(settings: Settings, onProgress: Progress): Promise<Results> {
    const started = performance.now();
    const plan = this.plan(settings);
    const page = await this.material(plan);
    const { tables, runs, notes } = await this.scores(plan, page, onProgress);
    const strangers = notes.filter(({ kind }) => kind === 'no-common-documents');
    // no number is better than a wrong zero
    if (strangers.length === runs.length) {
      throw new InputError({ message: noteText(strangers[0]), wayOut: 'add the judgements that belong to these runs' });
    }
    const table = alignTables(tables);
    const order = inReadingOrder(table.topics);
    const values = inOrder(table.values, order, plan.measures.length);
    const topics = order.map((t) => table.topics[t]);
    const texts = await this.texts.queriesOrNote(topics);
    const judged = page.material.judgements.qrels.topics.size;
    return {
      systems: tables.map((own, s) => ({
        name: own.systems[0],
        file: page.files[s],
        numAnswered: judged - runs[s].numMissing,
        means: plan.measures.map((_, m) => own.aggregate(m)),
      })),
      topics,
      queries: texts.queries,
      measures: plan.measures.map((measure, m) => ({
        name: measure.text,
        direction: measure.def.direction,
        whole: table.columns[m].aggregate === 'sum' && isWhole(values, m, plan.measures.length),
      })),
      values,
      notes: [...notes.map(noteText), ...texts.notes],
      convention: plan.convention.name,
      milliseconds: performance.now() - started,
    };
  }

  /** The scores of every run. The last ones are kept, because exporting needs them again. */
  async scores(
    plan: Plan,
    { material, names }: PageMaterial,
    onProgress?: Progress,
    alongside: ReturnType<typeof checkRules> = [],
  ): Promise<ScoredRuns> {
    const { measures, rules, convention } = plan;
    const key = JSON.stringify([measures.map(({ text, params }) => [text, params]), rules, convention.name, alongside.length]);
    const known = this.scored.get(key);
    if (known !== undefined) return known;
    onProgress?.(0, 1, 'scoring');
    const result = await scoreRuns(plan, material, pagePlatform, { names, alongside });
    for (const oldest of [...this.scored.keys()].slice(0, Math.max(0, this.scored.size - MOST_KEPT + 1))) this.scored.delete(oldest);
    this.scored.set(key, result);
    return result;
  }

  fileOf(id: number): File | undefined {
    return this.entries.get(id)?.file;
  }

  nameOf(id: number): string {
    return this.fileOf(id)?.name ?? '';
  }

  /** The rankings of one topic in small, so that they can be looked at closely. */
  topicMaterial(page: PageMaterial, topic: string, file: number): { qrels: Qrels; run: Run; name: string } {
    const { qrels } = page.material.judgements;
    const r = placeOf(page, file);
    const run = page.runs[r];
    const name = page.names[r];
    const t = qrels.topics.find(topic);
    if (t < 0) throw new InputError(`topic ${topic} has no judgements`);
    const judged = Array.from({ length: qrels.offsets[t + 1] - qrels.offsets[t] }, (_, i) => {
      const row = qrels.offsets[t] + i;
      const group = qrels.groups && { iteration: qrels.groups.ids.text(qrels.groups.of[row]) };
      return { topic, doc: qrels.docs.text(qrels.docOf[row]), grade: qrels.grades[row], ...group };
    });
    const answered = run.topics.find(topic);
    const rows = answered < 0 ? 0 : run.offsets[answered + 1] - run.offsets[answered];
    const retrieved = Array.from({ length: rows }, (_, i) => {
      const row = run.offsets[answered] + i;
      const doc = run.docs.text(run.docOf[row]);
      if (run.ranksOnly) return { topic, doc, rank: 0 - run.scores[row] };
      return { topic, doc, score: run.scores[row], ...(run.ranks && { rank: run.ranks[row] }) };
    });
    return { qrels: toQrels(judged), run: toRun(retrieved, name), name };
  }

  /** What is odd about the files, each said once. */
  audit({ material: { judgements }, names, files, runs }: PageMaterial): AuditedFile[] {
    const nothing = { count: 0, kinds: {}, problems: [] };
    const { name, qrels, skipped = nothing } = judgements;
    return [
      auditQrels(name, { qrels, skipped }),
      ...runs.map((run, r) => {
        const own = this.entries.get(files[r])?.content;
        return auditRun(names[r], qrels, { run, skipped: own?.kind === 'run' ? own.skipped : nothing });
      }),
    ];
  }

  /** Reads a file again if something is needed that was not kept the first time. */
  private async keep(entry: Entry, wanted: { ranks?: boolean; groups?: boolean }): Promise<void> {
    const ranks = entry.ranks || wanted.ranks === true;
    const groups = entry.groups || wanted.groups === true;
    if (ranks === entry.ranks && groups === entry.groups) return;
    const repeatedDocuments = entry.repeats === undefined ? 'refused' : 'ranked';
    const source = blobSource(entry.file, undefined, entry.reading.sizes);
    entry.content = await readEntry(source, entry.reading, { ranks, groups, repeatedDocuments });
    entry.ranks = ranks;
    entry.groups = groups;
    this.scored.clear();
  }
}

/** The place of a file among the runs; the first if it is none of them. */
export function placeOf({ files }: PageMaterial, file: number): number {
  return Math.max(0, files.indexOf(file));
}

/** Files of different folders, and systems that somebody named, may have the same name; all but the first are numbered. */
function distinct(names: readonly string[]): string[] {
  return names.map((name, n) => (names.indexOf(name) === n ? name : `${name} (${n + 1})`));
}

/** Values of systems × topics × measures, with the topics in another order. */
function inOrder(values: Float64Array, order: readonly number[], numMeasures: number): Float64Array {
  const ordered = new Float64Array(values.length);
  const row = order.length * numMeasures;
  for (let start = 0; start < values.length; start += row) {
    for (const [place, t] of order.entries()) {
      const from = start + t * numMeasures;
      ordered.set(values.subarray(from, from + numMeasures), start + place * numMeasures);
    }
  }
  return ordered;
}

function isWhole(values: Float64Array, measure: number, numMeasures: number): boolean {
  for (let i = measure; i < values.length; i += numMeasures) if (!Number.isInteger(values[i])) return false;
  return true;
}
