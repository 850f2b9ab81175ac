/** The ways in which a person can ask for the same scores: every command that makes some, the library, and the page. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { InputError, problemText } from '../../src/core/problem.js';
import type { ScoreTable } from '../../src/core/score-table.js';
import type { ExperimentRequest } from '../../src/experiment/experiment.js';
import { parseColumns } from '../../src/formats/tables/columns.js';
import { experiment } from '../../src/node/experiment.js';
import { runGradus } from '../helpers/run-gradus.js';

/** Files and settings. Everything that can be set in all ways; what only some have is tested elsewhere. */
export interface Question {
  readonly qrels: string;
  readonly runs: readonly string[];
  readonly measures: string;
  readonly convention?: string;
  readonly rel?: number;
  readonly ties?: 'docno-ascending' | 'expected' | 'pessimistic';
  readonly depth?: number;
  readonly missing?: 'zero' | 'skip';
  readonly lenient?: boolean;
  readonly columns?: string;
}

/** What every way has to say alike. A way that does not say something leaves it out. */
export interface SameAnswer {
  readonly systems?: readonly string[];
  /** By system and measure, over all topics. */
  readonly means?: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** By system, topic and measure. */
  readonly values?: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, number | null>>>>>>;
  readonly notes?: readonly string[];
  /** The first problem, if the question is refused. */
  readonly refused?: string;
}

/** One way. `serves` is false for settings that it has no place for. */
export interface Way {
  serves(question: Question): boolean;
  /** Whether it leaves a topic out for all systems that one of them does not answer. */
  readonly pairs?: boolean;
  ask(question: Question, folder: string): Promise<SameAnswer>;
}

function valuesOf(table: ScoreTable, bare: (name: string) => string): NonNullable<SameAnswer['values']> {
  return Object.fromEntries(
    table.systems.map((system, s) => [
      bare(system),
      Object.fromEntries(
        table.topics.map((topic, t) => [
          topic,
          Object.fromEntries(table.measures.map((measure, m) => [measure, numberOrNull(table.value(t, m, s))])),
        ]),
      ),
    ]),
  );
}

function numberOrNull(value: number): number | null {
  return Number.isNaN(value) ? null : value;
}

const library: Way = {
  serves: () => true,
  async ask({ qrels, columns, ...settings }, folder) {
    const request: ExperimentRequest = {
      ...settings,
      judgements: join(folder, qrels),
      runs: settings.runs.map((run) => join(folder, run)),
      ...(columns === undefined ? {} : { columns: parseColumns(columns) }),
    };
    const bare = (text: string): string => text.replaceAll(`${folder}/`, '');
    try {
      const { scored, table, notes } = await experiment(request);
      const means = Object.fromEntries(
        scored.tables.map((one) => [
          bare(one.systems[0]),
          Object.fromEntries(one.measures.map((measure, m) => [measure, one.aggregate(m)])),
        ]),
      );
      return { systems: table.systems.map(bare), means, values: valuesOf(table, bare), notes: notes.map(bare) };
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      return { refused: bare(problemText(error.problems[0])) };
    }
  },
};

/** The arguments that say what a question says. */
function argumentsOf(question: Question): string[] {
  const { measures, convention, rel, ties, depth, missing, lenient, columns } = question;
  const given: [string, string | number | undefined][] = [
    ['measure', measures],
    ['convention', convention],
    ['rel', rel],
    ['ties', ties],
    ['depth', depth],
    ['missing', missing],
    ['columns', columns],
  ];
  const options = given.flatMap(([name, value]) => (value === undefined ? [] : [`--${name}`, String(value)]));
  return [...options, ...(lenient === true ? ['--lenient'] : [])];
}

interface Printed {
  readonly json: never;
  readonly notes: readonly string[];
}

function command(
  name: string,
  read: (printed: Printed) => SameAnswer,
  words: (question: Question) => string[],
  serves: Way['serves'],
): Way {
  return {
    serves,
    pairs: name !== 'eval',
    async ask(question, folder) {
      const { stdout, stderr, status } = runGradus([...words(question), ...argumentsOf(question), '--json'], { cwd: folder });
      const said = stderr
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => line.replace(/^gradus: /, ''));
      if (status === 2) return { refused: problemText(JSON.parse(said[0]).error.problems[0]) };
      if (status !== 0 && status !== 1) throw new Error(`${name} ended with ${status}: ${stderr}`);
      return read({ json: JSON.parse(stdout) as never, notes: said });
    },
  };
}

const files = ({ qrels, runs }: Question): string[] => [qrels, ...runs];
const comparable = ({ ties, depth, runs }: Question): boolean => ties === undefined && depth === undefined && runs.length > 1;

type Scores = Readonly<Record<string, number>>;

