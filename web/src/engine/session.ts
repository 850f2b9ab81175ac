/** The files that were dropped, and everything that is computed from them. Lives in the worker. */
import { InputError, type JudgingRules, type Measure, type Qrels, type Run, refuseUnrelated, ScoreTable, toQrels, toRun } from 'gradus';
import {
  type AuditedFile,
  auditQrels,
  auditRun,
  type Convention,
  findConvention,
  judgingRulesOf,
  parameterDefaults,
  readMeasures,
  refuseJudgements,
} from 'gradus/conventions';
import { judgedLists } from 'gradus/formats';
import { evaluator } from 'gradus/measures';
import { alignTables } from 'gradus/stats';
import type { FileKind, FileSummary, Progress, Results, Settings } from './protocol.js';
import { type ReadFile, readFile } from './reading.js';

interface Entry {
  readonly id: number;
  readonly file: File;
  readonly as: FileKind | undefined;
  readonly lenient: boolean;
  content: ReadFile;
  /** What was kept beyond the usual: stated ranks of a run, the second column of judgements. */
  ranks: boolean;
  groups: boolean;
}

/** A run with the name it goes by in every table. */
export interface NamedRun {
  readonly name: string;
  readonly file: number;
  readonly run: Run;
}

/** Judgements and runs, whatever kind of files they came from. */
export interface Material {
  readonly qrels: Qrels;
  readonly judgements: number;
  readonly runs: readonly NamedRun[];
}

/** What the settings mean for the computation. */
export interface Plan {
  readonly convention: Convention;
  readonly measures: readonly Measure[];
  readonly rules: Partial<JudgingRules>;
}

export class Session {
  private readonly entries: Map<number, Entry> = new Map();
  private judgements: number | undefined;
  private scored: { readonly key: string; readonly tables: readonly ScoreTable[] } | undefined;

  /** Reads a file. It takes its place among the others only if it could be read. */
  async add(id: number, file: File, as: FileKind | undefined, lenient: boolean, onProgress?: Progress): Promise<FileSummary> {
    const onBytes = onProgress && ((done: number, total: number): void => onProgress(done, total, `reading ${file.name}`));
    const content = await readFile({ file, as, lenient, onBytes });
    const entry: Entry = { id, file, as, lenient, content, ranks: false, groups: false };
    this.entries.set(id, entry);
    this.scored = undefined;
    if (isJudgements(content)) this.judgements = id;
    return summaryOf(entry);
  }

  remove(id: number): void {
    this.entries.delete(id);
    this.scored = undefined;
    if (this.judgements === id) this.judgements = [...this.entries.values()].findLast(({ content }) => isJudgements(content))?.id;
  }

  /** Which of several files with judgements holds. */
  chooseJudgements(id: number): void {
    this.judgements = id;
    this.scored = undefined;
  }

  plan(settings: Settings): Plan {
    const convention = findConvention(settings.convention);
    const measures = readMeasures([settings.measures], parameterDefaults(convention, settings.rel ?? undefined));
    const rules: { -readonly [K in keyof JudgingRules]?: JudgingRules[K] } = { ...judgingRulesOf(convention.rules) };
    if (settings.ties !== '') rules.ties = settings.ties;
    if (settings.depth !== null) rules.depth = settings.depth;
    if (settings.judgedOnly) rules.judgedOnly = true;
    if (settings.missing === 'skip') rules.missingTopics = 'skip';
    else if (settings.missing === 'zero') rules.missingTopics = convention.missingTopicsOfAll;
    return { convention, measures, rules };
  }

