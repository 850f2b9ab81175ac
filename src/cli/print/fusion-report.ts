import { formatFixed, formatShortest, jsonText } from '../../core/index.js';
import { EQUAL_WEIGHTS, TUNED_WEIGHTS, type TunedFusion } from '../../fusion/index.js';
import {
  comparisonJson,
  type Grid,
  type GridForm,
  latexText,
  markdownText,
  type TableLook,
  type TextSink,
  visible,
  writeComparison,
  writeGrid,
} from '../../report/index.js';
import type { Comparison } from '../../stats/index.js';

/** What tuning found, and how it holds on topics that it did not see. */
export interface FusionReport {
  readonly tuned: TunedFusion;
  /** All systems against the best single one; undefined where there are too few topics to test. */
  readonly comparison: Comparison | undefined;
  readonly notes: readonly string[];
}

/** How the report of tuned weights is printed. */
export interface FusionPrinting {
  readonly digits?: number | undefined;
  readonly program?: string | undefined;
  readonly look?: TableLook | undefined;
}

/** The weights as the option --weights takes them. */
export function weightsText(systems: readonly string[], weights: readonly number[]): string {
  return weights.map((weight, r) => `${systems[r]}=${formatShortest(weight)}`).join(',');
}

/** Prints the report as table, md, latex or json. */
export function writeFusionReport(form: string, report: FusionReport, sink: TextSink, printing: FusionPrinting = {}): void {
  const { tuned, comparison, notes } = report;
  if (form === 'json') {
    sink.write(`${jsonText(fusionJson(report), 2)}\n`);
    return;
  }
  const text = (line: string): string => (form === 'md' ? markdownText(line) : form === 'latex' ? latexText(line) : visible(line));
  const gridForm = form as GridForm;
  sink.write(`${text(headline(tuned))}\n\n`);
  writeGrid(gridForm, partGrid(tuned, printing.digits ?? 4), sink, printing.look);
  sink.write(`\n${text(`${finalWords(tuned)}: ${weightsText(tuned.systems, tuned.weights)}`)}\n\n`);
  if (comparison !== undefined) writeComparison(form, { ...comparison, notes: [...notes, ...comparison.notes] }, sink, printing);
  else for (const note of notes) sink.write(`${text(`Note: ${note}`)}\n`);
}

function headline({ method, norm, measure, search, step, tried, seed, parts }: TunedFusion): string {
  const how = norm === null ? method : `${method} (${norm})`;
  const split = parts.length === 1 ? 'on the training topics' : `on all parts but one, ${parts.length} times`;
  return `Weights of ${how} for ${measure}, chosen ${split}, tested on topics that had no part in the choice; ${search} search with step ${formatShortest(step)}, ${tried} weightings tried, seed ${seed}.`;
}

function finalWords({ parts }: TunedFusion): string {
  return parts.length === 1 ? 'Weights' : 'Weights chosen on all topics, for use from now on';
}

/** A row per part and system. */
function partGrid({ parts, systems, measure }: TunedFusion, digits: number): Grid {
  const number = (value: number): string => formatFixed(value, digits);
  return {
    columns: [
      { name: 'part', numeric: true },
      { name: 'system' },
      { name: 'weight', numeric: true },
      { name: `${measure}, training`, numeric: true },
      { name: 'topics', numeric: true },
      { name: 'held out', numeric: true },
      { name: 'topics', numeric: true },
    ],
    *rows() {
      for (const { name, trainTopics, testTopics, weights, singles, equal, train, test } of parts) {
        const row = (system: string, weight: string, values: { train: number; test: number }): string[] => [
          name,
          system,
          weight,
          number(values.train),
          String(trainTopics.length),
          number(values.test),
          String(testTopics.length),
        ];
        for (const [r, values] of singles.entries()) yield row(systems[r], formatShortest(weights[r]), values);
        yield row(EQUAL_WEIGHTS, '', equal);
        yield row(TUNED_WEIGHTS, '', { train, test });
      }
    },
  };
}

function fusionJson({ tuned, comparison, notes }: FusionReport): Record<string, unknown> {
  const { run: _run, heldOut, ...rest } = tuned;
  return {
    ...rest,
    heldOut: { topics: heldOut.topics, means: Object.fromEntries(heldOut.systems.map((system, s) => [system, heldOut.aggregate(0, s)])) },
    comparison: comparison === undefined ? null : comparisonJson(comparison),
    notes,
  };
}