export const ways: Readonly<Record<string, Way>> = {
  library,

  'gradus eval': command(
    'eval',
    ({ json, notes }) => {
      const { runs } = json as { runs: { run: string; all: Scores; perTopic: { topic: string; scores: Scores }[] }[] };
      return {
        systems: runs.map(({ run }) => run),
        means: Object.fromEntries(runs.map(({ run, all }) => [run, all])),
        values: Object.fromEntries(
          runs.map(({ run, perTopic }) => [run, Object.fromEntries(perTopic.map(({ topic, scores }) => [topic, scores]))]),
        ),
        notes,
      };
    },
    (question) => ['eval', ...files(question), '-q'],
    () => true,
  ),

  'gradus compare': command(
    'compare',
    ({ json, notes }) => {
      const { systems, measures } = json as {
        systems: string[];
        measures: { measure: string; systems: { system: string; mean: number }[] }[];
      };
      return { systems, means: meansBySystem(measures), notes };
    },
    (question) => ['compare', ...files(question)],
    comparable,
  ),

  'gradus report': command(
    'report',
    ({ json }) => {
      const report = json as {
        systems: string[];
        topics: string[];
        measures: { name: string; scores: (number | null)[][] }[];
        notes: string[];
      };
      return {
        systems: report.systems,
        values: Object.fromEntries(
          report.systems.map((system, s) => [
            system,
            Object.fromEntries(
              report.topics.map((topic, t) => [topic, Object.fromEntries(report.measures.map(({ name, scores }) => [name, scores[s][t]]))]),
            ),
          ]),
        ),
        notes: report.notes,
      };
    },
    (question) => ['report', ...files(question)],
    comparable,
  ),

  'gradus gate': command(
    'gate',
    ({ json, notes }) => {
      const { baseline, candidate, measures } = json as {
        baseline: string;
        candidate: string;
        measures: { measure: string; baseline: number; candidate: number }[];
      };
      const of = (pick: (measure: (typeof measures)[number]) => number): Scores =>
        Object.fromEntries(measures.map((measure) => [measure.measure, pick(measure)]));
      // with equal tags they are called by what they are here
      const systems = baseline === 'baseline' ? undefined : [baseline, candidate];
      if (systems === undefined) return { notes };
      return { systems, means: { [baseline]: of((one) => one.baseline), [candidate]: of((one) => one.candidate) }, notes };
    },
    (question) => ['gate', ...files(question), '--min-topics', '2'],
    (question) => comparable(question) && question.runs.length === 2,
  ),

  'gradus meta': command(
    'meta',
    ({ notes }) => ({ notes }),
    (question) => ['meta', 'power', ...files(question)],
    (question) => comparable(question) && question.missing === undefined,
  ),

  page: {
    serves: ({ columns }) => columns === undefined,
    async ask({ qrels, runs, lenient = false, measures, convention = 'gradus', ties = '', rel, depth, missing }, folder) {
      const { defaultSettings, Session } = await loadPage();
      const session = new Session();
      const settings = { ...defaultSettings, measures, convention, ties, rel: rel ?? null, depth: depth ?? null, missing: missing ?? '' };
      try {
        for (const [id, name] of [qrels, ...runs].entries()) {
          const file = new File([new Uint8Array(readFileSync(join(folder, name)))], name);
          await session.add(id, file, { as: id === 0 ? 'judgements' : 'run', lenient });
        }
        const { systems, topics, measures: shown, values, notes } = await session.evaluate(settings, () => undefined);
        const cell = (s: number, t: number, m: number): number | null => numberOrNull(values[(s * topics.length + t) * shown.length + m]);
        return {
          systems: systems.map(({ name }) => name),
          means: Object.fromEntries(
            systems.map(({ name, means }) => [name, Object.fromEntries(shown.map((one, m) => [one.name, means[m]]))]),
          ),
          values: Object.fromEntries(
            systems.map(({ name }, s) => [
              name,
              Object.fromEntries(topics.map((topic, t) => [topic, Object.fromEntries(shown.map((one, m) => [one.name, cell(s, t, m)]))])),
            ]),
          ),
          notes,
        };
      } catch (error) {
        if (!isRefusal(error)) throw error;
        return { refused: problemText(error.problems[0]) };
      }
    },
  },
};

/** As much of the page's worker as is asked here. Its sources are checked with the settings of their own workspace. */
interface PageEngine {
  readonly defaultSettings: Readonly<Record<string, unknown>>;
  readonly Session: new () => {
    add(id: number, file: File, reading: { as: 'judgements' | 'run'; lenient: boolean }): Promise<unknown>;
    evaluate(
      settings: unknown,
      onProgress: () => void,
    ): Promise<{
      readonly systems: readonly { readonly name: string; readonly means: readonly number[] }[];
      readonly topics: readonly string[];
      readonly measures: readonly { readonly name: string }[];
      readonly values: Float64Array;
      readonly notes: readonly string[];
    }>;
  };
}

async function loadPage(): Promise<PageEngine> {
  // the build puts it in
  Object.assign(globalThis, { __GRADUS_VERSION__: '0' });
  const engine = new URL('../../web/src/engine/', import.meta.url).pathname;
  return { ...(await import(`${engine}session.ts`)), ...(await import(`${engine}protocol.ts`)) };
}

/** The page has classes of the built package, the test those of the sources. */
function isRefusal(error: unknown): error is InputError {
  return error instanceof Error && 'problems' in error;
}

function meansBySystem(
  measures: readonly { measure: string; systems: readonly { system: string; mean: number }[] }[],
): NonNullable<SameAnswer['means']> {
  const means: Record<string, Record<string, number>> = {};
  for (const { measure, systems } of measures) {
    for (const { system, mean } of systems) {
      means[system] ??= {};
      means[system][measure] = mean;
    }
  }
  return means;
}