  /** The judgements and the runs in the order they came, with all that the measures need. */
  async material({ measures, rules }: Plan): Promise<Material> {
    const judgements = this.judgements === undefined ? undefined : this.entries.get(this.judgements);
    if (judgements === undefined) {
      throw new InputError({ message: 'there are no judgements yet', wayOut: 'add a qrels file, or a LETOR file with labels' });
    }
    const { content } = judgements;
    const runs: NamedRun[] = [];
    let qrels: Qrels | undefined;
    if (content.kind === 'features') {
      for (const entry of this.entries.values()) {
        if (entry.content.kind !== 'predictions') continue;
        const lists = judgedLists(content.matrix, entry.content.predictions, entry.file.name);
        qrels ??= lists.qrels;
        runs.push({ name: entry.file.name, file: entry.id, run: lists.run });
      }
    } else {
      await this.keep(judgements, { groups: needsGroups(measures) });
      if (judgements.content.kind === 'judgements') qrels = judgements.content.qrels;
      const ranks = rules.ties === 'rank' || measures.some(({ params }) => params.ties === 'rank');
      for (const entry of this.entries.values()) {
        if (entry.content.kind !== 'run') continue;
        await this.keep(entry, { ranks });
        if (entry.content.kind === 'run') runs.push({ name: entry.content.run.name, file: entry.id, run: entry.content.run });
      }
    }
    if (qrels === undefined || runs.length === 0) {
      const features = content.kind === 'features';
      throw new InputError({
        message: features ? 'there are no predictions for this LETOR file yet' : 'there is no run yet',
        wayOut: features ? 'add a file with one number for each of its lines' : 'add what a system retrieved, as a run file',
      });
    }
    for (const { run, file } of runs) refuseUnrelated(run, qrels, { run: this.nameOf(file), qrels: judgements.file.name });
    return { qrels, judgements: judgements.id, runs: this.withDistinctNames(runs) };
  }

  async evaluate(settings: Settings, onProgress: Progress): Promise<Results> {
    const started = performance.now();
    const plan = this.plan(settings);
    const material = await this.material(plan);
    const { qrels, runs } = material;
    const tables = this.tables(plan, material, onProgress);
    const table = alignTables(tables);
    const notes = namedNotes(tables);
    const fate = plan.rules.missingTopics === 'skip' ? 'left out of its averages' : 'counted as empty rankings';
    const systems = runs.map(({ name, file, run }, s) => {
      const numAnswered = numAnsweredBy(run, qrels);
      const numMissing = qrels.topics.size - numAnswered;
      if (numMissing > 0) notes.push(`${name}: ${numMissing} of ${qrels.topics.size} judged topics not answered, ${fate}`);
      return { name, file, numAnswered, means: plan.measures.map((_, m) => tables[s].aggregate(m)) };
    });
    const values = table.values;
    return {
      systems,
      topics: table.topics,
      measures: plan.measures.map((measure, m) => ({
        name: measure.text,
        direction: measure.def.direction,
        whole: table.columns[m].aggregate === 'sum' && isWhole(values, m, plan.measures.length),
      })),
      values,
      notes,
      convention: plan.convention.name,
      milliseconds: performance.now() - started,
    };
  }

  /** A table per run. The last ones are kept, because comparing and exporting need them again. */
  tables(plan: Plan, material: Material, onProgress?: Progress): readonly ScoreTable[] {
    const { measures, rules, convention } = plan;
    const key = JSON.stringify([measures.map(({ text, params }) => [text, params]), rules, convention.name]);
    if (this.scored?.key === key) return this.scored.tables;
    const tables = this.score(plan, material, onProgress);
    this.scored = { key, tables };
    return tables;
  }

  score({ measures, rules, convention }: Plan, { qrels, runs }: Material, onProgress?: Progress): ScoreTable[] {
    refuseJudgements(convention, measures, qrels);
    const scoring = evaluator(qrels, measures, { ...rules, ...convention.planOptions });
    return runs.map(({ run, name }, r) => {
      onProgress?.(r, runs.length, `scoring ${name}`);
      return renamed(scoring.evaluate(run), name);
    });
  }

  fileOf(id: number): File | undefined {
    return this.entries.get(id)?.file;
  }

  nameOf(id: number): string {
    return this.fileOf(id)?.name ?? '';
  }

  /** The rankings of one topic in small, so that they can be looked at closely. */
  topicMaterial({ qrels, runs }: Material, topic: string, file: number): { qrels: Qrels; run: Run; name: string } {
    const chosen = runs.find((run) => run.file === file) ?? runs[0];
    const { run } = chosen;
    const t = qrels.topics.find(topic);
    if (t < 0) throw new InputError(`topic ${topic} has no judgements`);
    const judged = Array.from({ length: qrels.offsets[t + 1] - qrels.offsets[t] }, (_, i) => {
      const row = qrels.offsets[t] + i;
      const group = qrels.groups && { iteration: qrels.groups.ids.text(qrels.groups.of[row]) };
      return { topic, doc: qrels.docs.text(qrels.docOf[row]), grade: qrels.grades[row], ...group };
    });
    const r = run.topics.find(topic);
    const rows = r < 0 ? 0 : run.offsets[r + 1] - run.offsets[r];
    const retrieved = Array.from({ length: rows }, (_, i) => {
      const row = run.offsets[r] + i;
      const doc = run.docs.text(run.docOf[row]);
      if (run.ranksOnly) return { topic, doc, rank: 0 - run.scores[row] };
      return { topic, doc, score: run.scores[row], ...(run.ranks && { rank: run.ranks[row] }) };
    });
    return { qrels: toQrels(judged), run: toRun(retrieved, chosen.name), name: chosen.name };
  }

