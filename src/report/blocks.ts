import { visible } from './grid.js';
import { correctionWord } from './methods.js';
import type { ComparisonReport, Report, ReportTable } from './model.js';
import { MOST_GROUPED } from './standings.js';
import { reportTables } from './tables.js';
import type { Standings } from './verdict/model.js';
import { counted, type VerdictWords, verdictWords } from './verdict/words.js';

/** A picture as the text around it knows it. */
export interface ChartPlace {
  readonly id: string;
  readonly title: string;
}

/** One part of a report in reading order. */
export type Block =
  | { readonly kind: 'title'; readonly text: string }
  /** Of a part of the report. Details fold where that can be done, and are an appendix in print. */
  | { readonly kind: 'heading'; readonly text: string; readonly isDetail: boolean }
  /** The answer, in words. */
  | { readonly kind: 'verdict'; readonly words: VerdictWords }
  /** A command, as it is typed. */
  | { readonly kind: 'command'; readonly text: string }
  | { readonly kind: 'paragraph'; readonly text: string }
  | { readonly kind: 'facts'; readonly facts: readonly { readonly name: string; readonly value: string }[] }
  /** A table that is called like its section is not titled again. */
  | { readonly kind: 'table'; readonly table: ReportTable; readonly isTitled: boolean }
  | { readonly kind: 'chart'; readonly chart: ChartPlace };

/** A part of a report. */
interface Section {
  readonly heading: string;
  /** Whether it is on the first page; a detail by default. */
  readonly isSummary?: boolean;
  /** A table that stands in for the charts where there are none, by what its id begins with. */
  readonly instead?: string;
  /** Words below its tables and charts. */
  readonly words?: (report: ComparisonReport, hasCharts: boolean) => readonly Block[];
  /** What stands in it, in order: tables or charts, by what their ids begin with. */
  readonly parts: readonly (readonly [kind: 'tables' | 'charts', beginning: string])[];
}

const trecSections: readonly Section[] = [
  { heading: 'Summary Statistics', parts: [['tables', 'summary-statistics']] },
  {
    heading: 'Recall Level Precision Averages',
    parts: [
      ['tables', 'recall-level'],
      ['charts', 'recall-precision'],
    ],
  },
  { heading: 'Document Level Averages', parts: [['tables', 'document-level']] },
  {
    heading: 'Average Precision by Topic',
    parts: [
      ['charts', 'histogram'],
      ['tables', 'average-precision-by-topic'],
    ],
  },
];

const comparisonSections: readonly Section[] = [
  { heading: 'Leaderboard', isSummary: true, parts: [['charts', 'leaderboard']], instead: 'leaderboard', words: leaderboardNotes },
  {
    heading: 'Topics that decide',
    isSummary: true,
    parts: [['charts', 'deciding-topics']],
    instead: 'deciding-topics',
    words: decidingNotes,
  },
  { heading: 'Documents that moved', isSummary: true, parts: [['tables', 'moved-documents']] },
  { heading: 'Methods', isSummary: true, parts: [], words: methodsNotes },
  { heading: 'How sure the ranks are', parts: [['tables', 'ranks']] },
  { heading: 'Systems', parts: [['tables', 'systems']] },
  {
    heading: 'Where systems differ',
    parts: [
      ['charts', 'differences'],
      ['charts', 'heat-map'],
      ['charts', 'distributions'],
    ],
  },
  { heading: 'Ranks over topics', parts: [['charts', 'critical-difference']] },
  { heading: 'Recall and precision', parts: [['charts', 'recall-precision']] },
  { heading: 'Gain by rank', parts: [['charts', 'gain']] },
  {
    heading: 'Agreement of measures',
    parts: [
      ['charts', 'correlation'],
      ['tables', 'correlation'],
    ],
  },
  {
    heading: 'Unjudged documents',
    parts: [
      ['charts', 'unjudged'],
      ['tables', 'unjudged'],
    ],
  },
  { heading: 'What missing judgements can change', parts: [['tables', 'bounds']] },
  { heading: 'Agreement of judges', parts: [['tables', 'agreement']] },
  { heading: 'Measure by measure', parts: [['tables', 'measure']] },
  { heading: 'Audit of the files', parts: [['tables', 'audit']] },
];

/** More notes than this have a part of their own. */
const MOST_NOTES = 3;

const modelSections: readonly Section[] = [
  { heading: 'Model', parts: [['tables', 'model']] },
  {
    heading: 'What features are worth',
    parts: [
      ['charts', 'importance'],
      ['tables', 'importance'],
    ],
  },
  { heading: 'How scores follow features', parts: [['charts', 'dependence']] },
  {
    heading: 'An example',
    parts: [
      ['tables', 'example-ranking'],
      ['charts', 'example'],
      ['tables', 'example-pair'],
    ],
  },
  {
    heading: 'Training',
    parts: [
      ['charts', 'training'],
      ['tables', 'training'],
    ],
  },
];

const sectionsOf: Readonly<Record<Report['kind'], readonly Section[]>> = {
  trec: trecSections,
  comparison: comparisonSections,
  model: modelSections,
};

