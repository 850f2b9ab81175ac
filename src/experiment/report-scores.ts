/** The TREC report from scores that were computed before. */
import { InputError } from '../core/problem.js';
import { type ScoreColumn, ScoreTable } from '../core/score-table.js';
import type { ByteSource } from '../formats/source.js';
import { buildTrecReport, trecReportMeasures } from '../report/build-trec.js';
import type { Report, ReportFile } from '../report/model.js';
import { readTopicScores } from './comparison.js';
import { sourceOf } from './material.js';
import type { Platform } from './platform.js';
import { type ReportRequest, withShownPaths } from './report.js';
import { withQueries } from './texts.js';

/** What is reported from ready scores, and how the report presents itself. */
export interface ScoresReportRequest extends Pick<ReportRequest, 'about' | 'queries' | 'title' | 'header' | 'command' | 'date'> {
  /** Files with a row per topic: tables of topics × systems, or what trec_eval -q or gradus eval -q printed. */
  readonly scores: readonly (string | ByteSource)[];
  /** What each of the files holds, in their order; files that say so themselves need none. */
  readonly measures?: readonly string[] | undefined;
}

/** Makes the report of the TREC conferences from ready scores: as much of it as the scores say, and AP at least. */
export async function reportScores(request: ScoresReportRequest, platform: Platform): Promise<Report> {
  const { scores, measures, command = null, date = null } = request;
  const sources = scores.map((input) => sourceOf(input, platform));
  const tables: ScoreTable[] = [];
  const files: ReportFile[] = [];
  for (const [i, source] of sources.entries()) {
    const asked = measures?.[i] === undefined ? undefined : [measures[i]];
    tables.push(await readTopicScores(source, asked, 'gradus eval -q and trec_eval -q print them'));
    const sha256 = source.isReopenable ? await platform.sha256?.(source.open()) : undefined;
    if (sha256 !== undefined) files.push({ role: 'scores', name: source.name, bytes: source.size ?? 0, sha256 });
  }
  const report = buildTrecReport({
    tables: scoresBySystem(
      tables,
      sources.map(({ name }) => name),
    ),
    run: request.about,
    title: request.title,
    header: request.header,
    notes: [...new Set(tables.flatMap(({ notes }) => notes))],
    provenance: { program: `Gradus ${platform.version}`, command, date, files, convention: 'that of the scores', rules: [], seed: null },
  });
  const inputs = sources.map(({ name }) => name);
  return withShownPaths(await withQueries(report, request.queries, platform), inputs);
}

/** Scores of one system, by measure and topic. */
interface SystemScores {
  readonly topics: readonly string[];
  readonly source: string;
  readonly values: Map<string, Float64Array>;
}

/** A table per system in the columns of the report, with NaN where no file has a value. */
function scoresBySystem(tables: readonly ScoreTable[], sources: readonly string[]): ScoreTable[] {
  const systems = new Map<string, SystemScores>();
  for (const [i, table] of tables.entries()) {
    for (const [s, name] of table.systems.entries()) {
      const entry: SystemScores = systems.get(name) ?? { topics: table.topics, source: sources[i], values: new Map() };
      systems.set(name, entry);
      refuseOtherTopics(name, entry, table.topics, sources[i]);
      for (const [m, measure] of table.measures.entries()) {
        if (entry.values.has(measure)) {
          throw new InputError({
            source: sources[i],
            message: `holds ${measure} of ${name}, which ${entry.source} holds already`,
            wayOut: 'give each measure of a system once',
          });
        }
        entry.values.set(measure, table.column(m, s));
      }
    }
  }
  return Array.from(systems, ([name, entry]) => systemTable(name, entry));
}

function refuseOtherTopics(name: string, entry: SystemScores, topics: readonly string[], source: string): void {
  if (entry.topics.length === topics.length && entry.topics.every((topic, t) => topic === topics[t])) return;
  throw new InputError({
    source,
    message: `has other topics for ${name} than ${entry.source}: ${topics.length}, expected the same ${entry.topics.length}`,
    wayOut: 'score both on the same topics',
  });
}

function systemTable(name: string, { topics, source, values }: SystemScores): ScoreTable {
  const precisions = values.get('AP');
  if (precisions === undefined) {
    throw new InputError({
      source,
      message: `has no AP of ${name}, which the report needs, but ${[...values.keys()].join(', ')}`,
      wayOut: 'say what each table of topics and systems holds, in order: -m AP for the first',
    });
  }
  // a topic without a value was not scored
  const kept = topics.map((_, t) => t).filter((t) => !Number.isNaN(precisions[t]));
  const columns = trecReportMeasures.map(
    (measure): ScoreColumn => ({
      name: measure,
      aggregate: measure.startsWith('Num') && values.has(measure) ? 'sum' : 'mean',
      empty: 'skip',
    }),
  );
  const cells = Float64Array.from(kept.flatMap((t) => trecReportMeasures.map((measure) => values.get(measure)?.[t] ?? Number.NaN)));
  return new ScoreTable(
    [name],
    kept.map((t) => topics[t]),
    columns,
    cells,
  );
}