  /** What is odd about the files, told once. */
  audit({ qrels, judgements, runs }: Material): AuditedFile[] {
    const nothing = { count: 0, kinds: {}, problems: [] };
    const content = this.entries.get(judgements)?.content;
    const skipped = content?.kind === 'judgements' ? content.skipped : nothing;
    return [
      auditQrels(this.nameOf(judgements), { qrels, skipped }),
      ...runs.map(({ name: system, run, file }) => {
        const own = this.entries.get(file)?.content;
        return auditRun(system, { run, skipped: own?.kind === 'run' ? own.skipped : nothing }, qrels);
      }),
    ];
  }

  /** Reads a file again if something is needed that was not kept the first time. */
  private async keep(entry: Entry, wanted: { ranks?: boolean; groups?: boolean }): Promise<void> {
    const ranks = entry.ranks || wanted.ranks === true;
    const groups = entry.groups || wanted.groups === true;
    if (ranks === entry.ranks && groups === entry.groups) return;
    entry.content = await readFile({ file: entry.file, as: entry.as, lenient: entry.lenient, ranks, groups });
    entry.ranks = ranks;
    entry.groups = groups;
    this.scored = undefined;
  }

  /** Runs go by their tags; where two have the same, or none, by their files. */
  private withDistinctNames(runs: readonly NamedRun[]): NamedRun[] {
    const tags = runs.map(({ name }) => name);
    if (new Set(tags).size === tags.length && !tags.includes('')) return [...runs];
    const files = runs.map(({ file }) => this.entries.get(file)?.file.name ?? '');
    return runs.map((run, r) => ({ ...run, name: files.indexOf(files[r]) === r ? files[r] : `${files[r]} (${r + 1})` }));
  }
}

function isJudgements({ kind }: ReadFile): boolean {
  return kind === 'judgements' || kind === 'features';
}

function needsGroups(measures: readonly Measure[]): boolean {
  return measures.some(({ def, params }) => params.groups !== undefined || def.needs === 'subtopics' || def.needs === 'preferences');
}

/** What is to be said of the values of each run, with its name. */
export function namedNotes(tables: readonly ScoreTable[]): string[] {
  return tables.flatMap(({ notes, systems }) => notes.map((note) => `${systems[0]}: ${note}`));
}

function renamed(table: ScoreTable, name: string): ScoreTable {
  return new ScoreTable([name], table.topics, table.columns, table.values, table.notes);
}

function isWhole(values: Float64Array, measure: number, numMeasures: number): boolean {
  for (let i = measure; i < values.length; i += numMeasures) if (!Number.isInteger(values[i])) return false;
  return true;
}

export function numAnsweredBy(run: Run, qrels: Qrels): number {
  let count = 0;
  for (let t = 0; t < qrels.topics.size; t++) {
    const r = run.topics === qrels.topics ? t : run.topics.find(qrels.topics.text(t));
    if (r >= 0 && run.offsets[r + 1] > run.offsets[r]) count++;
  }
  return count;
}

function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}

function summaryOf({ id, file, content }: Entry): FileSummary {
  const base = {
    id,
    name: file.name,
    bytes: file.size,
    kind: content.kind,
    ambiguous: content.ambiguous,
    format: content.format,
    label: file.name,
  };
  switch (content.kind) {
    case 'judgements': {
      const { qrels, skipped } = content;
      return {
        ...base,
        size: `${counted(qrels.topics.size, 'topic')}, ${counted(qrels.grades.length, 'judgement')}`,
        numSkipped: skipped.count,
      };
    }
    case 'run': {
      const { run, skipped } = content;
      const size = `${counted(run.topics.size, 'topic')}, ${counted(run.scores.length, 'document')}`;
      return { ...base, label: run.name || file.name, size, numSkipped: skipped.count };
    }
    case 'features': {
      const { labels, queryOffsets } = content.matrix;
      return {
        ...base,
        size: `${counted(queryOffsets.length - 1, 'query').replace(/querys$/, 'queries')}, ${counted(labels.length, 'document')}`,
        numSkipped: content.skipped.count,
      };
    }
    case 'predictions':
      return { ...base, size: counted(content.predictions.length, 'prediction'), numSkipped: 0 };
  }
}