const provenance: Section = {
  heading: 'Provenance',
  parts: [
    ['tables', 'provenance'],
    ['tables', 'files'],
  ],
};

/** The report as a row of parts, for every output that is read from top to bottom: the answer, what shows it, and the details. */
export function reportBlocks(report: Report, charts: readonly ChartPlace[]): Block[] {
  const tables = reportTables(report);
  const blocks: Block[] = [{ kind: 'title', text: report.title }];
  if (report.kind === 'trec' && report.header.length > 0) blocks.push({ kind: 'facts', facts: report.header });
  if (report.kind === 'comparison' && report.verdict !== undefined) {
    blocks.push({ kind: 'verdict', words: verdictWords(report.verdict) });
    blocks.push(...charts.filter(({ id }) => id === 'verdict').map((chart): Block => ({ kind: 'chart', chart })));
  }
  const notes = report.notes.map((note): Block => ({ kind: 'paragraph', text: `Note: ${note}.` }));
  // a few stand at the top; more of them would push the picture off the first page
  const areMany = report.kind === 'comparison' && report.verdict !== undefined && notes.length > MOST_NOTES;
  if (!areMany) blocks.push(...notes);
  for (const { heading, parts: own, instead, words, isSummary = false } of [...sectionsOf[report.kind], provenance]) {
    const parts: Section['parts'] = charts.length === 0 && instead !== undefined ? [['tables', instead]] : own;
    const inside = parts.flatMap(([kind, beginning]): Block[] =>
      kind === 'charts'
        ? charts.filter(({ id }) => id.startsWith(beginning)).map((chart) => ({ kind: 'chart', chart }))
        : tables.filter(({ id }) => id.startsWith(beginning)).map((table) => ({ kind: 'table', table, isTitled: table.title !== heading })),
    );
    if (areMany && heading === 'Systems') blocks.push({ kind: 'heading', text: 'Notes', isDetail: true }, ...notes);
    const said = report.kind === 'comparison' ? (words?.(report, charts.length > 0) ?? []) : [];
    if (inside.length + said.length === 0) continue;
    // the report of TREC is read as a whole
    const isDetail = report.kind === 'comparison' && !isSummary;
    blocks.push({ kind: 'heading', text: heading, isDetail }, ...inside, ...said);
  }
  return blocks;
}

/** What the signs of the picture mean. */
function leaderboardNotes({ systems, test, standings, measures, verdict }: ComparisonReport, hasCharts: boolean): Block[] {
  if (verdict === undefined) return [];
  const isFew = systems.length <= MOST_GROUPED;
  const corrected = test.correction === 'none' || verdict.numPairs === 1 ? '' : `, ${correctionWord(verdict.correction)}-corrected`;
  const notes = [
    ...(isFew && hasCharts
      ? [`Superscripts: significantly better than the system with that letter (p at most ${test.alpha}${corrected}).`]
      : []),
    ...(hasCharts ? ['Blue: not told apart from the best.'] : []),
    ...(standings === undefined ? [] : [rankNote(standings)]),
    ...(standings?.unjudged ? [`Unjudged: share of the first ${standings.unjudged.cutoff} documents without a judgement.`] : []),
    ...(measures[0].direction === 'lower' ? ['Less is better.'] : []),
    ...(isFew ? [] : [`The other ${systems.length - MOST_GROUPED} systems are in the table of systems.`]),
  ];
  return [{ kind: 'paragraph', text: notes.join(' ') }];
}

function rankNote({ level, resamples, seed }: Standings): string {
  const drawn = seed === null ? `all ${counted(resamples, 'sample')}` : `${counted(resamples, 'sample')}`;
  return `Rank interval: ${Math.round(100 * level)}% of ${drawn} of the topics${seed === null ? '' : ` (seed ${seed})`}.`;
}

function decidingNotes({ verdict }: ComparisonReport): Block[] {
  if (verdict === undefined) return [];
  const { topics } = verdictWords(verdict);
  const { measure, pair } = verdict;
  const shown = `${measure} of ${pair.system} minus that of ${pair.against}, topic by topic: the largest gains and losses.`;
  return [{ kind: 'paragraph', text: topics === '' ? shown : `${shown} ${topics} That is not a reason to leave topics out.` }];
}

function methodsNotes({ test, provenance: { command } }: ComparisonReport): Block[] {
  return [
    { kind: 'paragraph', text: test.methods },
    ...(command === null ? [] : [{ kind: 'command' as const, text: shortCommand(command) }]),
  ];
}

/** More letters of a command than this would fill the page; the provenance has all. */
const LONGEST_COMMAND = 600;

function shortCommand(command: string): string {
  if (command.length <= LONGEST_COMMAND) return command;
  return `${command.slice(0, command.lastIndexOf(' ', LONGEST_COMMAND))} … (in full under Provenance)`;
}

/** A line for a title, without what would break it. */
export function oneLine(text: string): string {
  return visible(text).replaceAll('\n', ' ');
}
